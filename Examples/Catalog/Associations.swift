import ActiveResource
import ExampleSupport
import Foundation
import LoopbackServer

let associations = Example(
    "associations", group: "Resources",
    "Associated records, requested when they are needed, or loaded before"
) { story in
    story.say("An association is a computed property. The path follows from the prefix of the other resource:")
    story.showCode("declaration")

    story.say("Records of a list and one record, below their owner:")
    story.showCode("reading")
    story.show(try await read())

    story.say("A new record belongs to its owner. The foreign key is in the path, not in the body:")
    story.showCode("creating")
    story.show(try await create())

    story.say("Loaded writers are added to a registry, so that a foreign key needs no request:")
    story.showCode("registry")
    story.show(try await writerNames())

    story.say("Other methods of a service are called by name:")
    story.showCode("methods")
    story.show(try await reprint())
}

// snippet.declaration
private struct Book: Resource {
    static let site = ResourceSite(service)
    var id: Int?
    var title = ""
    var writerID: Int?
    var resource = ResourceState()

    var writer: BelongsTo<Writer> { belongsTo(writerID) }
    var reviews: HasMany<Review> { hasMany() }
    var cover: HasOne<Cover> { hasOne() }

    static let mapping = Mapping(Book.init) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("writer_id", \.writerID)
    }
}

private struct Review: Resource {
    static let site = ResourceSite(service)
    static let prefix = "/books/:book_id/"
    var id: Int?
    var text = ""
    var resource = ResourceState()
    static let mapping = Mapping(Review.init) {
        Attribute("id", \.id); Attribute("text", \.text)
    }
}

private struct Cover: SingletonResource {
    static let site = ResourceSite(service)
    static let prefix = "/books/:book_id/"
    var color = ""
    var resource = ResourceState()
    static let mapping = Mapping(Cover.init) { Attribute("color", \.color) }
}

private struct Writer: RegisteredResource {
    static let site = ResourceSite(service)
    static let registry = ResourceRegistry()
    var id: Int?
    var name = ""
    var resource = ResourceState()
    static let mapping = Mapping(Writer.init) {
        Attribute("id", \.id); Attribute("name", \.name)
    }
}
// snippet.end

// snippet.reading
private func read() async throws(ResourceError) -> String {
    let book = try await Book.find(1)
    let texts = try await book.reviews.records.map(\.text)
    let cover = try await book.cover.record
    return "\(book.title): \(texts), cover \(cover?.color ?? "missing")"
}
// snippet.end

// snippet.creating
private func create() async throws(ResourceError) -> String {
    let book = try await Book.find(1)
    let review = try await book.reviews.create(["text": "Well said"])
    return "review \(review.id ?? 0) of book \(review.resource.prefixOptions["book_id"] ?? "")"
}
// snippet.end

// snippet.registry
private func writerNames() async throws(ResourceError) -> String {
    _ = try await Writer.all().records
    var names: [String] = []
    for book in try await Book.all().records { names.append(try await book.writer.record?.name ?? "unknown") }
    return "the writers of the books: \(names)"
}
// snippet.end

// snippet.methods
private func reprint() async throws(ResourceError) -> String {
    let bestsellers: [Book] = try await Book.get("bestsellers", ["limit": 1])
    for book in bestsellers { try await book.put("reprint", ["at": "noon"]) }
    return "reprinted: \(bestsellers.map(\.title))"
}
// snippet.end

private let service = server?.url ?? URL(filePath: "/")

private let server = try? LoopbackServer { request in
    let call = "\(request.method) \(request.target)"
    showRequest(call, try request.body())
    let body: String? =
        switch call {
        case "GET /books/1.json": #"{"id": 1, "title": "Kettles", "writer_id": 7}"#
        case "GET /books/1/reviews.json": #"[{"id": 3, "text": "Hm"}, {"id": 4, "text": "Oh"}]"#
        case "GET /books/1/cover.json": #"{"color": "blue"}"#
        case "POST /books/1/reviews.json": #"{"id": 5, "text": "Well said"}"#
        case "GET /writers.json": #"[{"id": 7, "name": "Ann"}, {"id": 8, "name": "Bo"}]"#
        case "GET /books.json": #"[{"id": 1, "writer_id": 7}, {"id": 2, "writer_id": 8}]"#
        case "GET /books/bestsellers.json?limit=1": #"[{"id": 9, "title": "Cups"}]"#
        case "PUT /books/9/reprint.json?at=noon": ""
        default: nil
        }
    return body.map { Answer(request.method == "POST" ? 201 : 200, body: $0.utf8) }
}
