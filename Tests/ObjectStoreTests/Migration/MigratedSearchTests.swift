import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// The search indexes of files that are migrated.
@Suite struct `Migrated search indexes` {
    private static func entities(_ change: (inout EntityDescription) -> Void = { _ in }) -> [EntityDescription] {
        var note = EntityDescription(
            "Note",
            [
                AttributeDescription("title", AttributeType(.string), isSearchable: true), .integer("stars"),
                AttributeDescription("body", AttributeType(.string)),
            ])
        change(&note)
        let page = EntityDescription(
            "Page", [AttributeDescription("text", AttributeType(.string), isSearchable: true)])
        return [note, page]
    }

    private func file() throws -> MigratedFile {
        // What only a rebuilt index does not have.
        let marks = ["Note": "title", "Page": "text"].map {
            "INSERT INTO \"_mappingkit_\($0)_search\"(rowid, \"\($1)\") VALUES(99, 'mark')"
        }
        return try MigratedFile(
            Self.entities(),
            "INSERT INTO Note VALUES(1, 1, 'roof', 1, 'x'), (2, 2, 'gate', 2, 'y'); INSERT INTO Page VALUES(1, 1, 'roof')",
            marks.joined(separator: ";"))
    }

    private func isRebuilt(_ entity: String, _ store: ManagedObjectStore) throws -> Bool {
        try store.text("SELECT rowid FROM \"_mappingkit_\(entity)_search\" WHERE rowid = 99").isEmpty
    }

    struct Change: CustomTestStringConvertible {
        let name: String
        let isRebuilt: Bool
        let change: @Sendable (inout EntityDescription) -> Void
        var step: MigrationStep?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Change(name: "an added attribute", isRebuilt: false) { $0.attributes.append(.string("more")) },
        Change(name: "a converted attribute", isRebuilt: false) { $0.attributes[2].type = AttributeType(.double) },
        Change(name: "a removed attribute", isRebuilt: false) { $0.attributes.remove(at: 2) },
        Change(name: "an index", isRebuilt: false) { $0.attributes[2].isIndexed = true },
        Change(name: "a renamed attribute", isRebuilt: false) {
            ($0.attributes[2].name, $0.attributes[2].formerNames) = ("points", ["stars"])
        },
        Change(name: "a renamed text", isRebuilt: true) {
            ($0.attributes[1].name, $0.attributes[1].formerNames) = ("name", ["title"])
        },
        Change(name: "another searchable text", isRebuilt: true) { $0.attributes[3].isSearchable = true },
        Change(name: "a renamed entity", isRebuilt: true) { ($0.name, $0.formerNames) = ("Memo", ["Note"]) },
        Change(
            name: "a step", isRebuilt: true, change: { _ in },
            step: MigrationStep("x", sql: "UPDATE Note SET title = title WHERE id = 1")),
        Change(
            name: "a step for another entity", isRebuilt: false, change: { _ in },
            step: MigrationStep("x", sql: "UPDATE Page SET text = text")),
    ]) func `are built again only for changed texts`(_ change: Change) throws {
        let file = try file()
        let entities = Self.entities(change.change)
        let store = try file.migrate(to: entities, steps: change.step.map { [$0] } ?? [])
        let name = entities[0].name
        #expect(try isRebuilt(name, store) == change.isRebuilt)
        #expect(try isRebuilt("Page", store) == (change.step != nil && !change.isRebuilt))
        // The triggers are complete.
        let column = entities[0].attributes[1].name
        try store.write(sql: "UPDATE \(name) SET \(column) = 'door' WHERE id = 2")
        try store.write(sql: "INSERT INTO \(name)(id, \(column)) VALUES(3, 'wall')")
        let found = "SELECT rowid FROM \"_mappingkit_\(name)_search\" WHERE \"_mappingkit_\(name)_search\" MATCH "
        #expect(try store.text(found + "'door OR roof OR wall OR gate'") == "1;2;3")
        store.close()
        // Without the marks, both are equal to those of a new file.
        let last = try ManagedObjectStore(at: file.url, model: ObjectModel(entities: entities))
        try MigratedFile.expectComplete(last, entities)
    }

    @Test func `that were incomplete are built again`() throws {
        let file = try file()
        let database = try SQLiteDatabase(path: file.url.path, mode: .readWrite)
        try database.execute(
            "DROP TRIGGER \"_mappingkit_search_update_Note\"; UPDATE Note SET title = 'door' WHERE id = 1")
        database.close()
        let store = try file.migrate(to: Self.entities { $0.attributes.append(.string("more")) })
        #expect(try isRebuilt("Note", store) && !isRebuilt("Page", store))
        #expect(
            try store.text("SELECT rowid FROM _mappingkit_Note_search WHERE _mappingkit_Note_search MATCH 'door'")
                == "1")
    }
}
