import Foundation
import TestSupport
import Testing

@Suite struct OutputFailureTests {
    static func folder(rows: Int = 20_000) throws -> SeedFolder {
        let tasks = (1...rows).map { #"{"id":\#($0),"name":"a task with the number \#($0)"}"# }
        return try SeedFolder(["seed.json": taskManifest(), "tasks.json": "[\(tasks.joined(separator: ","))]"])
    }

    private static let limit = "Raise the limit of file sizes (ulimit -f).\n"

    @Test(.disabled(if: isThreadSanitized)) func `a limit of file sizes applies to rejects and standard input, too`()
        throws
    {
        let folder = try Self.folder()
        let all = try folder.folder.text(of: "tasks.json")
        try folder.folder.write(all.replacingOccurrences(of: #""id":"#, with: #""no":"#), to: "tasks.json")
        var result = try runShell(
            "ulimit -f 256; exec seed-db build seed.json -o out.sqlite --on-error skip", directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(result.errors == "seed-db: cannot write out.sqlite.rejects.ndjson: File too large\n" + Self.limit)
        try folder.folder.write(taskManifest(sources: #"{ "file": "-", "entity": "Task" }"#), to: "seed.json")
        result = try runShell(
            "ulimit -f 256; exec seed-db build seed.json -o out.sqlite", input: Data(all.utf8),
            directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(result.errors == "seed-db: cannot write the copy of standard input: File too large\n" + Self.limit)
        #expect(try folder.folder.names == ["seed.json", "tasks.json"])
    }

    @Test(.enabled(if: hasFullDevice))
    func `a full device as output of messages is an error, a closed pipe is not`() throws {
        let folder = try Self.folder(rows: 1)
        var result = try runShell("seed-db build seed.json -o out.sqlite > /dev/full", directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(result.errors == "seed-db: cannot write to standard output: No space left on device\n")
        result = try runShell(
            "{ sleep 0.2; seed-db build seed.json -o out.sqlite; echo $? > status; } | true",
            directory: folder.folder.url)
        #expect(try folder.folder.text(of: "status") == "0\n")
        #expect(result.errors.isEmpty)
        result = try runShell("seed-db build seed.json -o out.sqlite --report /dev/full", directory: folder.folder.url)
        #expect(result.status == 74)
        #expect(result.errors == "seed-db: cannot write /dev/full: No space left on device\nFree some space there.\n")
    }

    @Test func `with closed standard descriptors, messages are not written to the files of a build`() throws {
        let folder = try Self.folder(rows: 300)
        let bad = (1...300).map { #"{"id":"no \#($0)"}"# } + [#"{"id":1}"#]
        try folder.folder.write("[\(bad.joined(separator: ","))]", to: "tasks.json")
        let build = "seed-db build seed.json -o out.sqlite --on-error skip --verbose --rejects r.ndjson"
        #expect(try runShell(build, directory: folder.folder.url).status == 0)
        let expected = try folder.folder.data(of: "out.sqlite")
        let rejects = try folder.folder.data(of: "r.ndjson")
        for closed in ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            let result = try runShell("\(build) \(closed)", directory: folder.folder.url)
            #expect(result.status == (closed == "2>&-" ? 0 : 74))
            #expect(try folder.folder.data(of: "out.sqlite") == expected)
            #expect(try folder.folder.data(of: "r.ndjson") == rejects)
            #expect(try runShell("sha256sum -c out.sqlite.sha256", directory: folder.folder.url).status == 0)
        }
    }

    @Test func `standard input cannot be the manifest and a source`() throws {
        let folder = try SeedFolder()
        let manifest = taskManifest(sources: #"{ "file": "-", "entity": "Task" }"#)
        let result = try folder.run("build", "-", "-o", "out.sqlite", input: manifest)
        #expect(result.status == 65)
        #expect(
            result.errors == """
                seed-db: standard input is the manifest, so no source can be read from it
                Pass either the manifest or the source as a file.

                """)
        #expect(try folder.folder.names.isEmpty)
    }

    @Test(arguments: [
        ("[1]", "standard input:1:1 $: expected an object, found an array\n  [1]\n  ^\n"),
        ("", "standard input:1:1 $: expected a value, found an empty text\n"),
    ])
    func `an invalid manifest on standard input is named, without an empty excerpt`(
        manifest: String, errors: String
    ) throws {
        let folder = try SeedFolder()
        let result = try folder.run("check", "-", input: manifest)
        #expect(result.status == 65)
        #expect(result.errors == errors)
    }

    @Test(arguments: [("<&-", "Bad file descriptor"), ("< .", "Is a directory")])
    func `standard input that cannot be read is a missing input`(input: String, reason: String) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "-", "entity": "Task" }"#)])
        let result = try runShell("seed-db build seed.json -o out.sqlite \(input)", directory: folder.folder.url)
        #expect(result.status == 66)
        #expect(result.errors == "seed-db: cannot read standard input: \(reason)\n")
        #expect(try folder.folder.names == ["seed.json"])
        let manifest = try runShell("seed-db check - \(input)", directory: folder.folder.url)
        #expect(manifest.status == 66)
        #expect(manifest.errors == result.errors)
    }

    @Test func `an unreadable dump is named before anything is built`() throws {
        let folder = try Self.folder(rows: 1)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0], ofItemAtPath: folder.folder.file("tasks.json").path)
        let drop = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups --" : ""
        let open = "chmod 777 . && cp \"$(command -v seed-db)\" ./tool && "
        let result = try runShell(
            open + "exec \(drop) ./tool build seed.json -o out.sqlite", directory: folder.folder.url)
        #expect(result.status == 66)
        #expect(result.errors == "seed-db: cannot read tasks.json: Permission denied\n")
    }

    @Test func `names can contain quotes, semicolons and line breaks`() throws {
        let name = "a \"b\"; DROP TABLE 'x' --\n\\c"
        let manifest = #"""
            { "model": {
                "Ta\"sk; --": { "identifiedBy": "i'd", "attributes": { "i'd": { "type": "string" },
                    "na\nme": { "type": "string" }, "select": { "type": "integer" } },
                    "relationships": { "o\"f; ": { "to": "Ta\"sk; --", "by": "na\nme" } } } },
              "sources": [{ "file": "du mp;'.json", "entity": "Ta\"sk; --" }] }
            """#
        let folder = try SeedFolder([
            "seed.json": manifest,
            "du mp;'.json":
                #"[{"i'd":"a';\u0000\n\"--","na\nme":"b"},{"i'd":"b","na\nme":"a';\u0000\n\"--","select":1}]"#,
        ])
        let result = try folder.run("build", "seed.json", "-o", name)
        #expect(result.status == 0, "\(result.errors)")
        let values = try rows(
            #"SELECT hex("i'd"), "na\#nme" = 'b', "select", "o""f; " FROM "Ta""sk; --""#, in: folder.folder.file(name))
        #expect(values == ["'61273B000A222D2D', 1, NULL, 2", "'62', 0, 1, 1"])
        let check = try runShell("sha256sum -c *.sha256", directory: folder.folder.url)
        #expect(check.status == 0, "\(check.errors)")
        #expect(try folder.run("inspect", name, "--verify").status == 0)
    }
}
