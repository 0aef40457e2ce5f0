import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// What steps of a migration may not leave behind.
@Suite struct `Checks of migration steps` {
    private static func person(_ more: AttributeDescription...) -> [EntityDescription] {
        var code = AttributeDescription.string("code")
        code.isUnique = true
        return [
            EntityDescription(
                "Person",
                [
                    AttributeDescription("name", AttributeType(.string), isOptional: false), .integer("age"), code,
                    AttributeDescription("born", AttributeType(.date)),
                    AttributeDescription("site", AttributeType(.url)),
                ] + more, [RelationshipDescription("home", to: "Home", isRequired: true)]),
            EntityDescription("Home"),
        ]
    }

    private static let rows = """
        INSERT INTO Home VALUES(1, 1); \
        INSERT INTO Person VALUES(1, 1, 'a', 1, 'x', NULL, NULL, 1), (2, 2, 'b', 2, 'y', NULL, NULL, 1), (3, 3, 'c', 3, 'z', NULL, NULL, 1)
        """

    struct Mistake: CustomTestStringConvertible {
        let sql: String
        let text: String
        var testDescription: String { sql }
    }

    @Test(arguments: [
        Mistake(sql: "UPDATE Person SET name = NULL WHERE id = 2", text: "1 row of 'Person' has no 'name'"),
        Mistake(sql: "UPDATE Person SET home = NULL", text: "3 rows of 'Person' have no 'home'"),
        Mistake(sql: "UPDATE Person SET age = 'old'", text: "'Person.age' is 'old', expected an integer"),
        Mistake(sql: "UPDATE Person SET born = 'today'", text: "'Person.born' is 'today', expected a date such as"),
        Mistake(sql: "UPDATE Person SET code = 'x'", text: "several rows of 'Person' would have the same 'code': 'x'"),
        Mistake(sql: "INSERT INTO Person(id, home) VALUES(4, 1)", text: "1 row of 'Person' has no 'name'"),
        Mistake(sql: "UPDATE Person SET name = x'00'", text: "'Person.name' is x'00', expected a string"),
        Mistake(sql: "UPDATE Person SET site = x'00'", text: "'Person.site' is x'00', expected a string with a URL"),
        Mistake(sql: "UPDATE Person SET age = 9e999", text: "'Person.age' is inf, expected an integer"),
        Mistake(
            sql: "INSERT INTO Home(_id, id) VALUES(-5, 5)",
            text: "'Home' has the row number -5, expected one from 1 to 4611686018427387902"),
        Mistake(sql: "INSERT INTO Home(_id, id) VALUES(0, 5)", text: "'Home' has the row number 0, expected one"),
        Mistake(
            sql: "INSERT INTO Home(_id, id) VALUES(4611686018427387903, 5)",
            text: "'Home' has the row number 4611686018427387903, expected one"),
    ]) func `find invalid values that no step declares`(_ mistake: Mistake) throws {
        let file = try MigratedFile(Self.person(), Self.rows)
        let new = Self.person(.string("remark"))
        let error = try file.refusal(of: new, steps: [MigrationStep("x", sql: mistake.sql)])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.message.contains(mistake.text) == true, "\(error?.message ?? "")")
    }

    @Test func `accept values that were invalid before, and those that one step makes valid after another`() throws {
        let file = try MigratedFile(
            Self.person(), Self.rows, "UPDATE Person SET name = NULL, age = 'old' WHERE id = 1")
        let steps = [
            MigrationStep("x", sql: "UPDATE Person SET name = NULL"),
            MigrationStep("y", sql: "UPDATE Person SET name = 'n' WHERE id > 1"),
        ]
        let store = try file.migrate(to: Self.person(.string("remark")), steps: steps)
        #expect(try store.text("SELECT name, age FROM Person") == "NULL,old;n,2;n,3")
    }

    @Test func `use the types after a conversion`() throws {
        let file = try MigratedFile(Self.person(), Self.rows)
        var new = Self.person()
        new[0].attributes[2].type = AttributeType(.string)
        let step = MigrationStep("x", sql: "UPDATE Person SET age = age + 1")
        let store = try file.migrate(to: new, steps: [step])
        #expect(try store.text("SELECT quote(age) FROM Person") == "'2';'3';'4'")
    }

    // MARK: Rows

    @Test(arguments: [false, true])
    func `reject unknown columns that are read`(throwing: Bool) throws {
        let file = try MigratedFile(Self.person(), Self.rows)
        struct Missing: Error {}
        let step = MigrationStep("x") { migration in
            try migration.update("Person") { row in
                let name = row["nmae"]
                if throwing, name == .null { throw Missing() }
            }
        }
        let error = try file.refusal(of: Self.person(.string("remark")), steps: [step])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.message.contains("'Person' has no column 'nmae'; did you mean 'name'?") == true)
        let old = MigrationStep("x") { try $0.update("Person") { row in _ = row.old("age") } }
        let other = try file.refusal(of: Self.person(.string("remark")), steps: [old])
        #expect(other?.message.contains("'Person' has no column '_mappingkit_old_age'") == true)
    }

    @Test func `updates do not visit rows that they insert`() throws {
        let file = try MigratedFile(Self.person(), Self.rows)
        let step = MigrationStep("x") { migration in
            try migration.update("Person") { row in
                try migration.write(
                    sql: "INSERT INTO Person(id, name, home) VALUES(?, 'copy', 1)", arguments: [.integer(row.id + 10)])
                row["age"] = 9
            }
        }
        let store = try file.migrate(to: Self.person(.string("remark")), steps: [step])
        #expect(try store.text("SELECT id, age FROM Person") == "1,9;2,9;3,9;11,NULL;12,NULL;13,NULL")
    }

    @Test func `the numbers of rows that a step deletes are not used again`() async throws {
        let file = try MigratedFile(Self.person(), Self.rows)
        let step = MigrationStep("x", deletesRows: true, sql: "DELETE FROM Human WHERE id > 1")
        var new = Self.person(.string("remark"))
        (new[0].name, new[0].formerNames) = ("Human", ["Person"])
        let store = try file.migrate(to: new, steps: [step])
        let home = try await store.perform { context in
            let home = try #require(try context.fetch("Home").first)
            let object = try context.insert("Human")
            (object["id"], object["name"], object["home"]) = (7, "new", home)
            try context.save()
            return object.managed.id
        }
        #expect(try store.text("SELECT _id FROM Human") == "1;4", "\(home)")
    }

    // MARK: One-to-one relationships

    private static func desks(_ more: AttributeDescription...) -> [EntityDescription] {
        [
            EntityDescription("Clerk", more, [RelationshipDescription("desk", to: "Desk", inverse: "clerk")]),
            EntityDescription("Desk", [], [RelationshipDescription("clerk", to: "Clerk", inverse: "desk")]),
        ]
    }

    private static let pairs =
        "INSERT INTO Clerk VALUES(1, 1, 1), (2, 2, 2), (3, 3, NULL); INSERT INTO Desk VALUES(1, 1, 1), (2, 2, 2)"

    @Test(arguments: [
        "UPDATE Clerk SET desk = 1 WHERE id = 3", "UPDATE Clerk SET desk = NULL WHERE id = 2",
        "UPDATE Desk SET clerk = 3 WHERE id = 2", "UPDATE Desk SET clerk = NULL WHERE id = 1",
    ]) func `find relationships of which a step writes one side`(sql: String) throws {
        let file = try MigratedFile(Self.desks(), Self.pairs)
        let error = try file.refusal(of: Self.desks(.string("name")), steps: [MigrationStep("x", sql: sql)])
        #expect(error?.kind == .migrationFailed)
        #expect(error?.message.contains("expected both columns to refer to each other") == true)
    }

    @Test func `accept relationships of which steps write both sides, or that differed before`() throws {
        let both = MigrationStep(
            "x", sql: "UPDATE Clerk SET desk = NULL WHERE id = 2", "UPDATE Clerk SET desk = 2 WHERE id = 3",
            "UPDATE Desk SET clerk = 3 WHERE id = 2")
        var file = try MigratedFile(Self.desks(), Self.pairs)
        #expect(
            try file.migrate(to: Self.desks(.string("name")), steps: [both]).text("SELECT id, clerk FROM Desk")
                == "1,1;2,3")
        file = try MigratedFile(Self.desks(), Self.pairs, "UPDATE Desk SET clerk = NULL WHERE id = 1")
        let other = MigrationStep("x", sql: "UPDATE Clerk SET name = 'x'")
        #expect(
            try file.migrate(to: Self.desks(.string("name")), steps: [other]).text("SELECT name FROM Clerk")
                == "x;x;x")
    }
}
