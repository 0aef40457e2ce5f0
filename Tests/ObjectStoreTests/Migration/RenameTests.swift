import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Names that changed, by the former names of the model.
@Suite struct `Renamed entities, attributes and relationships` {
    private static let old = [
        EntityDescription(
            "Job", [.string("title"), .integer("ownerKey")],
            [
                RelationshipDescription("owner", to: "Person", inverse: "jobs", by: ["ownerKey"]),
                RelationshipDescription("tags", to: "Tag", isToMany: true, isOrdered: true, inverse: "jobs"),
            ]),
        EntityDescription(
            "Person", [.string("name")],
            [RelationshipDescription("jobs", to: "Job", isToMany: true, isOrdered: true, inverse: "owner")]),
        EntityDescription("Tag", [], [RelationshipDescription("jobs", to: "Job", isToMany: true, inverse: "tags")]),
    ]

    private static let new = [
        EntityDescription(
            "Task", [.string("name", was: "title"), .integer("assigneeKey", was: "ownerKey")],
            [
                RelationshipDescription(
                    "assignee", to: "User", inverse: "tasks", by: ["assigneeKey"], formerNames: ["owner"]),
                RelationshipDescription(
                    "labels", to: "Tag", isToMany: true, isOrdered: true, inverse: "tasks", formerNames: ["tags"]),
            ], was: ["Job"]),
        EntityDescription(
            "User", [.string("name")],
            [
                RelationshipDescription(
                    "tasks", to: "Task", isToMany: true, isOrdered: true, inverse: "assignee", formerNames: ["jobs"])
            ], was: ["Person"]),
        EntityDescription(
            "Tag", [],
            [RelationshipDescription("tasks", to: "Task", isToMany: true, inverse: "labels", formerNames: ["jobs"])]),
    ]

    private func file() throws -> MigratedFile {
        try MigratedFile(
            Self.old,
            """
            INSERT INTO "Person" VALUES(1, 7, 'Ann');
            INSERT INTO "Tag" VALUES(1, 1), (2, 2);
            INSERT INTO "Job" VALUES(1, 1, 'Paint', 7, 1), (2, 2, 'Sweep', 8, NULL);
            INSERT INTO "Person_jobs" VALUES(1, 1, 0);
            INSERT INTO "Job_tags" VALUES(1, 2, 0), (1, 1, 1);
            INSERT INTO "_mappingkit_pending" VALUES('Job', 2, 'owner', '[8]');
            INSERT INTO "_mappingkit" VALUES('rows.Job', 5);
            CREATE TABLE "_mappingkit_unsent"("entity" TEXT, "row" INTEGER, "property" TEXT, "previous",
                PRIMARY KEY("entity", "row", "property")) WITHOUT ROWID;
            INSERT INTO "_mappingkit_unsent" VALUES('Job', 1, 'title', 'Print'), ('Job', 1, 'owner', NULL);
            CREATE TABLE "_mappingkit_saves"("key" TEXT PRIMARY KEY, "save" TEXT, "process" INTEGER, "operation" TEXT,
                "entity" TEXT, "row" INTEGER, "progress" TEXT, "values" TEXT, "targets" TEXT, "saved" INTEGER) WITHOUT ROWID;
            INSERT INTO "_mappingkit_saves" VALUES('k', 's', 1, 'update', 'Job', 1, 'waiting', '{"title":"x"}', '{"owner":1}', NULL);
            CREATE TABLE "_mappingkit_loads"("request");
            """)
    }

    @Test func `keep their values, links and what the store has recorded about them`() throws {
        let file = try file()
        let store = try file.migrate(to: Self.new)
        #expect(try store.text("SELECT id, name, assigneeKey, assignee FROM Task") == "1,Paint,7,1;2,Sweep,8,NULL")
        #expect(try store.text("SELECT * FROM User_tasks") == "1,1,0")
        #expect(try store.text("SELECT * FROM Task_labels ORDER BY position") == "1,2,0;1,1,1")
        #expect(try store.text("SELECT * FROM _mappingkit_pending") == "Task,2,assignee,[8]")
        #expect(
            try store.text("SELECT * FROM _mappingkit_unsent") == "Task,1,assignee,NULL;Task,1,name,Print")
        #expect(try store.text("SELECT key FROM _mappingkit WHERE key LIKE 'rows.%'") == "rows.Task")
        #expect(
            try store.text(#"SELECT "entity", "values", "targets" FROM _mappingkit_saves"#)
                == #"Task,{"name":"x"},{"assignee":1}"#)
        #expect(try store.text("SELECT count(*) FROM sqlite_schema WHERE name = '_mappingkit_loads'") == "0")
        store.close()
        try file.expectComplete(Self.new)
    }

    @Test func `are renamed once`() throws {
        let file = try file()
        try file.migrate(to: Self.new).close()
        let content = try file.content()
        try file.migrate(to: Self.new).close()
        #expect(try file.content() == content)
    }

    @Test func `can have the names of several versions`() throws {
        let new = [EntityDescription("Note", [.string("text", was: "body", "content")], was: ["Memo", "Scrap"])]
        for (entity, attribute) in [("Scrap", "content"), ("Memo", "body"), ("Note", "text"), ("Scrap", "text")] {
            let file = try MigratedFile(
                [EntityDescription(entity, [.string(attribute)])], "INSERT INTO \"\(entity)\" VALUES(1, 1, 'x')")
            #expect(try file.migrate(to: new).text("SELECT text FROM Note") == "x")
            try file.expectComplete(new)
        }
    }

