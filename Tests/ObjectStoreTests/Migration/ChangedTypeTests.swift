import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Attributes whose types, identity or optionality changed.
@Suite struct `Changed attributes` {
    struct Widening: CustomTestStringConvertible {
        let old: String
        let new: String
        let value: String
        let result: String
        var testDescription: String { "\(old) to \(new)" }
    }

    private static func entity(
        _ type: String, isOptional: Bool = true, defaultValue: JSON? = nil, isUnique: Bool = false
    ) throws -> [EntityDescription] {
        let type = try #require(AttributeType(type))
        return [
            EntityDescription(
                "Note",
                [
                    AttributeDescription(
                        "value", type, isOptional: isOptional, defaultValue: defaultValue, isUnique: isUnique)
                ])
        ]
    }

    @Test(arguments: [
        Widening(old: "integer", new: "double", value: "9007199254740992", result: "real,9007199254740992.0"),
        Widening(old: "integer", new: "decimal", value: "-9223372036854775807", result: "text,-9223372036854775807"),
        Widening(old: "integer", new: "string", value: "12", result: "text,12"),
        Widening(old: "boolean", new: "integer", value: "1", result: "integer,1"),
        Widening(
            old: "date", new: "string", value: "'2026-11-21T07:23:00.000Z'", result: "text,2026-11-21T07:23:00.000Z"),
        Widening(old: "uuid", new: "string", value: "'x'", result: "text,x"),
        Widening(old: "decimal", new: "string", value: "'1.50'", result: "text,1.50"),
        Widening(old: "string", new: "json", value: "'a\"b'", result: #"text,"a\"b""#),
        Widening(old: "boolean", new: "json", value: "0", result: "text,false"),
        Widening(old: "integer", new: "[integer]", value: "5", result: "text,[5]"),
        Widening(old: "string", new: "[string]", value: "'a\"'", result: #"text,["a\""]"#),
        Widening(old: "[date]", new: "[string]", value: "'[]'", result: "text,[]"),
        Widening(old: "[string]", new: "json", value: "'[]'", result: "text,[]"),
    ])
    func `to a wider type are converted`(_ widening: Widening) throws {
        let file = try MigratedFile(
            Self.entity(widening.old), "INSERT INTO \"Note\" VALUES(1, 1, \(widening.value)), (2, 2, NULL)")
        let new = try Self.entity(widening.new)
        let store = try file.migrate(to: new)
        #expect(try store.text("SELECT typeof(value), value FROM Note") == "\(widening.result);null,NULL")
        store.close()
        try file.expectComplete(new)
    }

    @Test(arguments: [
        ("string", "integer"), ("double", "integer"), ("double", "string"), ("json", "string"), ("data", "string"),
        ("[string]", "string"), ("[string]", "[integer]"), ("integer", "boolean"), ("string", "date"),
    ])
    func `to a narrower type are refused by name`(_ old: String, _ new: String) throws {
        let file = try MigratedFile(Self.entity(old), "INSERT INTO \"Note\" VALUES(1, 1, NULL)")
        let error = try file.refusal(of: Self.entity(new))
        #expect(error?.kind == .modelMismatch)
        #expect(
            error?.message.hasSuffix(
                "'Note.value' is \(old) in the file and \(new) in the class (values cannot be converted without loss)")
                == true)
        #expect(error?.advice?.hasSuffix("A MigrationStep can provide 'Note.value'") == true)
    }

    @Test func `are refused if a value would lose digits`() throws {
        let file = try MigratedFile(
            Self.entity("integer"), "INSERT INTO \"Note\" VALUES(1, 1, 9007199254740993), (2, 2, -9007199254740994)")
        let error = try file.refusal(of: Self.entity("double"))
        #expect(error?.kind == .modelMismatch)
        #expect(error?.message.contains("2 values of 'Note.value' cannot be converted") == true)
    }

    @Test func `keep values that other programs have written`() throws {
        let file = try MigratedFile(Self.entity("integer"), "INSERT INTO \"Note\" VALUES(1, 1, 'many'), (2, 2, x'00')")
        let store = try file.migrate(to: Self.entity("string"))
        #expect(try store.text("SELECT typeof(value) FROM Note") == "text;blob")
    }

    @Test func `that become required get the default in place of NULL`() throws {
        let file = try MigratedFile(Self.entity("string"), "INSERT INTO \"Note\" VALUES(1, 1, NULL), (2, 2, 'x')")
        let new = try Self.entity("string", isOptional: false, defaultValue: .string("none"))
        let store = try file.migrate(to: new)
        #expect(try store.text("SELECT value FROM Note") == "none;x")
        #expect(store.model.entities[0].attributes[1].isOptional == false)
        store.close()
        try file.expectComplete(new)
        let optional = try file.migrate(to: Self.entity("string"))
        #expect(try optional.text("SELECT value FROM Note") == "none;x")
    }

    @Test func `keep the values of rows and indexes of other programs when their table is written again`() throws {
        let file = try MigratedFile(
            Self.entity("integer"), "INSERT INTO \"Note\" VALUES(3, 1, 5)",
            """
            CREATE INDEX "other" ON "Note"("value");
            CREATE TABLE "log"("text");
            CREATE TRIGGER "logged" AFTER DELETE ON "Note" BEGIN INSERT INTO "log" VALUES(old."value"); END;
            CREATE VIEW "all" AS SELECT "value" FROM "Note";
            """)
        let store = try file.migrate(to: Self.entity("string"))
        #expect(try store.text("SELECT _id, value FROM \"all\", (SELECT _id FROM Note)") == "3,5")
        try store.write(sql: "DELETE FROM Note")
        #expect(try store.text("SELECT * FROM log") == "5")
        #expect(try store.text("SELECT count(*) FROM sqlite_schema WHERE name = 'other'") == "1")
    }

    // MARK: Identity

    private static func identified(by names: [String]) -> [EntityDescription] {
        var entity = EntityDescription("Note", [.string("code")])
        entity.identity = names
        return [
            entity,
            EntityDescription("Page", [.integer("noteID")], [RelationshipDescription("note", to: "Note")]),
        ]
    }

    @Test(arguments: [["code"], ["code", "id"], []]) func `that identify objects can be changed`(_ names: [String])
        throws
    {
        let file = try MigratedFile(
            Self.identified(by: ["id"]),
            """
            INSERT INTO "Note" VALUES(1, 1, 'a'), (2, 2, 'b'), (3, 3, NULL), (4, 4, NULL);
            INSERT INTO "_mappingkit_pending" VALUES('Page', 1, 'note', '[7]');
            """)
        let store = try file.migrate(to: Self.identified(by: names))
        #expect(try store.text("SELECT count(*) FROM _mappingkit_pending") == "0")
        store.close()
        try file.expectComplete(Self.identified(by: names))
    }

    @Test func `that identify objects are refused if they have equal values`() async throws {
        let file = try MigratedFile(
            Self.identified(by: ["id"]), "INSERT INTO \"Note\" VALUES(1, 1, 'a'), (2, 2, 'a'), (3, 3, 'c')")
        let new = Self.identified(by: ["code"])
        let error = try file.refusal(of: new)
        #expect(error?.kind == .modelMismatch && error?.entity == "Note")
        let text =
            "2 rows of 'Note' in '\(file.url.path)' have the same value of 'code' as another row, which the classes declare as identity"
        #expect(error?.message == text)
        let plan = try await ManagedObjectStore.migrationPlan(at: file.url, model: ObjectModel(entities: new))
        #expect(plan.problems == [text] && !plan.isPossible)
    }

    @Test func `of a key convert the keys of unresolved connections`() throws {
        func entities(_ type: String) throws -> [EntityDescription] {
            let type = try #require(AttributeType(type))
            var target = EntityDescription("Note")
            target.attributes[0].type = type
            let key = AttributeDescription("noteID", type)
            return [
                target, EntityDescription("Page", [key], [RelationshipDescription("note", to: "Note", by: ["noteID"])]),
            ]
        }
        let file = try MigratedFile(
            entities("integer"), #"INSERT INTO "_mappingkit_pending" VALUES('Page', 1, 'note', '[7]')"#)
        let store = try file.migrate(to: entities("string"))
        #expect(try store.text("SELECT key FROM _mappingkit_pending") == #"["7"]"#)
    }
}
