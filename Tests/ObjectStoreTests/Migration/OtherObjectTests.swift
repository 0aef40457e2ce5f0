import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Tables whose names change their kind, and what other programs have added to a file.
@Suite struct `Migrated schemas` {
    private static let tags = RelationshipDescription("tags", to: "Tag", isToMany: true)
    private static let note = EntityDescription("Note", [.string("title"), .string("body")], [tags])
    private static let plain = EntityDescription("Note", [.string("title"), .string("body")])
    private static let old = [note, EntityDescription("Tag")]
    private static let rows = """
        INSERT INTO Note VALUES(1, 1, 'a', 'b'), (2, 2, 'c', 'd'); INSERT INTO Tag VALUES(1, 1), (2, 2);
        INSERT INTO Note_tags VALUES(1, 2, 0), (2, 1, 0)
        """

    struct Change: CustomTestStringConvertible {
        let name: String
        let new: [EntityDescription]
        let query: String
        let result: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Change(
            name: "links to a new entity", new: [plain, EntityDescription("Tag"), EntityDescription("Note_tags")],
            query: "SELECT count(*) FROM Note_tags", result: "0"),
        Change(
            name: "links to a renamed entity", new: [plain, EntityDescription("Note_tags", was: ["Tag"])],
            query: "SELECT _id, id FROM Note_tags", result: "1,1;2,2"),
        Change(
            name: "links to an entity in another case",
            new: [plain, EntityDescription("Tag"), EntityDescription("note_TAGS")],
            query: "SELECT count(*) FROM note_TAGS", result: "0"),
        Change(
            name: "links that become a column to an entity",
            new: [
                EntityDescription(
                    "Note", [.string("title"), .string("body")], [RelationshipDescription("tags", to: "Tag")]),
                EntityDescription("Tag"), EntityDescription("Note_tags"),
            ], query: "SELECT n.id, n.tags, (SELECT count(*) FROM Note_tags) FROM Note n", result: "1,2,0;2,1,0"),
    ]) func `keep their rows if a name changes its kind`(_ change: Change) async throws {
        let file = try MigratedFile(Self.old, Self.rows)
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: change.new))
        #expect(plan.isPossible)
        let store = try file.migrate(to: change.new)
        #expect(try store.text(change.query) == change.result)
        store.close()
        try file.expectComplete(change.new)
    }

    @Test func `turn an entity into a list, also in a file of a seed`() async throws {
        let old = [Self.plain, EntityDescription("Tag"), EntityDescription("Note_tags")]
        let file = try MigratedFile(
            old,
            "INSERT INTO Note_tags VALUES(1, 1); INSERT INTO Note VALUES(1, 1, 'a', 'b'); INSERT INTO Tag VALUES(1, 1)")
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let copy = file.folder.file("copy.sqlite")
        let store = try await ManagedObjectStore.open(
            at: copy, model: ObjectModel(entities: old), seed: file.url, options: options)
        try store.write(sql: "UPDATE Note_tags SET id = 2")
        store.close()
        let last = try ManagedObjectStore(at: copy, model: ObjectModel(entities: Self.old))
        #expect(try last.text("SELECT count(*) FROM Note_tags") == "0")
        #expect(try last.text("SELECT count(*) FROM _mappingkit_base") == "0")
        try last.write(sql: "INSERT INTO Note_tags VALUES(1, 1, 0)")
        #expect(try last.text(#"SELECT "table", row, v1 FROM _mappingkit_base"#) == "Note_tags,1,[]")
        last.close()
        // And back.
        options.modelVersion = 1
        let again = try ManagedObjectStore(at: copy, model: ObjectModel(entities: old), options: options)
        #expect(try again.text(#"SELECT count(*) FROM _mappingkit_base"#) == "0")
        #expect(try SeedDatabase(at: copy).damages() == [])
    }

    // MARK: Other programs

    private static let dropped = [EntityDescription("Note", [.string("title")], [tags]), EntityDescription("Tag")]
    private static let renamed = [
        EntityDescription("Memo", [.string("name", was: "title"), .string("body")], [tags], was: ["Note"]),
        EntityDescription("Tag"),
    ]
    private static let widened = [
        EntityDescription(
            "Note", [.string("title"), AttributeDescription("body", AttributeType(.json))], [tags]),
        EntityDescription("Tag"),
    ]
    private static let extended = [
        EntityDescription("Note", [.string("title"), .string("body"), .string("more")], [tags]),
        EntityDescription("Tag"), EntityDescription("Extra"),
    ]
    private static let view = "CREATE VIEW other AS SELECT title, body FROM Note"
    private static let index = "CREATE INDEX other ON Note(lower(body))"
    private static let trigger =
        "CREATE TABLE log(x); CREATE TRIGGER other AFTER UPDATE ON Note BEGIN INSERT INTO log VALUES(new.body); END"

    @Test(arguments: [renamed, widened, extended], [view, index, trigger])
    func `keep objects of other programs`(_ new: [EntityDescription], _ sql: String) async throws {
        let file = try MigratedFile(Self.old, Self.rows, sql)
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: new))
        #expect(plan.isPossible)
        let store = try file.migrate(to: new)
        #expect(try store.text("SELECT count(*) FROM sqlite_schema WHERE name = 'other'") == "1")
        #expect(try store.text("SELECT count(*) FROM \(new[0].name) WHERE body > ''") == "2")
    }

    @Test(arguments: [
        (dropped, view, "error in view other after drop column"), (dropped, index, "error in index other after drop"),
        (dropped, trigger, "error in trigger other after drop column"),
        (extended, "CREATE TABLE Extra(x)", #"table "Extra" already exists"#),
        (extended, "CREATE VIEW Extra AS SELECT 1", #"view "Extra" already exists"#),
        (extended, "ALTER TABLE Note ADD COLUMN more", #"duplicate column name: more, in: ALTER TABLE "Note""#),
        (renamed, "CREATE TABLE Memo(x)", "there is already another table or index with this name: Memo"),
        (renamed, "CREATE VIEW other AS SELECT * FROM Missing", "error in view other: no such table: main.Missing"),
    ]) func `are refused by name because of objects of other programs`(
        _ new: [EntityDescription], _ sql: String, _ text: String
    ) async throws {
        let file = try MigratedFile(Self.old, Self.rows, sql)
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: new))
        #expect(plan.problems.first?.hasPrefix(text) == true, "\(plan.problems)")
        let error = try file.refusal(
            of: new, steps: [MigrationStep("x") { _ in Testing.Issue.record("nothing may run") }])
        #expect(error?.kind == .modelMismatch && error?.message.contains(": \(text)") == true)
    }

    @Test func `the smallest integer is refused as a double`() throws {
        let old = [EntityDescription("Note", [.integer("size")])]
        let file = try MigratedFile(old, "INSERT INTO Note VALUES(1, 1, -9223372036854775808)")
        let error = try file.refusal(of: [
            EntityDescription("Note", [AttributeDescription("size", AttributeType(.double))])
        ])
        #expect(error?.kind == .modelMismatch && error?.message.contains("'Note.size' cannot be converted") == true)
    }
}
