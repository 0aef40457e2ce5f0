import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private enum Kind: String, JSONConvertible { case plain, special }

private final class Poll: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var title = "none"
    @Stored var votes = 3
    @Stored var isOpen = true
    @Stored var kind = Kind.plain
    @Stored var tags = ["a"]
    @Stored var token = UUID()
    @Stored var note: String? = "x"

    static let mapping = Mapping(Poll.self) {
        Attribute("id", \.number)
        Attribute("title", \.title)
        Attribute("votes", \.votes)
        Attribute("open", \.isOpen)
        Attribute("kind", \.kind)
        Attribute("tags", \.tags)
        Attribute("token", \.token)
        Attribute("note", \.note)
    }
}

/// Null in a payload, for a property that cannot be `nil`.
@Suite struct `Imported null` {
    private static let null =
        #"{"id":1,"title":null,"votes":null,"open":null,"kind":null,"tags":null,"token":null,"note":null}"#
    private static let set =
        #"{"id":1,"title":"t","votes":9,"open":false,"kind":"special","tags":[],"token":null,"note":"n"}"#
    private static let columns =
        #"SELECT title, votes, "isOpen", kind, tags, note, token IS NULL AS missing FROM "Poll""#

    private func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: ObjectModel(Poll.self)) }

    private func row(of store: ManagedObjectStore) throws -> [StoredValue] {
        try #require(try store.rows(sql: Self.columns).first).values
    }

    @Test(arguments: [[null], [set, null]]) func `stores the default, as a save does`(_ payloads: [String]) async throws
    {
        let (imported, saved) = (try store(), try store())
        for payload in payloads {
            _ = try await imported.importJSON(Data(payload.utf8), with: Poll.mapping)
            try await saved.perform { context in
                _ = try context.map(payload, with: Poll.mapping)
                try context.save()
            }
        }
        #expect(try row(of: imported) == (try row(of: saved)))
        #expect(try row(of: imported)[0] == .text("none"))
        let counts = try await imported.perform { context in
            try context.aggregate(Poll.where { $0.title == "none" && $0.isOpen && $0.tags.contains("a") }) {
                ($0.rowCount(), $0.votes.sum())
            }
        }
        #expect(counts == (1, 3))
    }

    @Test func `is equal to a stored default`() async throws {
        let store = try store()
        let payload = Data(#"{"id":1,"title":null,"votes":null}"#.utf8)
        #expect(try await store.importJSON(payload, with: Poll.mapping).inserted == 1)
        #expect(try await store.importJSON(payload, with: Poll.mapping).unchanged == 1)
    }

    @Test func `stores a new value for a default that differs from object to object`() async throws {
        let store = try store()
        let payload = Data(#"{"id":1,"token":null}"#.utf8)
        _ = try await store.importJSON(payload, with: Poll.mapping)
        let first = try store.rows(sql: #"SELECT token FROM "Poll""#).first?["token"]?.text
        #expect(try await store.importJSON(payload, with: Poll.mapping).updated == 1)
        let second = try store.rows(sql: #"SELECT token FROM "Poll""#).first?["token"]?.text
        #expect(first != nil && second != nil && first != second)
    }
}
