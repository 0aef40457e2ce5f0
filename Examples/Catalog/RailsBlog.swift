import ActiveResource
import ExampleSupport
import Foundation
import LoopbackServer

let railsBlog = Example(
    "rails-blog", group: "Resources",
    "A blog in Ruby on Rails: posts with comments and authors, validations, patches, nested attributes"
) { story in
    story.say(
        """
        The service is a Rails application if Ruby is installed, and otherwise a small server with the same responses.
        The site sends only changed attributes with PATCH. It prints its requests:
        """)
    story.showCode("site")
    let blog = try BlogService()
    defer { blog.stop() }
    try await Blog.$site.withValue(patchingSite(blog.url)) {
        story.say("Posts with their authors and comments:")
        story.showCode("models")
        story.show(try await read())

        story.say("A post is created with its comments in one request, as `comments_attributes`:")
        story.showCode("nested")
        let post = try await createPost()
        story.show("post \(post.id ?? 0)")

        story.say("The validations of the Rails model arrive as problems of the record:")
        story.showCode("refused")
        story.show(try await rename(post))

        story.say("Deleted records are gone:")
        story.show(try await delete(post))
    }
}

// snippet.site
private enum Blog {
    @TaskLocal static var site = ResourceSite(URL(filePath: "/"))
}

private func patchingSite(_ url: URL) -> ResourceSite {
    var site = ResourceSite(url)
    site.updateMethod = .patch
    site.onRequest = { print("    -> \($0.request.method) \($0.request.url?.path() ?? "") \($0.status)") }
    return site
}
// snippet.end

// snippet.models
extension Blog {
    struct Post: Resource {
        static var site: ResourceSite { Blog.site }
        var id: Int?
        var title = ""
        var posterID: Int?
        var newComments: [Comment]?
        var resource = ResourceState()

        var poster: BelongsTo<Person> { belongsTo(posterID) }
        var comments: HasMany<Comment> { hasMany() }

        static let mapping = Mapping(Post.init) {
            Attribute("id", \.id).readOnly
            Attribute("title", \.title)
            Attribute("poster_id", \.posterID)
            Relationship("comments_attributes", \.newComments).writeOnly
        }
    }

    struct Comment: Resource {
        static var site: ResourceSite { Blog.site }
        static let prefix = "/posts/:post_id/"
        var id: Int?
        var text = ""
        var resource = ResourceState()
        static let mapping = Mapping(Comment.init) {
            Attribute("id", \.id); Attribute("text", \.text)
        }
    }

    struct Person: Resource {
        static var site: ResourceSite { Blog.site }
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Person.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }
    }
}
// snippet.end

private func read() async throws(ResourceError) -> String {
    var lines: [String] = []
    for post in try await Blog.Post.all().records {
        let name = try await post.poster.record?.name ?? "nobody"
        lines.append("\(post.title) by \(name), \(try await post.comments.records.count) comments")
    }
    return lines.joined(separator: "\n")
}

// snippet.nested
private func createPost() async throws(ResourceError) -> Blog.Post {
    var post = Blog.Post(title: "Kettles", posterID: 1)
    post.newComments = [Blog.Comment(text: "Blue ones"), Blog.Comment(text: "With a spout")]
    try await post.saveOrThrow()
    post.newComments = nil
    return post
}
// snippet.end

// snippet.refused
private func rename(_ post: Blog.Post) async throws(ResourceError) -> String {
    var post = post
    let isSaved = try await post.update { $0.title = String(repeating: "Kettles ", count: 20) }
    return "saved: \(isSaved), \(post.errors)"
}
// snippet.end

private func delete(_ post: Blog.Post) async throws(ResourceError) -> String {
    try await post.destroy()
    do throws(ResourceError) { return try await Blog.Post.find(post.id).title } catch { return "\(error.kind)" }
}

/// The Rails application of this repository, or a server with its responses.
private final class BlogService {
    let url: URL
    private let rails: RailsApplication?
    private let server: LoopbackServer?

    init() throws {
        rails = RailsApplication()
        server = rails == nil ? try LoopbackServer(handler: Self.answer) : nil
        guard let url = rails?.url ?? server?.url else { throw CocoaError(.featureUnsupported) }
        self.url = url
    }

    func stop() { rails?.stop() }

    @Sendable private static func answer(_ request: Request) throws -> Answer? {
        let sent = String(decoding: try request.body(), as: UTF8.self)
        return switch "\(request.method) \(request.target)" {
        case "GET /posts.json":
            Answer(
                body:
                    #"[{"id": 1, "title": "De finibus", "poster_id": 2}, {"id": 2, "title": "Second", "poster_id": 1}]"#
                    .utf8)
        case "GET /people/1.json": Answer(body: #"{"id": 1, "name": "Matz"}"#.utf8)
        case "GET /people/2.json": Answer(body: #"{"id": 2, "name": "Roy"}"#.utf8)
        case "GET /posts/1/comments.json": Answer(body: #"[{"id": 1, "text": ""}, {"id": 2, "text": ""}]"#.utf8)
        case "GET /posts/2/comments.json": Answer(body: "[]".utf8)
        case "POST /posts.json" where sent.contains(#""comments_attributes":[{"#):
            Answer(201, body: #"{"id": 3, "title": "Kettles", "poster_id": 1}"#.utf8)
        case "PATCH /posts/3.json":
            Answer(422, body: #"{"errors": {"title": ["is too long (maximum is 80 characters)"]}}"#.utf8)
        case "DELETE /posts/3.json": Answer(204)
        default: Answer(404, body: "{}".utf8)
        }
    }
}
