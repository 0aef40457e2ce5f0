import Foundation
import TestSupport
import Testing

/// `seed-db infer`: its outputs, and its errors for invalid input.
@Suite struct InferTests {
    private static let usage = """

        Usage: seed-db infer <dump> ... [--output <file>] [--base <dir>] [--force]
            [--report <file>] [--quiet]
          See 'seed-db infer --help' for more information.

        """

    private static let files = [
        "users.json": #"[{"id":1,"name":"Ada"},{"id":2}]"#,
        "broken.json": "[{\"id\":1},\n {\"id\":2,}]",
        "empty.json": "",
        "scalars.json": "[1,2,3]",
        "none.json": "[]",
        "noobject.json": "{}",
        "hello.json": "hello",
        "number.json": "42",
        "oneoff.json": #"[{"id":1},5]"#,
        "bad.ndjson": "{\"id\":1}\n{\"id\":2\n",
        "seed.json": "a person wrote this",
        "folder/x": "",
    ]

    struct Call: Sendable, CustomTestStringConvertible {
        let arguments: String
        let status: Int32
        let errors: String
        var testDescription: String { arguments }

        init(_ arguments: String, _ status: Int32, _ errors: String) {
            (self.arguments, self.status, self.errors) = (arguments, status, errors)
        }
    }

    static let calls = [
        Call("", 64, "seed-db: missing argument <dump>" + usage),
        Call("users.json --fource", 64, "seed-db: unknown option '--fource'; did you mean '--force'?" + usage),
        Call(
            "broken.json", 65,
            """
            broken.json:2:10 $[1]: expected a key in quotes after the comma, found '}'
              {"id":2,}]
                      ^

            """),
        Call("empty.json", 65, "empty.json:1:1 $: expected a value, found an empty text\n"),
        Call("none.json", 65, "seed-db: none.json: no elements to infer a manifest from\n"),
        Call(
            "none.json noobject.json", 65,
            "seed-db: none.json, noobject.json: no elements to infer a manifest from\n"),
        Call(
            "hello.json", 65,
            "hello.json:1:1 $: expected a value, found an invalid literal\n  hello\n  ^\n"),
        Call("number.json", 65, "number.json:1:1 $: expected an object, found a number\n  42\n  ^\n"),
        Call(
            "oneoff.json", 65,
            "oneoff.json:1:11 $[1]: expected an object, found a number\n  [{\"id\":1},5]\n            ^\n"),
        Call(
            "bad.ndjson", 65,
            "bad.ndjson:2:8 $: expected a comma or '}', found the end of the line\n  {\"id\":2\n         ^\n"),
        Call("users.json users.json", 65, "seed-db: users.json is listed twice\nList each dump once.\n"),
        Call(
            "users.json ./users.json", 65,
            "seed-db: ./users.json is listed twice, also as users.json\nList each dump once.\n"),
        Call("- -", 65, "seed-db: standard input is listed twice\nList each dump once.\n"),
        Call(
            "absent.json gone.json", 66,
            """
            seed-db: cannot read absent.json: No such file or directory
            cannot read gone.json: No such file or directory

            """),
        Call("folder", 66, "seed-db: cannot read folder: Is a directory\n"),
        Call(
            "users.json -o seed.json", 73,
            """
            seed-db: cannot create seed.json: the file exists, and may have been edited
            Write to another file, or replace it with --force.

            """),
        Call(
            "users.json -o ./users.json --force", 73,
            "seed-db: cannot create ./users.json: it is also an input\nWrite to another file.\n"),
        Call(
            "users.json --report users.json", 73,
            "seed-db: cannot create users.json: it is also an input\nWrite to another file.\n"),
        Call(
            "users.json -o new.json --report ./new.json", 73,
            "seed-db: cannot write the report to ./new.json: the manifest is written there\nName another file.\n"),
        Call(
            "users.json -o new.json --report New.json", 73,
            """
            seed-db: cannot write the report to New.json: the manifest is written there
            Name another file: many file systems ignore case and Unicode form.

            """),
        Call(
            "users.json -o no/new.json", 73,
            """
            seed-db: cannot create no/new.json: No such file or directory
            The folder no does not exist; create it first.

            """),
        Call("users.json -o folder", 73, "seed-db: cannot create folder: it is a folder\nName a file to write.\n"),
    ]

    @Test(arguments: calls)
    func `a failed inference has a status and a message, and writes nothing`(call: Call) throws {
        let folder = try SeedFolder(Self.files)
        let before = try folder.folder.names
        let result = try runExecutable(
            named: "seed-db", arguments: ["infer"] + call.arguments.split(separator: " ").map(String.init),
            directory: folder.folder.url)
        #expect(result.status == call.status)
        #expect(result.errors == call.errors)
        #expect(result.output == "")
        #expect(try folder.folder.names == before)
        #expect(try folder.folder.text(of: "seed.json") == "a person wrote this")
    }

