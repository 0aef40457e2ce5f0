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
