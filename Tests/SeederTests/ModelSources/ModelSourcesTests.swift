import Foundation
import Seeder
import TestSupport
import Testing

/// The generated sources of manifests, byte for byte.
@Suite struct ModelSourcesTests {
    static let manifests = [
        (resource("Examples/Data/tracker/seed.json"), "tracker"),
        (resource("Examples/Data/iso-codes/seed.json"), "iso-codes"), (fixture("odd-names/seed.json"), "odd-names"),
    ]

    /// `RENEW_SNAPSHOTS=1` writes the files again.
    @Test(arguments: manifests, ModelSources.Kind.allCases)
    func `the generated sources match the fixture`(_ manifest: (URL, String), _ kind: ModelSources.Kind) throws {
        let folder = try SeedFolder(["seed.json": manifestText(manifest.0, for: kind)])
        let sources = try ModelSources(manifest: folder.folder.file("seed.json"), kind: kind)
        let file = fixture("models/\(manifest.1)-\(kind.rawValue).txt")
        if ProcessInfo.processInfo.environment["RENEW_SNAPSHOTS"] != nil {
            try Data(sources.text.utf8).write(to: file)
        }
        #expect(try sources.text == String(contentsOf: file, encoding: .utf8))
        #expect(try ModelSources(manifest: folder.folder.file("seed.json"), kind: kind).files == sources.files)
    }

    @Test func `each file has its own comment and imports`() throws {
        let sources = try ModelSources(manifest: resource("Examples/Data/tracker/seed.json"), kind: .structs)
        #expect(sources.files.map(\.name) == ["User.swift", "Project.swift", "Task.swift", "Dumps.swift"])
        #expect(
            sources.files[0].text == """
                // Written for seed.json by: seed-db models seed.json --kind structs

                import ObjectMapping

                struct User: Mappable {
                    var id = 0
                    var name: String?

                    static let mapping = Mapping(User.init) {
                        Attribute("id", \\.id).required
                        Attribute("name", \\.name)
                    }
                    .identified(by: \\.id)
                }

                """)
    }

    @Test func `a manifest's name cannot end the comment that contains it`() throws {
        let folder = try SeedFolder(["a\nimport Evil\u{2028}.json": taskManifest()])
        let sources = try ModelSources(manifest: folder.folder.file("a\nimport Evil\u{2028}.json"))
        #expect(
            sources.files[0].text.hasPrefix(
                "// Written for a import Evil .json by: seed-db models a import Evil .json\n\nimport ObjectMapping\n"))
    }

    /// The declarations of relationships with declarations on both sides.
    @Test(arguments: [
        (
            #""children": { "to": "Task", "many": true, "from": "children" }"#,
            ["    var children: [Task] = []"]
        ),
        (
            #""next": { "to": "Task", "by": "nextID" }"#,
            [
                "    /// Weak, to avoid a reference cycle; a session or `Dumps` holds the object.",
                "    weak var next: Task?",
            ]
        ),
        (
            #""friends": { "to": "Task", "by": "friendIDs", "many": true }"#,
            [
                "    /// A reference cycle: clear this property to free the objects.",
                "    var friends: [Task] = []",
            ]
        ),
        (
            #""first": { "to": "Task", "from": "first" }, "owners": { "to": "Task", "many": true, "inverse": "first" }"#,
            [
                "    var first: Task?", "    /// The objects of a session whose `first` refers to this object.",
                "    func owners(in session: MappingSession) -> [Task] {",
                "        session.all(Task.self).filter { other in", "            other.first === self", "        }",
                "    }",
            ]
        ),
        (
            #""friends": { "to": "Task", "by": "friendIDs", "many": true }, "fans": { "to": "Task", "many": true, "inverse": "friends" }"#,
            [
                "    func fans(in session: MappingSession) -> [Task] {",
                "            other.friends.contains { $0 === self }",
            ]
        ),
        (
            #""next": { "to": "Task", "by": "nextID" }, "previous": { "to": "Task", "inverse": "next" }"#,
            [
                "            if oldValue?.previous === self { oldValue?.previous = nil }",
                "            next?.previous = self",
                "    weak var previous: Task?",
            ]
        ),
        (
            #""next": { "to": "Task", "by": "nextID", "when": { "name": null, "id": null } }"#,
            ["        Connection(\\.next, by: \\.nextID).when { _ in false }.when(\\.name, equals: nil)"]
        ),
    ]) func `relationships become properties or functions`(relationships: String, lines: [String]) throws {
        let attributes =
            #""name": { "type": "string" }, "nextID": { "type": "integer" }, "friendIDs": { "type": "[integer]" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(attributes: attributes, relationships: relationships)])
        let text = try ModelSources(manifest: folder.folder.file("seed.json")).text
        let written = text.split(separator: "\n").map(String.init)
        for line in lines { #expect(written.contains(line), "\(text)") }
    }

    @Test func `an object without an identity is not searched in a session`() throws {
        let folder = try SeedFolder([
            "seed.json": """
            { "model": {
                "Note": { "attributes": { "text": { "type": "string" } },
                  "relationships": { "task": { "to": "Task", "from": "task" } } },
                "Task": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } },
                  "relationships": { "notes": { "to": "Note", "many": true, "inverse": "task" } } } },
              "sources": [{ "file": "notes.json", "entity": "Note" }] }
            """
        ])
        let text = try ModelSources(manifest: folder.folder.file("seed.json")).text
        #expect(
            text.contains(
                "    // notes: `Note.task` refers to this object, but a session does not track objects without an identity.\n}\n"
            ),
            "\(text)")
    }

    @Test func `a packed dump is named`() throws {
        let folder = try SeedFolder([
            "seed.json": taskManifest(
                sources:
                    #"{ "file": "tasks.json.gz", "entity": "Task" }, { "file": "/a/b.json", "entity": "Task", "at": "x" }"#
            )
        ])
        let text = try ModelSources(manifest: folder.folder.file("seed.json")).text
        #expect(
            text.hasSuffix(
                """
                    /// Reads the dumps of a folder.
                    ///
                    /// Unpack these files first: tasks.json.gz.
                    init(in folder: URL) throws {
                        func bytes(_ file: String) throws -> Data { try Data(contentsOf: folder.appending(path: file)) }
                        _ = try Task.mapping.mapAll(bytes("tasks.json"), in: session)
                        _ = try Task.mapping.mapAll(Data(contentsOf: URL(filePath: "/a/b.json")), at: "x", in: session)
                        tasks = session.all(Task.self)
                    }
                }

                """), "\(text)")
    }
}