    @Test(.enabled(if: hasFullDevice))
    func `an inference into a full device is an error`() throws {
        let folder = try SeedFolder(Self.files)
        let result = try runShell("seed-db infer users.json -o /dev/full -q", directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(result.errors == "seed-db: cannot write /dev/full: No space left on device\nFree some space there.\n")
    }

    private static let findings = """
        users.json -> User: 2 elements
        User.name optional: missing in 1 of 2 objects
        User.id identity: 2 of 2 distinct, never null

        """

    private static func manifest(_ file: String, entity: String = "User") -> String {
        """
        {
          "model": {
            "\(entity)": {
              "identifiedBy": "id",
              "attributes": {
                "id":   { "type": "integer", "optional": false },
                "name": { "type": "string" }
              }
            }
          },
          "sources": [
            { "file": "\(file)", "entity": "\(entity)" }
          ]
        }

        """
    }

    @Test func `the manifest is written to standard output, the findings to standard error`() throws {
        let folder = try SeedFolder(Self.files)
        let result = try folder.run("infer", "users.json")
        #expect(result.status == 0)
        #expect(result.output == Self.manifest("users.json"))
        #expect(result.errors == Self.findings)
        #expect(try folder.run("infer", "users.json", "--quiet").errors == "")
    }

    @Test func `a manifest is replaced only with an option`() throws {
        let folder = try SeedFolder(Self.files)
        let result = try folder.run("infer", "users.json", "-o", "seed.json", "--force", "-q")
        #expect(result.status == 0 && result.output == "" && result.errors == "")
        #expect(try folder.folder.text(of: "seed.json") == Self.manifest("users.json"))
        try folder.build()
        #expect(try folder.rows("SELECT id, name FROM User") == ["1, 'Ada'", "2, NULL"])
    }

    @Test(arguments: [
        (["users.json", "-o", "folder/new.json"], "folder/new.json", "../users.json"),
        (["./folder/../users.json", "-o", "new.json"], "new.json", "users.json"),
        (["users.json", "-o", "new.json", "--base", "folder"], "new.json", "../users.json"),
        (["users.json", "-o", "folder/new.json", "--base", "."], "folder/new.json", "users.json"),
    ])
    func `file paths are relative to the folder of the manifest, or to a given folder`(
        arguments: [String], output: String, name: String
    ) throws {
        let folder = try SeedFolder(Self.files)
        let result = try runExecutable(
            named: "seed-db", arguments: ["infer", "-q"] + arguments, directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.folder.text(of: output) == Self.manifest(name))
    }

    @Test func `a distant dump has an absolute path`() throws {
        let (folder, other) = (try SeedFolder(Self.files), try TemporaryDirectory())
        let path = folder.folder.file("users.json").path
        let result = try runExecutable(
            named: "seed-db", arguments: ["infer", "-q", path, "-o", "new.json"], directory: other.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try other.text(of: "new.json") == Self.manifest(path))
        let near = try folder.run("infer", "-q", path, "-o", "new.json")
        #expect(near.status == 0)
        #expect(try folder.folder.text(of: "new.json") == Self.manifest("users.json"))
    }

    @Test func `standard input and gzip are read like in a build`() throws {
        let folder = try SeedFolder(Self.files)
        let text = try folder.folder.text(of: "users.json")
        let result = try folder.run("infer", "-", "-q", input: text)
        #expect(result.output == Self.manifest("-", entity: "Item"))
        try folder.folder.write(gzipMember(text), to: "users.json.gz")
        #expect(try folder.run("infer", "users.json.gz", "-q").output == Self.manifest("users.json.gz"))
    }

    @Test func `lines from standard input are found, and the source says so`() throws {
        let result = try SeedFolder(Self.files).run("infer", "-", "-q", input: "{\"id\":1}\n{\"id\":2}\n")
        #expect(result.status == 0)
        #expect(result.output.contains(#"{ "file": "-", "entity": "Item", "each": "line" }"#))
    }

    /// Files whose elements are not arranged as their names say, with the member that the draft adds to the source.
    static let arrangements = [
        ("a.json", "{\"id\":1}\n{\"id\":2}", #", "each": "line""#),
        ("a.json", #"{"id":1}{"id":2}"#, #", "each": "line""#),
        ("a.json", "{\n\"id\":1}\n{\n\"id\":2}\n", #", "each": "line""#),
        (
            "a.json", "{\"id\":1,\"x\":\"" + String(repeating: "x", count: 300_000) + "\"}\n{\"id\":2}",
            #", "each": "line""#
        ),
        ("a.ndjson", #"[{"id":1},{"id":2}]"#, #", "each": "element""#),
        ("a.ndjson", "[\n{\"id\":1},\n{\"id\":2}\n]\n", #", "each": "element""#),
        ("a.jsonl", "{\n  \"id\":1\n}\n{\n  \"id\":2\n}", ""), ("a.jsonl", #"{"id":1}{"id":2}"#, ""),
        ("a.jsonl", #"{"id":1} {"id":2}"#, ""),
    ]

    @Test(arguments: arrangements)
    func `the content of a dump decides how its elements are arranged, and the draft is built and checked`(
        _ name: String, _ text: String, _ each: String
    ) throws {
        let folder = try SeedFolder([name: text])
        let result = try folder.run("infer", name, "-q", "-o", "seed.json")
        #expect(result.status == 0, "\(result.errors)")
        let source = #"{ "file": "\#(name)", "entity": "Item"\#(each) }"#
        #expect(try folder.folder.text(of: "seed.json").replacing(#""A""#, with: #""Item""#).contains(source))
        #expect(try folder.run("check", "seed.json").status == 0)
        #expect(try folder.run("build", "seed.json", "-q", "-o", "out.sqlite").status == 0)
        #expect(try folder.rows("SELECT _id, id FROM A") == ["1, 1", "2, 2"])
    }

    @Test(arguments: [
        (
            "a.json", #"{"id":1}{"id":2}"#,
            #"If it contains one element after the other, add "each": "line" to the source."#
        ),
        ("a.json", "{\"id\":1}\n{\"id\":2}", #"If it contains one element after the other, add "each": "line""#),
        ("a.json", #"[{"id":1}][{"id":2}]"#, "If it contains several arrays, write their elements as one array."),
        ("a.ndjson", #"[{"id":1}]"#, #"If it contains one array, add "each": "element" to the source."#),
        ("a.ndjson", "[\n{\"id\":1}\n]", #"If it contains one array, add "each": "element" to the source."#),
        ("a.jsonl", "{\"id\":1},\n{\"id\":2}", "Write each element on its own line, without a comma after it."),
    ])
    func `elements that are not arranged like the manifest says are errors with advice`(
        _ name: String, _ text: String, _ advice: String
    ) throws {
        let seed = """
            { "model": { "Item": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } } } },
              "sources": [{ "file": "\(name)", "entity": "Item" }] }
            """
        let folder = try SeedFolder([name: text, "seed.json": seed])
        let result = try folder.run("build", "seed.json", "-o", "x.sqlite")
        #expect(result.status == 65)
        #expect(result.errors.contains("\n" + advice), "\(result.errors)")
    }

    @Test(arguments: [("a.json", "[1] x"), ("a.ndjson", "{\"id\":1"), ("a.ndjson", "{\"id\":1}\n[{\"id\":2}]")])
    func `other errors have no advice about lines`(_ name: String, _ text: String) throws {
        let result = try SeedFolder([name: text]).run("infer", name)
        #expect(result.status == 65 && !result.errors.contains("each"), "\(result.errors)")
    }

    @Test func `a link is named by its own name`() throws {
        let folder = try SeedFolder(Self.files)
        try folder.folder.write("{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2}\n", to: "data.json")
        for (link, target) in [("lines.ndjson", "data.json"), ("today.json", "users.json")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.folder.file(link).path, withDestinationPath: target)
        }
        #expect(try folder.run("infer", "today.json", "-q").output == Self.manifest("today.json", entity: "Today"))
        // The name determines the format.
        #expect(try folder.run("infer", "lines.ndjson", "-q").output == Self.manifest("lines.ndjson", entity: "Line"))
    }

    @Test func `a file named like standard input has a path that a build reads`() throws {
        let folder = try SeedFolder(Self.files)
        try folder.folder.write(try folder.folder.text(of: "users.json"), to: "-")
        let result = try folder.run("infer", "./-", "-o", "new.json")
        #expect(try folder.folder.text(of: "new.json") == Self.manifest("./-", entity: "Item"))
        #expect(result.errors.hasPrefix("./- -> Item: 2 elements\n"))
        #expect(try folder.run("build", "new.json", "-o", "out.sqlite", "-q").status == 0)
    }

    @Test func `a temporary dump is reported`() throws {
        let folder = try SeedFolder(Self.files)
        let result = try folder.run("infer", "/dev/stdin", input: try folder.folder.text(of: "users.json"))
        #expect(
            result.errors.contains("uncertain: /dev/stdin is not a permanent file: a build cannot read it again\n"),
            "\(result)")
    }

    @Test func `the guesses are written as JSON, too`() throws {
        let folder = try SeedFolder(Self.files)
        let result = try folder.run("infer", "users.json", "-q", "--report", "why.json")
        #expect(result.status == 0)
        #expect(
            try folder.folder.text(of: "why.json").hasPrefix(
                """
                {
                  "findings": [
                    {
                      "kind": "source",
                      "subject": "users.json",
                      "evidence": "-> User: 2 elements",
                      "certainty": "certain"
                    },
                """))
    }
}
