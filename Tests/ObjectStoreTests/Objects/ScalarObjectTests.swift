import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Tag: ManagedObject, Mappable {
    @Stored(.identity) var name = ""
    @Stored var color: String? = nil
    @ToMany(inverse: \Post.tags) var posts: [Post]
    static let mapping = Mapping(Tag.self) { Attribute(.value, \.name) }
    static let detailed = Mapping(Tag.self) {
        Attribute("name", \.name)
        Attribute("color", \.color)
    }
}

private final class Post: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @ToMany(isOrdered: true) var tags: [Tag]
    static let mapping = Mapping(Post.self) {
        Attribute("id", \.id)
        Relationship("tags", \.tags)
    }
}

/// Objects of a store that are scalars in the payload, `"tags": ["a"]`, with the scalar as identity.
@Suite struct ScalarObjectTests {
    let store: ManagedObjectStore

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Post.self, Tag.self))
        let context = ObjectContext(store)
        _ = try context.map(#"[{"name": "b", "color": "red"}]"#, with: Tag.detailed) as [Tag]
        try context.save()
    }

    private static let payload = #"[{"id": 1, "tags": ["a", "b", "a"]}, {"id": 2, "tags": ["b"]}]"#

    private func rows() throws -> [String] {
        try store.rows(
            sql: """
                SELECT p.id, t.name, t.color FROM Post p JOIN Post_tags ON owner = p._id JOIN Tag t ON t._id = target
                ORDER BY p.id, position
                """
        ).map { $0.values.map(\.description).joined(separator: " ") }
    }

    private static let expected = ["1 'a' NULL", "1 'b' 'red'", "2 'b' 'red'"]

    @Test func `A payload finds and creates the objects`() throws {
        let context = ObjectContext(store)
        let known = try #require(try context.find(Tag.self, "b") as Tag?)
        let posts = try context.map(Self.payload, with: Post.mapping) as [Post]
        #expect(posts[1].tags.first === known && posts[0].tags.last === known)
        try context.save()
        #expect(try rows() == Self.expected)
        #expect(try store.rows(sql: "SELECT name FROM Tag ORDER BY name").count == 2)
    }

    @Test func `An import finds and creates the objects`() async throws {
        for _ in 1...2 {
            let report = try await store.importJSON(Data(Self.payload.utf8), with: Post.mapping)
            #expect(try rows() == Self.expected, "\(report)")
        }
        _ = try await store.importJSON(Data(#"["c", "b"]"#.utf8), with: Tag.mapping)
        #expect(try store.rows(sql: "SELECT name FROM Tag ORDER BY name").count == 3)
    }
}
