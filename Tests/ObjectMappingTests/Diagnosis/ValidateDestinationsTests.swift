import ObjectMapping
import Testing

private struct Author: Mappable, Equatable {
    var name = ""
    var city = ""
    static let mapping = Mapping(Author.init) { Attribute("name", \.name) }
}

private struct Book: Equatable {
    var title = ""
    var author: Author?
    var authors: [Author] = []
    var byName: [String: Author] = [:]
    var maybeByName: [String: Author]?
}

private final class Bookcase {
    var book: Book? = Book()
    var title = ""
    var books: [Book] = []
}

struct ValidateDestinationsTests {
    private static let expected =
        #"expected a key path that cannot fail; for an optional, use `Relationship(.value, \.a, Mapping(…) { … })`, found "#
    private static let unwrapping = "\(expected)a forced unwrap, which traps for nil"
    private static let element =
        "\(expected)an array subscript, which traps if the index is out of range"

    @Test func `Forced unwrapping and elements of arrays are mistakes`() throws {
        expectIssues(
            """
            \(Self.unwrapping) (rule a -> Book.author!.name)
            \(Self.unwrapping) (rule b -> Book.author!.city)
            \(Self.element) (rule c -> a computed or observed property of Book)
            """
        ) {
            try Mapping(Book.init) {
                Attribute("title", \.title)
                Attribute("a", \.author!.name)
                Attribute("b", \.author!.city).writeOnly
                Attribute("c", \.authors[0].name)
            }.validate()
        }
        expectIssues(
            """
            \(Self.unwrapping) (rule a -> Bookcase.book!.title)
            \(Self.element) (rule b -> a computed or observed property of Bookcase)
            """
        ) {
            try Mapping({ Bookcase() }) {
                Attribute("a", \.book!.title)
                Relationship("b", \.books[1].author)
            }.validate()
        }
    }

    @Test func `A key path that can trap is an error at first use, in place of a trap`() throws {
        let unwrapped = Mapping(Book.init) { Attribute("by", \.author!.name) }
        expectIssues("\(Self.unwrapping) (rule by -> Book.author!.name)") { _ = try unwrapped.map(#"{"by": "Ada"}"#) }
        expectIssues("\(Self.unwrapping) (rule by -> Book.author!.name)") { _ = try unwrapped.serialize(Book()) }
        let element = Mapping({ [Int]() }) { Attribute("x", \.[3]) }
        expectIssues("\(Self.element) (rule x -> a computed or observed property of Array<Int>)") {
            _ = try element.mapAll(#"[{"x": 1}]"#)
        }
    }

    @Test func `A key path that can trap is an error in an update and in a nested mapping`() throws {
        let inner = Mapping(Book.init) { Attribute("x", \.authors[0].name) }
        let issue = "\(Self.element) (rule x -> a computed or observed property of Book)"
        var book = Book()
        expectIssues(issue) { try inner.update(&book, from: #"{"x": "a"}"#) }
        let outer = Mapping({ Bookcase() }) { Relationship("books", \.books, inner) }
        expectIssues(issue) { _ = try outer.map(#"{"books": []}"#) }
        expectIssues(issue) { _ = try outer.serialize(Bookcase()) }
    }

    @Test func `An identity that can trap is an error`() throws {
        let cases = Mapping({ Bookcase() }) { Attribute("title", \.title) }.identified(by: \.book!.title)
        expectIssues(
            """
            \(Self.unwrapping), in the identity Bookcase.book!.title
            expected a rule that sets Bookcase.book!.title, the identity of models, found no such rule
            """
        ) {
            _ = try cases.map(#"{"title": "a"}"#, in: MappingSession())
        }
    }

    @Test func `Elements of dictionaries and computed properties are valid`() throws {
        try Mapping(Book.init) {
            Attribute("title", \.title)
            Relationship("a", \.byName["a"])
            Attribute("b", \.title.doubled)
        }.validate()
    }

    @Test func `A property of an optional is set by an inline mapping of the value`() throws {
        let author = Mapping(Author.init) {
            Attribute("author.name", \.name)
            Attribute("city", \.city)
        }
        let mapping = Mapping(Book.init) {
            Attribute("title", \.title)
            Relationship(.value, \.author, author)
        }
        try mapping.validate()
        let book = try mapping.map(#"{"title": "Notes", "author": {"name": "Ada"}, "city": "London"}"#)
        #expect(book == Book(title: "Notes", author: Author(name: "Ada", city: "London")))
        #expect(try mapping.map(#"{"title": "Notes"}"#).author == nil)
        #expect(
            try String(decoding: mapping.serialize(book), as: UTF8.self)
                == #"{"title":"Notes","author":{"name":"Ada"},"city":"London"}"#)
    }

    @Test func `A dictionary of objects has only one shape`() throws {
        let text = "expected a dictionary without `each:`, found `each: .member`"
        expectIssues(
            """
            \(text) (rule a -> Book.byName)
            \(text) (rule b -> Book.maybeByName)
            """
        ) {
            try Mapping(Book.init) {
                Relationship("a", \.byName, Author.mapping, each: .member)
                Relationship("b", \.maybeByName, Author.mapping, each: .member)
            }.validate()
        }
        let mapping = Mapping(Book.init) { Relationship("a", \.byName) }
        #expect(try mapping.map(#"{"a": {"x": {"name": "Ada"}}}"#).byName["x"]?.name == "Ada")
    }
}

extension String {
    fileprivate var doubled: String {
        get { self + self }
        set { self = newValue }
    }
}
