import Foundation
import ObjectMapping
import Seeder
import TestSupport
import Testing

/// Elements with one identity that disagree about its row.
@Suite struct ConflictingMergeTests {
    private static let model = """
        "Task": {
          "identifiedBy": "id",
          "attributes": {
            "id": { "type": "integer" }, "name": { "type": "string" }, "due": { "type": "date" },
            "state": { "type": "string", "default": "open" }, "userID": { "from": "user_id", "type": "integer" }
          },
          "relationships": {
            "place": { "from": "place", "to": "Place" },
            "steps": { "from": "steps", "to": "Step", "many": true },
            "tags": { "from": "tags", "to": "Tag", "many": true },
            "parts": { "from": "parts", "to": "Task", "many": true, "inverse": "whole" },
            "whole": { "to": "Task" },
            "main": { "from": "main", "to": "Tag" },
            "user": { "to": "User", "by": "userID", "inverse": "tasks" }
          }
        },
        "Place": { "attributes": { "town": { "type": "string" } } },
        "Step": { "attributes": { "text": { "type": "string" } } },
        "Tag": { "identifiedBy": "name", "attributes": { "name": { "type": "string" } } },
        "User": {
          "identifiedBy": "id", "attributes": { "id": { "type": "integer" } },
          "relationships": { "tasks": { "to": "Task", "many": true } }
        }
        """