    @Test func `can take names that other attributes had`() throws {
        let file = try MigratedFile(
            [EntityDescription("Note", [.string("b"), .string("c")]), EntityDescription("Old")],
            "INSERT INTO \"Note\" VALUES(1, 1, 'b', 'c'); INSERT INTO \"_mappingkit_pending\" VALUES('Note', 1, 'x', '[]')"
        )
        let new = [
            EntityDescription("Paper", [.string("a", was: "b"), .string("b", was: "c")], was: ["Note"]),
            EntityDescription("Note", was: ["Old"]),
        ]
        let store = try file.migrate(to: new)
        #expect(try store.text("SELECT a, b FROM Paper") == "b,c")
        #expect(try store.text("SELECT entity FROM _mappingkit_pending") == "Paper")
        store.close()
        try file.expectComplete(new)
        #expect(try file.migrate(to: new).text("SELECT a, b FROM Paper") == "b,c")
    }

    @Test func `that differ in case only need no former name`() throws {
        let file = try MigratedFile(
            [EntityDescription("note", [.string("Text")])], "INSERT INTO \"note\" VALUES(1, 1, 'x')")
        let new = [EntityDescription("Note", [.string("text")])]
        #expect(try file.migrate(to: new).text("SELECT text FROM Note") == "x")
        try file.expectComplete(new)
    }

    @Test(arguments: [("title", "Title"), ("Title", "title")])
    func `are found by former names that differ in case`(stored: String, former: String) throws {
        let file = try MigratedFile(
            [EntityDescription(stored, [.string(stored)], [RelationshipDescription("Next", to: stored)])],
            "INSERT INTO \"\(stored)\" VALUES(1, 1, 'x', 1)")
        let new = [
            EntityDescription(
                "Note", [.string("text", was: former)],
                [RelationshipDescription("following", to: "Note", formerNames: ["next"])], was: [former])
        ]
        #expect(try file.migrate(to: new).text("SELECT text, following FROM Note") == "x,1")
        try file.expectComplete(new)
    }

    @Test func `prefer the former name in the same case`() throws {
        let file = try MigratedFile(
            [EntityDescription("Note", [.string("title")])], "INSERT INTO \"Note\" VALUES(1, 1, 'x')")
        let new = [EntityDescription("Note", [.string("text", was: "Title", "title", "TITLE")])]
        #expect(try file.migrate(to: new).text("SELECT text FROM Note") == "x")
    }

    @Test func `of unique attributes rename the keys of unresolved connections`() throws {
        func entities(_ name: String, was: String...) -> [EntityDescription] {
            var sku = AttributeDescription.string(name)
            (sku.isUnique, sku.formerNames) = (true, was)
            return [
                EntityDescription(
                    "Line", [.string("key")],
                    [RelationshipDescription("product", to: "Product", by: ["key"], matching: [name])]),
                EntityDescription("Product", [sku]),
            ]
        }
        let file = try MigratedFile(
            entities("sku"),
            #"INSERT INTO "_mappingkit_pending" VALUES('Line', 1, 'product', '{"sku":"a\"b"}')"#)
        let store = try file.migrate(to: entities("code", was: "sku"))
        #expect(try store.text("SELECT key FROM _mappingkit_pending") == #"{"code":"a\"b"}"#)
    }

    struct Conflict: CustomTestStringConvertible {
        let attributes: [AttributeDescription]
        let text: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Conflict(
            attributes: [.string("a", was: "b"), .string("b", was: "a")],
            text: "in 'Note', the former names of 'a', 'b' form a cycle"),
        Conflict(
            attributes: [.string("A", was: "b"), .string("B", was: "a")],
            text: "in 'Note', the former names of 'A', 'B' form a cycle"),
        Conflict(
            attributes: [.string("A", was: "B")], text: "in 'Note', 'a' and 'b' of the file would both become 'A'"),
        Conflict(
            attributes: [.string("x", was: "a"), .string("y", was: "a"), .string("b")],
            text: "in 'Note', 'a' of the file would become both 'x' and 'y'"),
        Conflict(
            attributes: [.string("x", was: "a", "b")],
            text: "in 'Note', 'a' and 'b' of the file would both become 'x'"),
        Conflict(
            attributes: [.string("a", was: "b")], text: "in 'Note', 'a' and 'b' of the file would both become 'a'"),
        Conflict(
            attributes: [.string("a"), .string("b"), .string("c", was: "b")],
            text: "in 'Note', 'b' of the file would become both 'b' and 'c'"),
    ])
    func `that conflict are refused by name`(_ conflict: Conflict) throws {
        let file = try MigratedFile(
            [EntityDescription("Note", [.string("a"), .string("b")])], "INSERT INTO \"Note\" VALUES(1, 1, 'a', 'b')")
        let error = try file.refusal(of: [EntityDescription("Note", conflict.attributes)])
        #expect(error?.kind == .modelMismatch)
        #expect(error?.message.contains(conflict.text) == true, "\(error?.message ?? "")")
    }
}
