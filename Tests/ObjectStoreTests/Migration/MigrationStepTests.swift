import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Steps that are written by hand.
@Suite struct `Steps of migrations` {
    private static let first = [EntityDescription("Person", [.string("name"), .string("age")])]
    private static let last = [
        EntityDescription(
            "Person",
            [
                AttributeDescription("first", AttributeType(.string), isOptional: false),
                AttributeDescription("last", AttributeType(.string), isOptional: false), .integer("age"),
            ])
    ]

    private static let names = MigrationStep("names", providing: ["Person.first", "Person.last"]) { migration in
        try migration.update("Person") { row in
            let parts = (row["name"].text ?? "").split(separator: " ", maxSplits: 1)
            row["first"] = .text(String(parts.first ?? ""))
            row["last"] = .text(parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private static let ages = MigrationStep(
        "ages", providing: ["Person.age"], sql: #"UPDATE "Person" SET "age" = CAST("_mappingkit_old_age" AS INTEGER)"#)

    private func file() throws -> MigratedFile {
        try MigratedFile(
            Self.first,
            """
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO Person SELECT i, i, 'Ann Number' || i, i + 10 FROM n
            """)
    }

    @Test func `provide values that cannot be derived, and run once`() throws {
        let file = try file()
        let store = try file.migrate(to: Self.last, steps: [Self.names, Self.ages])
        #expect(
            try store.text("SELECT first, last, age FROM Person WHERE id IN (1, 1200)")
                == "Ann,Number1,11;Ann,Number1200,1210")
        #expect(try store.text(#"SELECT value FROM _mappingkit WHERE key = 'steps'"#) == #"["names","ages"]"#)
        store.close()
        try file.expectComplete(Self.last)
        let failing = MigrationStep("ages") { _ in Testing.Issue.record("a step runs once") }
        try file.migrate(to: Self.last, steps: [Self.names, failing]).close()
    }

    @Test func `are required for what cannot be derived`() throws {
        let error = try file().refusal(of: Self.last, steps: [Self.names])
        #expect(error?.kind == .modelMismatch)
        #expect(error?.advice?.hasSuffix("A MigrationStep can provide 'Person.age'") == true)
    }

    struct Mistake: CustomTestStringConvertible {
        let text: String
        let body: @Sendable (MigrationContext) throws -> Void
        var testDescription: String { text }
    }

    private struct Failure: Error, CustomStringConvertible { let description = "no room" }

    private static let mistakes = [
        Mistake(text: "failed: no room") { _ in throw Failure() },
        Mistake(text: "has deleted 200 of 1200 rows of 'Person'") {
            try $0.write(sql: "DELETE FROM Person WHERE id > 1000")
        },
        Mistake(text: "1200 rows of 'Person' have no 'first'") { _ in },
        Mistake(text: "'Person.age' is 'old', expected an integer") {
            try $0.write(sql: "UPDATE Person SET first = '', last = '', age = 'old'")
        },
        Mistake(text: "expected a statement that changes rows, found a change of the schema") {
            try $0.write(sql: "DROP TABLE Person")
        },
        Mistake(text: "a change of '_mappingkit', a table of MappingKit") {
            try $0.write(sql: "DELETE FROM _mappingkit")
        },
        Mistake(text: "expected a statement that changes rows, found COMMIT") { try $0.write(sql: "COMMIT") },
        Mistake(text: "'Person' has no column 'frist'; did you mean 'first'?") {
            try $0.update("Person") { row in row["frist"] = "x" }
        },
        Mistake(text: "unknown entity 'Persons'; did you mean 'Person'?") { try $0.update("Persons") { _ in } },
    ]

    @Test(arguments: mistakes) func `that fail or lose rows leave the file unchanged`(_ mistake: Mistake) throws {
        let file = try file()
        let step = MigrationStep("x", providing: ["Person.first", "Person.last", "Person.age"], mistake.body)
        let error = try file.refusal(of: Self.last, steps: [step])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.description.contains(mistake.text) == true, "\(error?.description ?? "")")
        // The next attempt succeeds.
        try file.migrate(to: Self.last, steps: [Self.names, Self.ages]).close()
        try file.expectComplete(Self.last)
    }

    @Test(arguments: [
        ([MigrationStep("x", providing: ["Person.agee"], sql: "")], "did you mean 'Person.age'?"),
        ([names, names], "two steps of a migration have the name 'names'"),
    ]) func `with mistakes are refused before the file is changed`(_ steps: [MigrationStep], _ text: String) throws {
        let error = try file().refusal(of: Self.last, steps: steps)
        #expect(error?.kind == .misuse && error?.description.contains(text) == true)
    }

    @Test func `that leave references to missing rows are refused`() throws {
        let entities = [
            EntityDescription("Page", [.string("text")], [RelationshipDescription("note", to: "Note")]),
            EntityDescription("Note"),
        ]
        let file = try MigratedFile(entities, "INSERT INTO Note VALUES(1, 1); INSERT INTO Page VALUES(1, 1, 'x', 1)")
        let step = MigrationStep("x", deletesRows: true, sql: "DELETE FROM Note")
        let error = try file.refusal(of: entities, steps: [step])
        #expect(error?.kind == .migrationFailed)
        #expect(
            error?.message.hasSuffix("1 reference to rows that do not exist, the first one in 'Page' to 'Note'")
                == true)
        let both = MigrationStep("x", deletesRows: true, sql: "UPDATE Page SET note = NULL", "DELETE FROM Note")
        #expect(try file.migrate(to: entities, steps: [both]).text("SELECT count(*) FROM Note") == "0")
    }

    @Test(arguments: [
        Mistake(text: "has deleted 1200 of 1200 rows of 'Person'") {
            try $0.write(sql: "REPLACE INTO Person(id, name) SELECT id, name FROM Person")
        },
        Mistake(text: "has deleted 10 of 1200 rows of 'Person'") {
            try $0.write(sql: "DELETE FROM Person WHERE id > 1190")
            for number in 2001...2010 { try $0.write(sql: "INSERT INTO Person(id, name) VALUES(\(number), 'x')") }
        },
        Mistake(text: "has deleted 1 of 1200 rows of 'Person'") {
            try $0.write(sql: "UPDATE OR REPLACE Person SET id = 7 WHERE id = 8")
            try $0.write(sql: "INSERT INTO Person(id, name) VALUES(2000, 'x')")
        },
    ]) func `that replace rows lose them`(_ mistake: Mistake) throws {
        let file = try file()
        let new = [EntityDescription("Person", [.string("name"), .string("age"), .string("more")])]
        let error = try file.refusal(of: new, steps: [MigrationStep("x", mistake.body)])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.description.contains(mistake.text) == true, "\(error?.description ?? "")")
        try file.migrate(to: new, steps: [MigrationStep("x", deletesRows: true, mistake.body)]).close()
        try file.expectComplete(new)
    }