    private static func folder(_ elements: [String]) throws -> SeedFolder {
        try SeedFolder([
            "seed.json": """
            { "model": { \(model) }, "sources": [
              { "file": "tasks.json", "entity": "Task" }, { "file": "users.json", "entity": "User" }] }
            """,
            "tasks.json": "[\(elements.joined(separator: ",\n "))]", "users.json": #"[{ "id": 7 }, { "id": 8 }]"#,
        ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let elements: [String]
        let names: [String]
        var testDescription: String { elements.joined(separator: " ") }

        init(_ elements: String..., names: [String] = []) { (self.elements, self.names) = (elements, names) }
    }

    static let cases = [
        Case(#"{"id":1,"name":"a"}"#, #"{"id":1,"name":"a"}"#),
        Case(#"{"id":1,"name":"a"}"#, #"{"id":1}"#, #"{"id":1,"due":"2026-01-01"}"#),
        Case(#"{"id":1,"name":null}"#, #"{"id":1,"name":"a"}"#),
        Case(#"{"id":1}"#, #"{"id":1,"state":"done"}"#),
        Case(#"{"id":1,"due":"2026-01-01"}"#, #"{"id":1,"due":"2026-01-01T00:00:00Z"}"#),
        Case(#"{"id":1,"place":{"town":"x"}}"#, #"{"id":1,"place":{"town":"x"}}"#),
        Case(#"{"id":1,"steps":[{"text":"x"}]}"#, #"{"id":1,"steps":[{"text":"x"},{"text":"y"}]}"#),
        Case(#"{"id":1,"tags":[{"name":"x"},{"name":"y"}]}"#, #"{"id":1,"tags":[{"name":"y"},{"name":"x"}]}"#),
        Case(#"{"id":1,"main":{"name":"x"}}"#, #"{"id":1,"main":{"name":"x"}}"#),
        Case(#"{"id":1,"user_id":7}"#, #"{"id":1,"user_id":7}"#),
        Case(#"{"id":1,"name":"a"}"#, #"{"id":1,"name":"b"}"#, names: ["name"]),
        Case(#"{"id":1,"name":"a"}"#, #"{"id":1,"name":null}"#, names: ["name"]),
        Case(#"{"id":1,"state":"new"}"#, #"{"id":1,"state":"done"}"#, names: ["state"]),
        Case(#"{"id":1,"user_id":7}"#, #"{"id":1,"user_id":8}"#, names: ["userID"]),
        Case(#"{"id":1,"place":{"town":"x"}}"#, #"{"id":1,"place":{"town":"y"}}"#, names: ["place"]),
        Case(#"{"id":1,"place":{"town":"x"}}"#, #"{"id":1,"place":null}"#, names: ["place"]),
        Case(#"{"id":1,"steps":[{"text":"x"},{"text":"y"}]}"#, #"{"id":1,"steps":[{"text":"x"}]}"#, names: ["steps"]),
        Case(#"{"id":1,"tags":[{"name":"x"}]}"#, #"{"id":1,"tags":[{"name":"y"}]}"#, names: ["tags"]),
        Case(#"{"id":1,"main":{"name":"x"}}"#, #"{"id":1,"main":{"name":"y"}}"#, names: ["main"]),
        Case(#"{"id":1,"parts":[{"id":3}]}"#, #"{"id":2,"parts":[{"id":3}]}"#, names: ["whole"]),
    ]

    @Test(arguments: cases)
    func `a merge is a conflict if it replaces a value by a different one`(example: Case) throws {
        let folder = try Self.folder(example.elements)
        let report = try folder.build()
        #expect(report.conflictCount == (example.names.isEmpty ? 0 : 1))
        let names = example.names.map { "'\($0)'" }.joined(separator: ", ")
        #expect(
            report.conflicts.map(\.message)
                == (names.isEmpty
                    ? []
                    : [
                        "expected the same values as the earlier Task with the same identity, found different values of \(names)"
                    ]))
        let check = try ObjectSeeder.check(manifest: folder.folder.file("seed.json"))
        #expect(check.conflicts.map(\.message) == report.conflicts.map(\.message))
        #expect(check.conflictCount == report.conflictCount)
        #expect(check.isValid && check.isClean == names.isEmpty)
    }

    private static let conflicts = [
        #"{"id":1,"name":"a"}"#, #"{"id":1,"name":"b"}"#, #"{"id":2,"parts":[{"id":1,"name":"c"}]}"#,
    ]
    private static let warnings = """
        tasks.json:2:2 $[1]: expected the same values as the earlier Task with the same identity, found different values of 'name'
           {"id":1,"name":"b"},
           ^
        tasks.json:3:19 $[2]: expected the same values as the earlier Task with the same identity, found different values of 'name'
           {"id":2,"parts":[{"id":1,"name":"c"}]}]
                            ^

        """.replacing("   {", with: "  {").replacing("   ^", with: "  ^")

    private static func warnings(from prefix: String) -> String {
        warnings.replacing("tasks.json", with: prefix + "tasks.json")
    }

    @Test func `a build warns of the first conflicts and counts all`() throws {
        let folder = try Self.folder(Self.conflicts)
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite", "--report", "report.json")
        #expect(result.status == 0)
        #expect(result.errors == Self.warnings(from: "warning: "))
        #expect(result.output.contains("  Task   2 rows  (2 merged, 2 with conflicts)\n"), "\(result.output)")
        let report = try folder.folder.text(of: "report.json")
        #expect(report.contains(#""conflicts": 2"#))
        let places = try JSON(report)["conflicts"]
        #expect(
            places[1]["file"].string == "tasks.json" && places[1]["line"].int == 3 && places[1]["path"].string == "$[2]"
        )
        #expect(places[1]["message"].string?.hasSuffix("found different values of 'name'") == true)
        #expect(try folder.run("build", "seed.json", "-o", "out.sqlite", "-q").errors == "")
        let many = try Self.folder((0..<30).map { #"{"id":1,"name":"\#($0)"}"# })
        let errors = try many.run("build", "seed.json", "-o", "out.sqlite").errors
        #expect(errors.split(separator: "\n").count { $0.hasPrefix("warning: ") } == 10)
        #expect(errors.hasSuffix("\n… and 19 more conflicting merges\n"))
    }

    @Test func `with --strict-merge conflicts fail a build, which writes nothing`() throws {
        let folder = try Self.folder(Self.conflicts)
        let before = try folder.folder.names
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite", "--strict-merge", "--quiet")
        #expect(result.status == 65)
        #expect(
            result.errors == Self.warnings + """
                seed-db: 2 conflicting merges
                Correct the dumps, or choose an identity that is unique.

                """)
        #expect(try folder.folder.names == before)
        let sound = try Self.folder([#"{"id":1,"name":"a"}"#, #"{"id":1}"#])
        #expect(try sound.run("build", "seed.json", "-o", "out.sqlite", "--strict-merge").status == 0)
    }

    @Test func `with --strict-merge or --strict conflicts fail a check, which warns of them in any case`() throws {
        let folder = try Self.folder(Self.conflicts)
        for (option, status) in [("--limit=9", Int32(0)), ("--strict-merge", 65), ("--strict", 65)] {
            let result = try folder.run("check", "seed.json", option)
            #expect(result.status == status, "\(option)")
            #expect(result.errors.hasPrefix(Self.warnings(from: "warning: ")))
            #expect(result.output.hasPrefix(status == 0 ? "seed.json: valid\n" : "seed.json: invalid\n"))
        }
        let limited = try folder.run("check", "seed.json", "--limit", "1")
        #expect(limited.errors.contains("\n… and 1 more conflicting merge\n"))
    }

    @Test(arguments: cases)
    func `elements of an update conflict like those of a build`(example: Case) throws {
        let before = #""name":"0","state":"0","due":"2000-01-01","place":{"town":"0"},"main":{"name":"0"},"user_id":9"#
        let lists = #""steps":[{"text":"0"},{"text":"1"}],"tags":[{"name":"0"}],"parts":[{"id":3}]"#
        let folder = try Self.folder([#"{"id":1,\#(before),\#(lists)}"#, #"{"id":2}"#, #"{"id":9,"parts":[{"id":4}]}"#])
        try folder.build()
        try folder.folder.write("[\(example.elements.joined(separator: ",\n "))]", to: "tasks.json")
        let report = try folder.build { $0.updatesExisting = true }
        #expect(report.conflictCount == (example.names.isEmpty ? 0 : 1))
        let names = example.names.map { "'\($0)'" }.joined(separator: ", ")
        #expect(report.conflicts.allSatisfy { $0.message.hasSuffix("found different values of \(names)") })
    }

    @Test func `with --strict-merge an update of rows of the database fails if its elements disagree`() throws {
        let folder = try Self.folder([#"{"id":1,"name":"old"}"#, #"{"id":2}"#])
        try folder.build()
        let before = try folder.folder.data(of: "out.sqlite")
        try folder.folder.write("[\(Self.conflicts.joined(separator: ",\n "))]", to: "tasks.json")
        func update() throws -> ProcessResult {
            try folder.run("build", "seed.json", "-o", "out.sqlite", "--update", "--strict-merge", "--quiet")
        }
        let result = try update()
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix(Self.warnings + "seed-db: 2 conflicting merges\n"), "\(result.errors)")
        #expect(try folder.folder.data(of: "out.sqlite") == before)
        try folder.folder.write(#"[{"id":1,"name":"b"},{"id":1,"name":"b"}]"#, to: "tasks.json")
        #expect(try update().status == 0)
        #expect(try folder.rows("SELECT name FROM Task WHERE id = 1") == ["'b'"])
    }

    @Test func `an update may replace values that were in the database before`() throws {
        let folder = try Self.folder([#"{"id":1,"name":"a","steps":[{"text":"x"}]}"#])
        try folder.build()
        try folder.folder.write(
            #"[{"id":1,"name":"b","steps":[]},{"id":2,"name":"x"},{"id":2,"name":"y"}]"#, to: "tasks.json")
        let report = try folder.build { $0.updatesExisting = true }
        #expect(report.conflicts.map(\.path) == ["$[2]"])
        #expect(try folder.rows("SELECT id, name FROM Task ORDER BY id") == ["1, 'b'", "2, 'y'"])
    }
}
