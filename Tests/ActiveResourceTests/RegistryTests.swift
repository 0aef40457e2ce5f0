import ActiveResource
import LoopbackServer
import Testing

@Suite("Registered records")
struct RegistryTests {
    struct Author: RegisteredResource {
        static var site: ResourceSite { Service.site }
        static var registry: ResourceRegistry { RegistryTests.registry }
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Author.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }
    }

    struct Book: RegisteredResource {
        static var site: ResourceSite { Service.site }
        static var registry: ResourceRegistry { RegistryTests.registry }
        var id: Int?
        var authorID: Int?
        var resource = ResourceState()
        var author: BelongsTo<Author> { belongsTo(authorID) }
        static let mapping = Mapping(Book.init) {
            Attribute("id", \.id); Attribute("author_id", \.authorID)
        }
    }

    @TaskLocal static var registry = ResourceRegistry()

    @Test(arguments: [true, false])
    func `Foreign keys are resolved in any order of loading`(_ isAuthorFirst: Bool) async throws {
        let answers = [
            "GET /authors/1.json": Answer.json(#"{"id": 1, "name": "Ann"}"#),
            "GET /books.json": .json(#"[{"id": 5, "author_id": 1}, {"id": 6, "author_id": 2}]"#),
            "PUT /authors/1.json": .json(#"{"id": 1, "name": "An"}"#),
        ]
        try await Self.$registry.withValue(ResourceRegistry()) { () async throws in
            try await serving(answers) { (service) async throws in
                var author = Author()
                if isAuthorFirst { author = try await Author.find(1) }
                let books = try await Book.all().records
                if !isAuthorFirst { author = try await Author.find(1) }
                #expect(try await books[0].author.record?.name == "Ann")
                #expect(try await author.save())
                #expect(try await books[0].author.record?.name == "An")
                let registry = Self.registry
                #expect(registry.records(Book.self) { $0.authorID == author.id }.map(\.id) == [5])
                #expect(service.requests.count == 3)
                registry.remove(author)
                #expect(registry.record(Author.self, 1) == nil)
                _ = try await books[0].author.record
                #expect(service.requests.count == 4)
                registry.removeAll()
                #expect(registry.records(Book.self).isEmpty)
            }
        }
    }

    @Test func `Records that are destroyed or deleted leave the registry`() async throws {
        let answers = [
            "GET /authors.json": Answer.json(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#),
            "DELETE /authors/1.json": Answer(204),
            "DELETE /authors/2.json": Answer(204), "DELETE /authors/3.json": .json("{}", 500),
        ]
        try await Self.$registry.withValue(ResourceRegistry()) { () async throws in
            try await serving(answers) { (_) async throws in
                let authors = try await Author.all().records
                try await authors[0].destroy()
                try await Author.delete(2)
                // The service still has the record.
                await #expect(throws: ResourceError.self) { try await authors[2].destroy() }
                #expect(Self.registry.records(Author.self).map(\.id) == [3])
            }
        }
    }
}
