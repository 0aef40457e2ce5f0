import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct SourceFormsTests {
    /// The forms of a dump of two tasks, with the members of its source.
    static let forms: [(file: String, text: String, members: String)] = [
        ("a.json", #"[{"id":1,"name":"x"},{"id":2,"name":"y"}]"#, ""),
        ("a.json", "\u{FEFF} [ {\"id\":1,\"name\":\"x\"} , {\"id\":2,\"name\":\"y\"} ] \n", ""),
        ("a.ndjson", "{\"id\":1,\"name\":\"x\"}\n\n{\"id\":2,\"name\":\"y\"}", ""),
        ("a.jsonl", "{\"id\":1,\"name\":\"x\"}\r\n{\"id\":2,\"name\":\"y\"}\r\n", ""),
        ("A.NDJSON", "{\"id\":1,\"name\":\"x\"}\n{\"id\":2,\"name\":\"y\"}\n", ""),
        ("a.ndjson", #"{"id":1,"name":"x"}{"id":2,"name":"y"}"#, ""),
        ("a.ndjson", "{\n  \"id\":1,\n  \"name\":\"x\"\n}\n{\n  \"id\":2,\n  \"name\":\"y\"\n}\n", ""),
        ("a.ndjson", #"[{"id":1,"name":"x"},{"id":2,"name":"y"}]"#, #", "each": "element""#),
        ("a.ndjson", #"{"all":[{"id":1,"name":"x"},{"id":2,"name":"y"}]}"#, #", "each": "element", "at": "all""#),
        ("a.json", "{\"id\":1,\"name\":\"x\"}\n{\"id\":2,\"name\":\"y\"}", #", "each": "line""#),
        ("a.json", #"{"data":{"all":[{"id":1,"name":"x"},{"id":2,"name":"y"}]},"more":[]}"#, #", "at": "data.all""#),
        ("a.json", #"{"data.all":[{"id":1,"name":"x"},{"id":2,"name":"y"}]}"#, #", "at": "data\\.all""#),
        ("a.json", #"{"u":{"id":1,"name":"x"},"v":{"id":2,"name":"y"}}"#, #", "each": "member""#),
        ("a.json", #"{"at":{"u":{"id":1,"name":"x"},"v":{"id":2,"name":"y"}}}"#, #", "each": "member", "at": "at""#),
    ]

    @Test(arguments: forms.indices)
    func `each form of the dump gives the same two rows`(index: Int) throws {
        let form = Self.forms[index]
        let source = #"{ "file": "\#(form.file)", "entity": "Task"\#(form.members) }"#
        let folder = try SeedFolder([form.file: form.text, "seed.json": taskManifest(sources: source)])
        try folder.build()
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, 'x'", "2, 2, 'y'"])
    }

    @Test(arguments: [
        (#"{"data":null}"#, #", "at": "data""#), (#"{"data":null,"included":[]}"#, #", "at": "data.all""#),
        ("null", ""),
        (#"{"data":null}"#, #", "at": "data", "each": "member""#),
    ])
    func `null in place of the elements is a source without elements`(_ text: String, _ members: String) throws {
        let source = #"{ "file": "a.json", "entity": "Task"\#(members) }"#
        let folder = try SeedFolder(["a.json": text, "seed.json": taskManifest(sources: source)])
        let report = try folder.build()
        #expect(report.sources.map(\.read) == [0])
        #expect(try folder.rows("SELECT * FROM Task").isEmpty)
    }

    @Test func `a manifest can be compressed by gzip, like dumps`() throws {
        let folder = try SeedFolder(["tasks.json": #"[{"id":1,"name":"x"}]"#])
        let manifest = taskManifest(sources: #"{ "file": "tasks.json", "entity": "Task" }"#)
        try folder.folder.write(gzipMember(Data(manifest.utf8)), to: "seed.json.gz")
        let result = try folder.run("build", "seed.json.gz", "-o", "out.sqlite", "-q")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, 'x'"])
        try folder.folder.write(Data(manifest.utf8), to: "seed.json.gz")
        let broken = try folder.run("build", "seed.json.gz", "-o", "out.sqlite", "-q")
        #expect(broken.status == 65 && broken.errors.hasPrefix("seed-db: seed.json.gz is not valid gzip: "))
    }

    @Test func `a single object is one element, and an empty array has no elements`() throws {
        let sources = #"{ "file": "a.json", "entity": "Task" }, { "file": "b.json", "entity": "Task" }"#
        let folder = try SeedFolder([
            "a.json": #"{"id":1}"#, "b.json": "[]", "seed.json": taskManifest(sources: sources),
        ])
        let report = try folder.build()
        #expect(report.sources.map(\.read) == [1, 0])
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, NULL"])
    }

    @Test func `standard input is read like a file, and read again if an identity is repeated`() throws {
        let sources = #"{ "file": "-", "entity": "Task" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(sources: sources)])
        let dump = #"[{"id":1,"name":"x"},{"id":2},{"id":1,"name":"z"}]"#
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite", "--verbose", input: dump)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("Task repeats an identity: reading the sources again to merge its rows"))
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, 'z'", "2, 2, NULL"])
        #expect(try folder.folder.names == ["out.sqlite", "out.sqlite.sha256", "seed.json"])
    }

    @Test func `a pipe is read like a file`() throws {
        let sources = #"{ "file": "pipe", "entity": "Task" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(sources: sources)])
        let script =
            #"mkfifo pipe && { echo '[{"id":1},{"id":1}]' > pipe & } && seed-db build seed.json -o out.sqlite -q"#
        let result = try runShell(script, directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.rows("SELECT * FROM Task") == ["1, 1, NULL"])
    }

    @Test func `the name of a member is an attribute`() throws {
        let manifest = """
            { "model": { "Word": { "identifiedBy": "text", "attributes": {
                "text": { "from": "@key", "type": "string" }, "count": { "type": "integer" } } } },
              "sources": [{ "file": "words.json", "entity": "Word", "each": "member" }] }
            """
        let folder = try SeedFolder([
            "seed.json": manifest, "words.json": #"{"":{"count":1},"a \"b\"; --":{"count":2},"\u00e9":{"count":3}}"#,
        ])
        try folder.build()
        #expect(try folder.rows("SELECT text, count FROM Word") == ["'', 1", "'a \"b\"; --', 2", "'é', 3"])
    }

    @Test func `a wrapper's name selects the entity`() throws {
        let manifest = """
            { "model": {
                "ProjectTask": { "attributes": { "n": { "type": "integer" } } },
                "URLItem": { "attributes": { "n": { "type": "integer" } } },
                "User": { "elementName": "person", "attributes": { "n": { "type": "integer" } } } },
              "sources": [{ "file": "mixed.json", "at": "all" }] }
            """
        let dump = """
            {"all":[{"ProjectTask":{"n":1}},{"projectTask":{"n":2}},{"project_task":{"n":3}},{"url_item":{"n":4}},\
            {"person":{"n":5}}]}
            """
        let folder = try SeedFolder(["seed.json": manifest, "mixed.json": dump])
        try folder.build()
        #expect(try folder.rows("SELECT n FROM ProjectTask") == ["1", "2", "3"])
        #expect(try folder.rows("SELECT n FROM URLItem") == ["4"])
        #expect(try folder.rows("SELECT n FROM User") == ["5"])
        try folder.folder.write(#"{"all":[{"usr":{"n":5}},{"persn":{"n":1}}]}"#, to: "mixed.json")
        let (kind, lines) = try #require(try folder.buildError())
        #expect(kind == .badData)
        #expect(lines.count == 1 && lines[0].hasPrefix("mixed.json:1:9 $.all[0]: expected a wrapper: one of "))
        try folder.folder.write(#"{"all":[{"person":null}]}"#, to: "mixed.json")
        #expect(
            try folder.buildError()?.1 == [
                "mixed.json:1:9 $.all[0]: expected an object in the wrapper 'person', found null"
            ])
    }

    @Test(arguments: [
        (
            #"{"data":{"usrs":[]}}"#,
            "users.json:1:1 $: expected elements at 'data.users', found the keys usrs; did you mean 'usrs'?"
        ),
        (#"{"data":[]}"#, "users.json:1:1 $: expected elements at 'data.users', found nothing there"),
    ])
    func `a key path that finds nothing ends the build`(dump: String, message: String) throws {
        let source = #"{ "file": "users.json", "entity": "Task", "at": "data.users" }"#
        let folder = try SeedFolder(["seed.json": taskManifest(sources: source), "users.json": dump])
        let (kind, lines) = try #require(try folder.buildError { $0.onError = .skip })
        #expect(kind == .badData)
        #expect(lines == [message])
        #expect(try folder.folder.names == ["seed.json", "users.json"])
    }
}
