import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct ManifestIssuesTests {
    /// A valid manifest, into which the table below inserts one mistake at a time.
    static let sound = """
        {
          "model": {
            "Task": {
              "identifiedBy": "id",
              "attributes": {
                "id": { "type": "integer" },
                "name": { "from": "title", "type": "string" },
                "userID": { "from": "user.id", "type": "integer" },
                "tagIDs": { "from": "tags", "type": "[string]" }
              },
              "relationships": {
                "user": { "to": "User", "by": "userID", "inverse": "tasks" },
                "tags": { "to": "Tag", "by": "tagIDs", "many": true },
                "steps": { "from": "steps", "to": "Step", "many": true }
              }
            },
            "User": {
              "identifiedBy": ["id"],
              "attributes": { "id": { "type": "integer" }, "mail": { "type": "string" } },
              "relationships": { "tasks": { "to": "Task", "many": true } }
            },
            "Tag": { "identifiedBy": "code", "attributes": { "code": { "type": "string" } } },
            "Step": { "attributes": { "text": { "type": "string" } } }
          },
          "sources": [
            { "file": "tasks.json", "entity": "Task", "at": "tasks" },
            { "file": "users.json", "entity": "User", "each": "member" },
            { "file": "tags.ndjson", "entity": "Tag" }
          ]
        }
        """

    @Test(arguments: mistakes)
    func `a mistake is named with its position and the nearest name`(mistake: Mistake) throws {
        let range = try #require(Self.sound.range(of: mistake.part), "the sound manifest has no \(mistake.part)")
        let text = Self.sound.replacingCharacters(in: range, with: mistake.replacement)
        #expect(try issues(of: text) == mistake.issues)
    }

    @Test func `a valid manifest has no issues`() throws { #expect(try issues(of: Self.sound) == []) }

    @Test func `all mistakes are reported together, in the order of the text`() throws {
        let text = Self.sound.replacingOccurrences(of: #""type": "integer""#, with: #""type": "int""#)
            .replacingOccurrences(of: "identifiedBy", with: "identified").replacingOccurrences(of: "file", with: "fil")
        let places = [
            "4:7", "6:25", "8:48", "12:39", "13:38", "18:7", "19:39", "22:14", "26:5", "26:7", "27:5", "27:7", "28:5",
            "28:7",
        ]
        #expect(try issues(of: text).map { String($0.split(separator: " ")[0]) } == places)
    }

    @Test(.timeLimit(.minutes(5))) func `twenty thousand mistakes in one line are named with their positions`() throws {
        let wrong = (0..<20_000).map { #""a\#($0)":7"# }
        let text =
            #"{"model":{"T":{"attributes":{\#(wrong.joined(separator: ","))}}},"sources":[{"file":"t","entity":"T"}]}"#
        let found = try issues(of: text)
        let last = try #require(text.range(of: #""a19999":"#)).upperBound
        #expect(found.count == 20_000)
        #expect(found[0] == "1:35 $.model.T.attributes.a0: expected an object, found a number")
        #expect(
            found.last
                == "1:\(last.utf16Offset(in: text) + 1) $.model.T.attributes.a19999: expected an object, found a number"
        )
    }

    /// Manifests with a number of mistakes of one kind.
    private static let repeatedMistakes: [(name: String, text: @Sendable (Int) -> String)] = [
        ("attributes without a type", { manifest(attributes: list($0) { #""a\#($0)": {}"# }) }),
        ("unknown types", { manifest(attributes: list($0) { #""a\#($0)": { "type": "strin" }"# }) }),
        ("unknown keys", { manifest(attributes: list($0) { #""a\#($0)": { "type": "string", "formm": "x" }"# }) }),
        ("bad patterns", { manifest(attributes: list($0) { #""a\#($0)": { "type": "string", "match": "x" }"# }) }),
        ("relationships without data", { manifest(relationships: list($0) { #""r\#($0)": { "to": "T" }"# }) }),
        (
            "unknown inverses",
            { manifest(relationships: list($0) { #""r\#($0)": { "to": "T", "from": "x", "inverse": "q\#($0)" }"# }) }
        ),
        (
            "unknown attributes as keys",
            { manifest(relationships: list($0) { #""r\#($0)": { "to": "T", "by": "q\#($0)" }"# }) }
        ),
        ("unknown entities", { manifest(sources: list($0) { #"{ "file": "t\#($0)", "entity": "U\#($0)" }"# }) }),
        ("repeated sources", { manifest(sources: list($0) { _ in #"{ "file": "t", "entity": "T" }"# }) }),
    ]

    private static func list(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: ",")
    }

    private static func manifest(
        attributes: String = #""id": { "type": "string" }"#, relationships: String = "",
        sources: String = #"{ "file": "t", "entity": "T" }"#
    ) -> String {
        """
        { "model": { "T": { "attributes": { \(attributes) }, "relationships": { \(relationships) } } },
          "sources": [\(sources)] }
        """
    }

    @Test(arguments: repeatedMistakes.indices)
    func `twice as many mistakes take no more than three times as long`(index: Int) throws {
        func time(_ count: Int) throws -> Duration {
            let text = Self.repeatedMistakes[index].text(count)
            let start = ContinuousClock.now
            #expect(try issues(of: text).count >= count - 1)
            return start.duration(to: .now)
        }
        // Other tests run concurrently: the best of several measurements is used.
        var (one, two) = (Duration.seconds(1000), Duration.seconds(1000))
        for _ in 0..<5 where two > one * 3 || one == .seconds(1000) {
            one = min(one, try time(400))
            two = min(two, try time(800))
        }
        #expect(two <= one * 3, "\(Self.repeatedMistakes[index].name): \(one), then \(two)")
    }

    @Test(arguments: [
        (
            "{}",
            [
                "1:1 $.model: expected the key 'model', found no such key",
                "1:1 $.sources: expected the key 'sources', found no such key",
            ]
        ),
        (
            "[]",
            ["1:1 $: expected an object, found an array"]
        ),
        (
            #"{ "model": { "A": {} }, "sources": { "file": "a", "entity": "A" } }"#,
            ["1:36 $.sources: expected an array, found an object"]
        ),
        (
            #"{ "model": {}, "sources": [] }"#,
            ["1:12 $.model: the model has no entity", "1:27 $.sources: expected at least one source"]
        ),
        (
            "",
            ["1:1 $: expected a value, found an empty text"]
        ),
        (
            "{",
            ["1:2 $: expected a key in quotes or '}', found the end of the text"]
        ),
        (
            #"{ "model": { "A": { "attributes": { "x": { "type": "string" } } } }, "sources": [{ "file": "a" }, { "file": "a" }] }"#,
            ["1:99 $.sources[1]: is the same as sources[0]"]
        ),
        (
            #"{ "model": { "Ab": {}, "ab": {} }, "sources": [{ "file": "a" }] }"#,
            [
                "1:24 $.model.ab: the name 'ab' differs from 'Ab' in case only, which SQLite ignores",
                "1:30 $.model.ab: 'ab' already wraps elements of Ab; set 'elementName' for one of them",
            ]
        ),
        (
            #"{ "model": { "A": {}, "B": { "elementName": "a" } }, "sources": [{ "file": "a" }] }"#,
            ["1:28 $.model.B: 'a' already wraps elements of A; set 'elementName' for one of them"]
        ),
    ])
    func `an empty or ambiguous manifest says what is missing`(text: String, expected: [String]) throws {
        #expect(try issues(of: text) == expected)
    }

    private func issues(of manifest: String) throws -> [String] {
        let folder = try SeedFolder(["seed.json": manifest])
        do {
            _ = try ObjectSeeder(manifest: folder.folder.file("seed.json"), output: folder.output)
            return []
        } catch {
            #expect(error.kind == .badData && error.message.isEmpty)
            let place = folder.folder.path + "/seed.json:"
            return error.issues.map { $0.description.replacingOccurrences(of: place, with: "") }
        }
    }
}
