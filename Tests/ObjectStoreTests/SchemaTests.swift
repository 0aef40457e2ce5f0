import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `The file` {
    private let entities = [
        EntityDescription(
            "Project", identifiedBy: ["id"],
            attributes: [
                AttributeDescription("id", AttributeType(.integer)),
                AttributeDescription("done", AttributeType(.boolean)),
                AttributeDescription("cost", AttributeType(.double)),
                AttributeDescription("name", AttributeType(.string)),
                AttributeDescription("price", AttributeType(.decimal)),
                AttributeDescription("key", AttributeType(.uuid)),
                AttributeDescription("link", AttributeType(.url)), AttributeDescription("more", AttributeType(.json)),
                AttributeDescription("at", AttributeType(.date)), AttributeDescription("icon", AttributeType(.data)),
                AttributeDescription("sizes", AttributeType(.integer, isList: true)),
            ],
            relationships: [
                RelationshipDescription("owner", to: "User"),
                RelationshipDescription("tasks", to: "Task", isToMany: true, inverse: "project"),
                RelationshipDescription("members", to: "User", isToMany: true),
            ]),
        EntityDescription(
            "Task", identifiedBy: ["a", "b"],
            attributes: [
                AttributeDescription("a", AttributeType(.string)), AttributeDescription("b", AttributeType(.string)),
            ],
            relationships: [
                RelationshipDescription("project", to: "Project"),
                RelationshipDescription("parents", to: "Task", isToMany: true, inverse: "children"),
                RelationshipDescription("children", to: "Task", isToMany: true),
            ]),
        EntityDescription("User", attributes: []),
    ]

    @Test func `tables and indexes conform to the format`() throws {
        let schema = Schema(try ObjectModel(entities: entities))
        #expect(
            schema.tables == [
                #"CREATE TABLE "_mappingkit"("key" TEXT PRIMARY KEY, "value") WITHOUT ROWID"#,
                #"CREATE TABLE "_mappingkit_pending"("entity" TEXT, "row" INTEGER, "relationship" TEXT, "key" TEXT)"#,
                #"CREATE TABLE "Project"("_id" INTEGER PRIMARY KEY, "id" INTEGER, "done" INTEGER, "cost" REAL, "name" TEXT, "#
                    + #""price" TEXT, "key" TEXT, "link" TEXT, "more" TEXT, "at" TEXT, "icon" BLOB, "sizes" TEXT, "#
                    + #""owner" INTEGER REFERENCES "User"("_id"))"#,
                #"CREATE TABLE "Task"("_id" INTEGER PRIMARY KEY, "a" TEXT, "b" TEXT, "#
                    + #""project" INTEGER REFERENCES "Project"("_id"))"#,
                #"CREATE TABLE "User"("_id" INTEGER PRIMARY KEY)"#,
                #"CREATE TABLE "Project_members"("owner" INTEGER REFERENCES "Project"("_id"), "#
                    + #""target" INTEGER REFERENCES "User"("_id"), "position" INTEGER, PRIMARY KEY("owner", "target")) WITHOUT ROWID"#,
                #"CREATE TABLE "Task_parents"("owner" INTEGER REFERENCES "Task"("_id"), "#
                    + #""target" INTEGER REFERENCES "Task"("_id"), "position" INTEGER, PRIMARY KEY("owner", "target")) WITHOUT ROWID"#,
            ])
        #expect(
            schema.model.entities.map { schema.identityIndex(of: $0) } == [
                #"CREATE UNIQUE INDEX "_mappingkit_identity_Project" ON "Project"("id")"#,
                #"CREATE UNIQUE INDEX "_mappingkit_identity_Task" ON "Task"("a", "b")"#, nil,
            ])
        #expect(
            schema.relationshipIndexes == [
                #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_Project.owner" ON "Project"("owner")"#,
                #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_Project_members.target" ON "Project_members"("target")"#,
                #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_Task.project" ON "Task"("project")"#,
                #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_Task_parents.target" ON "Task_parents"("target")"#,
                #"CREATE INDEX IF NOT EXISTS "_mappingkit_index_pending" "#
                    + #"ON "_mappingkit_pending"("entity", "relationship", "key", "row")"#,
            ])
    }

    @Test func `the file has a header and metadata`() throws {
        let store = try TestStore(entities[0], entities[1], entities[2])
        try store.build([])
        let pragmas: [(String, StoredValue)] = [
            ("application_id", 0x4D4B_4442), ("user_version", 2), ("encoding", "UTF-8"), ("auto_vacuum", 0),
            ("journal_mode", "delete"), ("page_size", 8192), ("foreign_key_check", .null), ("integrity_check", "ok"),
        ]
        for (name, value) in pragmas {
            #expect(try store.seed().value(sql: "PRAGMA \(name)") ?? .null == value, "\(name)")
        }
        // The versions of the format for writing and reading: 1 is the rollback journal, 2 would be the log.
        #expect(try Array(Data(contentsOf: store.url())[18..<20]) == [1, 1])
        #expect(try store.rows("SELECT key FROM _mappingkit") == ["'format'", "'hash'", "'model'"])
        #expect(
            try store.seed().value(sql: "SELECT value FROM _mappingkit WHERE key = 'hash'") == .text(store.model.hash))
        #expect(try store.seed().model.json == store.model.json)
    }

    @Test func `names and values can have any content`() throws {
        let name = #"we"ird'; DROP TABLE "x"; --"#
        let store = try TestStore(
            EntityDescription(
                name, identifiedBy: ["i\"d;"],
                attributes: [
                    AttributeDescription("i\"d;", AttributeType(.string)),
                    AttributeDescription("Größe\n", AttributeType(.data)),
                    AttributeDescription("a]b", AttributeType(.string)),
                ],
                relationships: [
                    RelationshipDescription("to\"one", to: name, by: ["a]b"]),
                    RelationshipDescription("to;many", to: name, isToMany: true),
                ]))
        let texts = ["plain", "quo'te\"s; DROP TABLE x;--", "nul\0inside\0", "", "line\r\nbreak", "😀 é"]
        for (index, text) in texts.enumerated() {
            let other = texts[(index + 1) % texts.count]
            let object = TestObject(
                name,
                [
                    "i\"d;": .value(.text(text)), "a]b": .value(.text(other)),
                    "Größe\n": .value(.blob(Array(text.utf8))),
                    "to;many": [TestObject(name, ["i\"d;": .value(.text(text))])],
                ])
            try store.build([object], updating: index > 0)
        }
        let rows = try store.seed().rows(of: name)
        #expect(Set(rows.compactMap { $0["i\"d;"]?.text }) == Set(texts))
        for row in rows { #expect(row["i\"d;"]?.text?.utf8.map { $0 } == row["Größe\n"]?.blob) }
        #expect(rows.compactMap { $0["to\"one"]?.integer }.count == texts.count)
        #expect(try store.seed().damages().isEmpty)
        #expect(try store.seed().unresolvedConnections().isEmpty)
    }
}
