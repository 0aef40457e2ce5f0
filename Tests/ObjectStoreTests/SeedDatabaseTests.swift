import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Reading a seed` {
    private func store() throws -> TestStore {
        let store = try TestStore(
            EntityDescription(
                "Person", identifiedBy: ["id"],
                attributes: [
                    AttributeDescription("id", AttributeType(.integer)),
                    AttributeDescription("name", AttributeType(.string)),
                    AttributeDescription("height", AttributeType(.double)),
                ]), EntityDescription("Place", attributes: []))
        try store.build([
            TestObject("Person", ["id": 2, "name": "Bo", "height": 1.75]),
            TestObject("Person", ["id": 1, "name": nil]),
            TestObject("Person", ["id": 3, "name": "Al"]),
        ])
        return store
    }

    @Test func `entities, counts, rows and values are read`() throws {
        let seed = try store().seed()
        #expect(seed.entities == ["Person", "Place"])
        #expect(try seed.count(of: "Person") == 3)
        #expect(try seed.count(of: "Place") == 0)
        let rows = try seed.rows(of: "Person", limit: 2)
        #expect(rows.map { $0["name"] } == [.text("Bo"), .null])
        #expect(rows.first?.columns == ["_id", "id", "name", "height"])
        #expect(rows.first?.values == [1, 2, "Bo", 1.75])
        #expect(rows.first?["nothing"] == nil)
        #expect(try seed.rows(of: "Person").count == 3)
        #expect(try seed.rows(of: "Person", limit: 0).isEmpty)
        #expect(try seed.value(sql: "SELECT name FROM Person WHERE id = ?", arguments: [3]) == "Al")
        #expect(try seed.value(sql: "SELECT name FROM Person WHERE id = 99") == nil)
        #expect(
            try seed.rows(sql: "SELECT id AS n FROM Person WHERE id > ?", arguments: [1]).map { $0["n"] } == [2, 3])
    }

    @Test func `an unknown entity is an error with the nearest name`() throws {
        let seed = try store().seed()
        let error = #expect(throws: StoreError.self) { try seed.count(of: "Persn") }
        #expect(error?.kind == .unknownEntity)
        #expect(error?.description == "unknown entity 'Persn'; did you mean 'Person'?")
        #expect(throws: StoreError.self) { try seed.rows(of: "person; DROP") }
    }

    @Test(arguments: [
        ("SELEC 1", #"near "SELEC": syntax error (SQLite code 1) in: SELEC 1"#),
        ("SELECT 1; SELECT 2", "more than one statement in: SELECT 1; SELECT 2"),
        ("", "the SQL text contains no statement in: "), ("SELECT ?", "expected 1 arguments, got 0 in: SELECT ?"),
        ("SELECT 1\0", "a statement contains NUL"),
    ])
    func `a wrong statement is an error`(sql: String, message: String) throws {
        let seed = try store().seed()
        let error = #expect(throws: StoreError.self) { try seed.value(sql: sql) }
        #expect(error?.description == message)
    }

    @Test func `queries write nothing`() throws {
        let store = try store()
        let before = try Data(contentsOf: store.url())
        let seed = try store.seed()
        let error = #expect(throws: StoreError.self) { try seed.value(sql: "DELETE FROM Person") }
        #expect(error?.kind == .misuse)
        #expect(try Data(contentsOf: store.url()) == before)
    }

    @Test func `files of other programs are refused by name`() throws {
        let store = try store()
        let missing = #expect(throws: StoreError.self) { try store.seed("missing.sqlite") }
        #expect(missing?.kind == .cannotOpen)
        #expect(missing?.message == "there is no file '\(store.url("missing.sqlite").path)'")

        try Data("This is a text, longer than the header of a database would be, which has a hundred bytes or so.".utf8)
            .write(to: store.url("text.sqlite"))
        #expect(throws: StoreError.self) { try store.seed("text.sqlite") }
        try Data().write(to: store.url("empty.sqlite"))
        let empty = #expect(throws: StoreError.self) { try store.seed("empty.sqlite") }
        #expect(empty?.kind == .foreign)
        #expect(empty?.message == "'\(store.url("empty.sqlite").path)' is empty: it has no database")

        try SQLiteDatabase(path: store.url("other.sqlite").path, mode: .create).execute("CREATE TABLE t(a)")
        let other = #expect(throws: StoreError.self) { try store.seed("other.sqlite") }
        #expect(other?.kind == .foreign)
        #expect(
            other?.message
                == "'\(store.url("other.sqlite").path)' was not created by MappingKit (its application_id is 0)"
        )

        var header = try Data(contentsOf: store.url())
        header[16] = 0x12
        try header.write(to: store.url("damaged.sqlite"))
        let damaged = #expect(throws: StoreError.self) { try store.seed("damaged.sqlite") }
        #expect(damaged?.kind == .corrupt)

        try SQLiteDatabase(path: store.url().path, mode: .readWrite).execute("PRAGMA user_version = 3")
        let newer = #expect(throws: StoreError.self) { try store.seed() }
        #expect(newer?.kind == .newerFormat)
        #expect(
            newer?.message == "unsupported format 3 of '\(store.url().path)'; this version of MappingKit "
                + "reads up to 2")
    }

    @Test func `a model that cannot be read is named`() throws {
        let store = try store()
        try SQLiteDatabase(path: store.url().path, mode: .readWrite).execute(
            "UPDATE _mappingkit SET value = '{\"Person\":1}' WHERE key = 'model'")
        let error = #expect(throws: StoreError.self) { try store.seed() }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.hasSuffix("cannot be read: $.Person: expected an object, found a number") == true)
    }
}
