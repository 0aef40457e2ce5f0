import ExampleSupport
import ObjectMapping

let dynamicMapping = Example(
    "dynamic-mapping", group: "Mapping",
    "A feed of articles, photos and polls becomes an enum; each case has its own mapping"
) { story in
    let json = """
        { "feed": [
            { "kind": "article", "id": 1, "title": "Low tide", "words": 820 },
            { "kind": "photo", "id": 2, "file": { "width": 4000, "height": 3000 } },
            { "poll": { "question": "Tea or coffee?", "answers": ["Tea", "Coffee", "Both"] } },
            { "kind": "advertisement", "id": 9 }
        ] }
        """
    story.say("Each element of this feed names its kind, either as the value of a key or as a key.")
    story.show(json)
    story.say("A mapping with matches tests them in order. The first one that matches reads the element:")
    story.showCode("declaration")

    let posts = try Post.mapping.mapAll(json, at: "feed")
    story.say("`try Post.mapping.mapAll(json, at: \"feed\")` gives an enum with payloads:")
    for post in posts { story.show(post.summary) }

    story.say(
        """
        Advertisements are skipped, because the mapping says so. An unknown kind is not skipped: without `Otherwise` it
        is an issue with the position and the known kinds.
        """)
    do throws(MappingError) {
        _ = try Post.mapping.mapAll(json.replacing("photo", with: "photos"), at: "feed")
    } catch {
        for issue in error.issues { story.show("\(issue)") }
    }
}

// snippet.declaration
enum Post: Mappable {
    case article(Article)
    case photo(Photo)
    case poll(Poll)

    static let mapping = Mapping<Post> {
        Match("kind", is: "article", Article.mapping, Post.article)
        Match("kind", is: "photo", Photo.mapping, Post.photo)
        Match(wrappedIn: "poll", Poll.mapping, Post.poll)
        Match("kind", is: "advertisement", .decline)
    }
}

struct Article: Mappable {
    var title = ""
    var words = 0
    static let mapping = Mapping(Article.init) {
        Attribute("title", \.title)
        Attribute("words", \.words)
    }
}

struct Photo: Mappable {
    var width = 0
    var height = 0
    static let mapping = Mapping(Photo.init) {
        Attribute("file.width", \.width)
        Attribute("file.height", \.height)
    }
}

struct Poll: Mappable {
    var question = ""
    var answers: [String] = []
    static let mapping = Mapping(Poll.init) {
        Attribute("question", \.question)
        Attribute("answers", \.answers)
    }
}
// snippet.end

extension Post {
    fileprivate var summary: String {
        switch self {
        case .article(let article): "article '\(article.title)', \(article.words) words"
        case .photo(let photo): "photo of \(photo.width) by \(photo.height) pixels"
        case .poll(let poll): "poll '\(poll.question)' with \(poll.answers.count) answers"
        }
    }
}
