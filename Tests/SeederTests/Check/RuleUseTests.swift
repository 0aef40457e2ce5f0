import Foundation
import Seeder
import TestSupport
import Testing

/// Attributes and relationships of a manifest that no element has.
@Suite struct RuleUseTests {
    private func check(_ files: [String: String]) throws -> SeedCheck {
        let folder = try SeedFolder(files)
        return try ObjectSeeder.check(manifest: folder.folder.file("seed.json"))
    }

    private func unused(_ files: [String: String]) throws -> [String] {
        try check(files).unusedRules.map(\.description)
    }

    private static let tasks = """
        [{ "id": 1, "title": "a", "address": { "city": "x" }, "steps": [{ "text": "b" }] },
         { "id": 2, "title": null, "address": { "city": "y" } }, { "id": 3 }]
        """

    @Test(arguments: [
        (
            #""name": { "from": "titel", "type": "string" }"#,
            "Task.name: none of 3 objects has 'titel'; did you mean 'title'?"
        ),
        (
            #""city": { "from": "address.cty", "type": "string" }"#,
            "Task.city: none of 3 objects has 'address.cty'; did you mean 'address.city'?"
        ),
        (#""name": { "type": "string" }"#, "Task.name: none of 3 objects has 'name'"),
        (
            #""name": { "from": "address.city", "match": "^([0-9]+)$", "type": "string" }"#,
            "Task.name: none of 3 objects has 'address.city' that matches"
        ),
        (
            #""name": { "from": ["title", "zip"], "join": "-", "type": "string" }"#,
            "Task.name: none of 3 objects has 'title' and 'zip'"
        ),
    ])
    func `an attribute that no element has is a warning with a suggestion`(attribute: String, warning: String) throws {
        let files = ["seed.json": taskManifest(attributes: attribute), "tasks.json": Self.tasks]
        #expect(try unused(files) == [warning])
        let result = try SeedFolder(files).run("check", "seed.json")
        #expect(result.status == 0)
        #expect(result.errors == "warning: \(warning)\n")
    }

    @Test(arguments: [
        (#"{ "id": 1, "contact": { "email": "x" } }, { "id": 2, "contact": null }"#, true),
        (#"{ "id": 2, "contact": null }, { "id": 1, "contact": { "email": "x" } }"#, true),
        (#"{ "id": 1, "contact": { "emial": null } }, { "id": 2, "contact": null }"#, false),
    ])
    func `null on the way to a key is not a value of it`(elements: String, isUnused: Bool) throws {
        let manifest = taskManifest(attributes: #""mail": { "from": "contact.emial", "type": "string" }"#)
        #expect(
            try unused(["seed.json": manifest, "tasks.json": "[\(elements)]"])
                == (isUnused ? ["Task.mail: none of 2 objects has 'contact.emial'; did you mean 'contact.email'?"] : [])
        )
    }

    @Test func `a relationship without objects is a warning, and its entity is not`() throws {
        let manifest = """
            { "model": {
                "Task": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } },
                  "relationships": { "steps": { "from": "stepps", "to": "Step", "many": true } } },
                "Step": { "attributes": { "text": { "type": "string" } } } },
              "sources": [{ "file": "tasks.json", "entity": "Task" }] }
            """
        #expect(
            try unused(["seed.json": manifest, "tasks.json": Self.tasks]) == [
                "Task.steps: none of 3 objects has 'stepps'; did you mean 'steps'?"
            ])
        let right = manifest.replacingOccurrences(of: "stepps", with: "steps")
            .replacingOccurrences(of: #""text": {"#, with: #""text": { "from": "txt","#)
        #expect(
            try unused(["seed.json": right, "tasks.json": Self.tasks]) == [
                "Step.text: the only object has no 'txt'; did you mean 'text'?"
            ])
    }

    @Test func `a value in one element of any source is sufficient, and null is a value`() throws {
        let sources = #"{ "file": "tasks.json", "entity": "Task" }, { "file": "more.json", "entity": "Task" }"#
        let manifest = taskManifest(
            attributes: #""a": { "type": "string" }, "b": { "type": "integer" }"#, sources: sources)
        let files = ["seed.json": manifest, "tasks.json": #"[{"id":1},{"id":2,"a":null}]"#]
        #expect(try unused(files.merging(["more.json": #"[{"id":3,"b":4}]"#]) { $1 }).isEmpty)
        #expect(try unused(files.merging(["more.json": "[]"]) { $1 }) == ["Task.b: none of 2 objects has 'b'"])
        let empty = ["seed.json": manifest, "tasks.json": "[]", "more.json": "[]"]
        #expect(try unused(empty).isEmpty)
    }

    // MARK: Digits

    @Test func `digits that a double does not keep are warnings with their positions`() throws {
        let manifest = """
            { "model": {
                "Entry": { "identifiedBy": "id", "attributes": {
                    "id": { "type": "integer" }, "amount": { "type": "double" }, "rates": { "type": "[double]" },
                    "exact": { "type": "decimal" } },
                  "relationships": { "parts": { "from": "parts", "to": "Part", "many": true } } },
                "Part": { "attributes": { "share": { "from": "a.share", "type": "double" } } } },
              "sources": [{ "file": "entries.json", "entity": "Entry" }] }
            """
        let entries = """
            [{ "id": 1, "amount": 1234567890123456.78, "exact": 1234567890123456.78, "rates": [0.1, 9007199254740993] },
             { "id": 2, "amount": 0.1, "parts": [{ "a": { "share": 0.12345678901234567890 } }] },
             { "id": 3, "amount": 0.30000000000000004, "rates": [0.10000000000000001, 1e300, 100000000000000000000] }]
            """
        let files = ["seed.json": manifest, "entries.json": entries]
        let found = "found a number with more digits than a double keeps"
        let result = try check(files)
        #expect(result.isValid && !result.isClean)
        #expect(
            result.lostDigits.map { "\($0.line):\($0.column) \($0.path) \($0.message)" } == [
                "1:23 $[0].amount expected the type decimal or string for Entry.amount, \(found)",
                "1:89 $[0].rates[1] expected the type decimal or string for Entry.rates, \(found)",
                "2:56 $[1].parts[0].a.share expected the type decimal or string for Part.share, \(found)",
            ])
        #expect(try SeedFolder(files).run("check", "seed.json", "--strict").status == 65)
        #expect(try SeedFolder(files).run("check", "seed.json", "--limit", "1").errors.contains("… and 2 more numbers"))
    }
}