    @Test func `that remove links say so`() throws {
        func entities(_ more: AttributeDescription...) -> [EntityDescription] {
            [
                EntityDescription(
                    "Page", more, [RelationshipDescription("tags", to: "Tag", isToMany: true, inverse: "pages")]),
                EntityDescription(
                    "Tag", [], [RelationshipDescription("pages", to: "Page", isToMany: true, inverse: "tags")]),
            ]
        }
        let file = try MigratedFile(
            entities(),
            "INSERT INTO Page VALUES(1, 1), (4, 2); INSERT INTO Tag VALUES(2, 1), (3, 2); "
                + "INSERT INTO Page_tags VALUES(1, 2, 0), (1, 3, 1), (4, 2, 0)")
        let new = entities(.string("text"))
        let sql = "DELETE FROM Page_tags WHERE owner = 1"
        let error = try file.refusal(of: new, steps: [MigrationStep("x", sql: sql)])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.message.hasSuffix("has deleted 2 of 3 links of 'Page.tags'") == true, "\(error?.message ?? "")")
        let step = MigrationStep("x", deletesRows: true, sql: sql)
        #expect(try file.migrate(to: new, steps: [step]).text("SELECT owner, target FROM Page_tags") == "4,2")
    }

    @Test func `that change links and add rows lose nothing`() throws {
        let file = try MigratedFile(
            Self.first, "INSERT INTO Person VALUES(1, 1, 'a', 1), (5, 5, 'b', 2), (9, 9, 'c', 3)")
        let step = MigrationStep(
            "x", sql: "INSERT INTO Person(_id, id) VALUES(3, 3)", "INSERT INTO Person(id) VALUES(10)",
            "UPDATE Person SET name = 'x' WHERE id < 9")
        let store = try file.migrate(to: Self.first, steps: [step])
        #expect(try store.text("SELECT _id, name FROM Person") == "1,x;3,x;5,x;9,c;10,NULL")
    }

    @Test func `cannot be used after they ended`() throws {
        let step = MigrationStep("x") { migration in
            try migration.write(sql: "UPDATE Person SET age = 1")
            LateUse.context = migration
        }
        let file = try file()
        let store = try file.migrate(to: Self.first, steps: [step])
        #expect(try store.text("SELECT DISTINCT age FROM Person") == "1")
        let error = #expect(throws: StoreError.self) { try LateUse.context?.write(sql: "UPDATE Person SET age = 2") }
        #expect(error?.kind == .misuse)
        LateUse.context = nil
    }

    struct Equal: CustomTestStringConvertible {
        let name: String
        let entities: [EntityDescription]
        let attribute: String
        let value: StoredValue
        let body: @Sendable (MigrationContext) throws -> Void
        var testDescription: String { name }
    }

    private static var unique: AttributeDescription {
        var mail = AttributeDescription.string("mail")
        mail.isUnique = true
        return mail
    }

    @Test(arguments: [
        Equal(name: "identity, SQL", entities: first, attribute: "id", value: 7) {
            try $0.write(sql: "UPDATE Person SET id = ? WHERE _id > 1198", arguments: [7])
        },
        Equal(name: "identity, Swift", entities: first, attribute: "id", value: 3) {
            try $0.update("Person") { row in row["id"] = 3 }
        },
        Equal(
            name: "new identity",
            entities: [EntityDescription("Person", identifiedBy: ["name"], attributes: first[0].attributes)],
            attribute: "name", value: "x"
        ) { try $0.write(sql: "UPDATE Person SET name = 'x' WHERE id < 3") },
        Equal(
            name: "new unique attribute",
            entities: [EntityDescription("Person", [.string("name"), .string("age"), unique])],
            attribute: "mail", value: "same"
        ) { try $0.write(sql: "UPDATE Person SET mail = 'same'") },
    ]) func `that make unique values equal are refused with the value`(_ equal: Equal) throws {
        let file = try file()
        let error = try file.refusal(of: equal.entities, steps: [MigrationStep("numbers", equal.body)])
        #expect(error?.kind == .migrationFailed && error?.entity == "Person")
        #expect(
            error?.violation
                == UniqueViolation(entity: "Person", attributes: [equal.attribute], values: [equal.value]))
        let text = "several rows of 'Person' would have the same '\(equal.attribute)': \(equal.value)"
        #expect(
            error?.message.contains("'numbers'") == true && error?.message.contains(text) == true,
            "\(error?.message ?? "")")
    }

    @Test func `do not use the numbers of deleted rows`() throws {
        let file = try file()
        let old = try file.migrate(to: Self.first)
        let context = ObjectContext(old)
        for number in [1100, 1199, 1200] { context.delete(try #require(try context.find("Person", number))) }
        try context.save()
        old.close()
        let step = MigrationStep("more") { migration in
            for (index, id) in [2001, 2002, 2003].enumerated() {
                try migration.write(sql: "INSERT INTO Person(id) VALUES(?)", arguments: [.integer(Int64(id))])
                let inserted = try migration.rows(sql: "SELECT last_insert_rowid() AS row").first?["row"]
                #expect(inserted == .integer(Int64(1201 + index)))
            }
            try migration.write(sql: "INSERT INTO Person(id) SELECT id + 5000 FROM Person WHERE id < 4")
            try migration.write(sql: "INSERT INTO Person(_id, id) VALUES(1100, 1100)")
        }
        let store = try file.migrate(to: Self.first, steps: [step])
        let rows = try store.text("SELECT _id, id FROM Person WHERE _id > 1198 OR id = 1100 ORDER BY _id")
        #expect(rows == "1100,1100;1201,2001;1202,2002;1203,2003;1204,5001;1205,5002;1206,5003")
    }

    @Test func `of a plan are checked before they run`() async throws {
        let file = try file()
        let step = MigrationStep("x", providing: ["Person.agee"], sql: "")
        var options = ManagedObjectStore.Options()
        options.migrationSteps = [step]
        let plan = try await ManagedObjectStore.migrationPlan(
            at: file.url, model: ObjectModel(entities: Self.first), options: options)
        #expect(!plan.isPossible && plan.problems.first?.contains("'Person.agee'") == true)
    }

    @Test func `that fail do not change a byte of a file in rollback mode`() throws {
        let file = try file()
        let database = try SQLiteDatabase(path: file.url.path, mode: .readWrite)
        _ = try database.value("PRAGMA journal_mode = DELETE")
        database.close()
        let before = try Data(contentsOf: file.url)
        let step = MigrationStep("x", providing: ["Person.first", "Person.last", "Person.age"]) { migration in
            try migration.write(sql: "UPDATE Person SET first = 'x'")
            throw Failure()
        }
        let error = try file.refusal(of: Self.last, steps: [step])
        #expect(error?.kind == .migrationFailed)
        #expect(try Data(contentsOf: file.url) == before)
        try file.migrate(to: Self.last, steps: [Self.names, Self.ages]).close()
    }

    // MARK: Versions

    private static let middle = [EntityDescription("Person", [.string("fullName"), .string("age")])]

    private static func versions() throws -> [MigrationStep] {
        let second = try ObjectModel(entities: [
            EntityDescription("Person", [.string("fullName", was: "name"), .string("age")])
        ])
        let third = try ObjectModel(entities: [
            EntityDescription("Person", [.string("fullName"), .integer("age")])
        ])
        return [
            MigrationStep("upper case", to: second, sql: "UPDATE Person SET fullName = upper(fullName)"),
            MigrationStep("ages", to: third, providing: ["Person.age"]) { migration in
                try migration.update("Person") { $0["age"] = .integer($0.old("age").text.flatMap { Int64($0) } ?? 0) }
            },
            MigrationStep(
                "short", providing: ["Person.initial"], sql: "UPDATE Person SET initial = substr(fullName, 1, 1)"),
        ]
    }

    private static let fourth = [
        EntityDescription(
            "Person", [AttributeDescription("initial", AttributeType(.string), isOptional: false), .integer("age")])
    ]

    @Test(arguments: [(first, "A", "name"), (middle, "a", "fullName")])
    func `of several versions run in a row, from any version`(
        _ old: [EntityDescription], _ initial: String, _ column: String
    ) throws {
        let file = try MigratedFile(old, "INSERT INTO Person VALUES(1, 1, 'ann', '30')")
        let store = try file.migrate(to: Self.fourth, steps: Self.versions())
        #expect(try store.text("SELECT initial, age FROM Person") == "\(initial),30")
        store.close()
        try file.expectComplete(Self.fourth)
    }

    @Test func `do not run in new files`() throws {
        let folder = try TemporaryDirectory()
        let failing = MigrationStep("x") { _ in Testing.Issue.record("a new file needs no step") }
        for _ in 0..<2 {
            let store = try ManagedObjectStore(
                at: folder.file("new.sqlite"), model: ObjectModel(entities: Self.last),
                options: MigratedFile.options([failing]))
            #expect(try store.text("SELECT value FROM _mappingkit WHERE key = 'steps'") == #"["x"]"#)
        }
    }

    @Test func `run in copies of seeds with an earlier model, and not in those with the same one`() async throws {
        let seed = try file()
        let step = Self.names
        let copy = seed.folder.file("copy.sqlite")
        let store = try await ManagedObjectStore.open(
            at: copy, model: ObjectModel(entities: Self.last), seed: seed.url,
            options: MigratedFile.options([step, Self.ages]))
        #expect(try store.text("SELECT last FROM Person WHERE id = 3") == "Number3")
        #expect(try SeedDatabase(at: seed.url).model.entities[0].attributes.map(\.name) == ["id", "name", "age"])
        // A seed that `seed-db` has built has no identifier.
        let built = try MigratedFile(
            Self.last, "DELETE FROM _mappingkit WHERE key = 'identifier'; INSERT INTO Person VALUES(1, 1, 'a', 'b', 3)")
        let failing = MigrationStep("x") { _ in Testing.Issue.record("the seed has the last model") }
        let other = try await ManagedObjectStore.open(
            at: seed.folder.file("other.sqlite"), model: ObjectModel(entities: Self.last), seed: built.url,
            options: MigratedFile.options([failing]))
        #expect(try other.text("SELECT value FROM _mappingkit WHERE key = 'steps'") == #"["x"]"#)
    }
}

/// A context that a step keeps, used by one test and one thread.
private enum LateUse {
    nonisolated(unsafe) static var context: MigrationContext?
}
