import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let errors: String

        init(_ arguments: String, _ status: Int32, _ errors: String = "") {
            self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            (self.status, self.errors) = (status, errors)
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let buildUsage = """

        Usage: seed-db build <manifest> --output <file> [--base <dir>]
            [--on-error <policy>] [--rejects <file>] [--strict-merge] [--update]
            [--report <file>] [--quiet] [--verbose]
          See 'seed-db build --help' for more information.

        """
    static let toolUsage = """

        Usage: seed-db <subcommand>
          See 'seed-db --help' for more information.

        """
    static let inspectUsage = """

        Usage: seed-db inspect <file> [--rows <count>] [--object <name>] [--verify]
          See 'seed-db inspect --help' for more information.

        """

    /// Calls in a folder with a valid manifest, its dump, and some invalid files.
    static let calls = [
        Call("build seed.json -o new.sqlite", 0),
        Call("build -onew.sqlite seed.json", 0),
        Call("build -o=new.sqlite seed.json", 0),
        Call("build -qvonew.sqlite seed.json", 0),
        Call("build -qo new.sqlite seed.json -qq", 0),
        Call("build --output=new.sqlite --quiet -- seed.json", 0),
        Call("build seed.json -o new.sqlite --base sub", 0),
        Call("--help", 0),
        Call("-h", 0),
        Call("--version", 0),
        Call("build --help", 0),
        Call("build --version", 0),
        Call("help", 0),
        Call("help build", 0),
        Call("help help", 0),
        Call("keypath 0.id tasks.json --help", 0),
        // With --help, mistakes are ignored.
        Call("build --no-such-option -h", 0),
        Call("", 64, "seed-db: a subcommand is missing" + toolUsage),
        Call("biuld", 64, "seed-db: unknown subcommand 'biuld'; did you mean 'build'?" + toolUsage),
        Call("buld", 64, "seed-db: unknown subcommand 'buld'; did you mean 'build'?" + toolUsage),
        Call("--versoin", 64, "seed-db: unknown option '--versoin'; did you mean '--version'?" + toolUsage),
        Call(
            "--generate-completion-script fsh", 64,
            "seed-db: option '--generate-completion-script' is 'bash', 'zsh' or 'fish', not 'fsh'; did you mean 'fish'?"
                + toolUsage),
        Call("build", 64, "seed-db: missing argument <manifest>" + buildUsage),
        Call("build -- --help", 64, "seed-db: missing option --output <file>" + buildUsage),
        Call("build seed.json", 64, "seed-db: missing option --output <file>" + buildUsage),
        Call("build seed.json -o", 64, "seed-db: option '-o' needs a value: -o <file>" + buildUsage),
        Call("build '' -o x.sqlite", 64, "seed-db: <manifest> must not be empty" + buildUsage),
        Call("build seed.json -o ''", 64, "seed-db: option '-o' needs a value: -o <file>" + buildUsage),
        Call("build seed.json --output=", 64, "seed-db: option '--output' needs a value: --output <file>" + buildUsage),
        Call(
            "build seed.json -o --quiet", 64,
            "seed-db: option '-o' needs a value: -o <file>; did you mean '-o=--quiet'?" + buildUsage),
        Call("build seed.json -o x --output=y", 64, "seed-db: option '--output' is given twice" + buildUsage),
        Call(
            "build seed.json -o -", 64,
            "seed-db: option '--output' needs a file, not standard output; for a file named '-' write './-'"
                + buildUsage),
        Call(
            "build seed.json -o x --rejects=-", 64,
            "seed-db: option '--rejects' needs a file, not standard output; for a file named '-' write './-'"
                + buildUsage
        ),
        Call("build seed.json more.json -o x", 64, "seed-db: unexpected argument 'more.json'" + buildUsage),
        Call(
            "build seed.json -o x --quite", 64,
            "seed-db: unknown option '--quite'; did you mean '--quiet'?" + buildUsage),
        Call(
            "build seed.json --out x", 64, "seed-db: unknown option '--out'; did you mean '--output'?" + buildUsage),
        Call(
            "build seed.json -quiet", 64, "seed-db: unknown option '-quiet'; did you mean '--quiet'?" + buildUsage),
        Call(
            "build seed.json -o x --onerror=skip", 64,
            "seed-db: unknown option '--onerror'; did you mean '--on-error'?" + buildUsage),
        Call(
            "build seed.json -o x --on-error stop", 64,
            "seed-db: option '--on-error' is 'fail' or 'skip', not 'stop'" + buildUsage),
        Call(
            "build seed.json -o x --on-error skipp", 64,
            "seed-db: option '--on-error' is 'fail' or 'skip', not 'skipp'; did you mean 'skip'?" + buildUsage),
        Call("build seed.json -o x --quiet=1", 64, "seed-db: option '--quiet' takes no value" + buildUsage),
        Call("build seed.json -o x -q=1", 64, "seed-db: option '-q' takes no value" + buildUsage),
        Call("build seed.json -o x -z", 64, "seed-db: unknown option '-z'" + buildUsage),
        Call("build seed.json -o x -qz", 64, "seed-db: unknown option '-z' in '-qz'" + buildUsage),
        Call(
            "keypath a.@conut tasks.json", 64,
            """
            seed-db: expected a collection operator, found '@conut' in the key path 'a.@conut'; did you mean '@count'?
            Usage: seed-db keypath <path> <file>
              See 'seed-db keypath --help' for more information.

            """),
        Call(
            "inspect tasks.json --rows many", 64,
            "seed-db: option '--rows' needs a number, 0 or greater, not 'many'" + inspectUsage),
        Call(
            "inspect tasks.json --rows=-1", 64,
            "seed-db: option '--rows' needs a number, 0 or greater, not '-1'" + inspectUsage),
        Call(
            "build broken.json -o x.sqlite", 65,
            "broken.json:3:1 $: expected a key in quotes after the comma, found '}'\n  }\n  ^\n"),
        Call(
            "build tasks.json -o x.sqlite", 65,
            "tasks.json:1:1 $: expected an object, found an array\n  [{\"id\":1,\"name\":\"x\"}]\n  ^\n"),
        Call(
            "inspect tasks.json", 65,
            "seed-db: 'tasks.json' is not a SQLite database: it has 21 bytes\nMove it away, or build or copy it again.\n"
        ),
        Call("inspect empty", 65, "seed-db: 'empty' is empty: it has no database\n"),
        Call("keypath id.name tasks.json", 65, "seed-db: tasks.json: no value at 'id.name': 'id' has no key 'name'\n"),
        Call(
            "keypath nmae tasks.json", 65,
            "seed-db: tasks.json: no value at 'nmae': the document has no key 'nmae'; did you mean 'name'?\n"),
        Call("build absent.json -o x.sqlite", 66, "seed-db: cannot read absent.json: No such file or directory\n"),
        Call("build sub -o x.sqlite", 66, "seed-db: cannot read sub: Is a directory\n"),
        Call(
            "build lost.json -o x.sqlite", 66,
            "seed-db: cannot read a: No such file or directory\ncannot read sub: Is a directory\ncannot read b: No such file or directory\n"
        ),
        Call(
            "build seed.json -o x.sqlite --base absent", 66,
            "seed-db: cannot read absent/tasks.json: No such file or directory\n"),
        Call("inspect absent.sqlite", 66, "seed-db: cannot read absent.sqlite: No such file or directory\n"),
        Call("keypath id absent.json", 66, "seed-db: cannot read absent.json: No such file or directory\n"),
        Call(
            "build seed.json -o absent/x.sqlite", 73,
            "seed-db: cannot create absent/x.sqlite: No such file or directory\nThe folder absent does not exist; create it first.\n"
        ),
        Call("build seed.json -o sub", 73, "seed-db: cannot create sub: it is a folder\nName a file to write.\n"),
        Call("build seed.json -o sub/", 73, "seed-db: cannot create sub/: it is a folder\nName a file to write.\n"),
        Call(
            "build seed.json -o tasks.json/x.sqlite", 73,
            "seed-db: cannot create tasks.json/x.sqlite: Not a directory\n"),
        Call(
            "build seed.json -o tasks.json", 73,
            "seed-db: cannot create tasks.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o link.json", 73,
            "seed-db: cannot create link.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o seed.json", 73,
            "seed-db: cannot create seed.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o /dev/null", 73,
            "seed-db: cannot create /dev/null: it is not a regular file\nName a file to write.\n"),
        Call(
            "build seed.json -o /proc/x.sqlite", 73,
            "seed-db: cannot create /proc/x.sqlite: No such file or directory\n"),
        Call(
            "build seed.json -o x.sqlite --rejects x.sqlite", 73,
            "seed-db: cannot write the rejected elements to x.sqlite: the database is written there\nName another file.\n"
        ),
        Call(
            "build seed.json -o x.sqlite --report ./x.sqlite", 73,
            "seed-db: cannot write the report to ./x.sqlite: the database is written there\nName another file.\n"),
        Call(
            "build seed.json -o x.sqlite --report X.SQLite", 73,
            """
            seed-db: cannot write the report to X.SQLite: the database is written there
            Name another file: many file systems ignore case and Unicode form.

            """),
        Call(
            "build seed.json -o caf\u{E9} --report cafe\u{301}", 73,
            """
            seed-db: cannot write the report to cafe\u{301}: the database is written there
            Name another file: many file systems ignore case and Unicode form.

            """),
        Call(
            "build seed.json -o x.sqlite --report x.sqlite.sha256", 73,
            "seed-db: cannot write the report to x.sqlite.sha256: the checksum is written there\nName another file.\n"),
        Call(
            "build seed.json -o x.sqlite --report r --rejects r", 73,
            "seed-db: cannot write the report to r: the rejected elements are written there\nName another file.\n"),
        Call(
            "build seed.json -o x.sqlite --report tasks.json", 73,
            "seed-db: cannot create tasks.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o x.sqlite --report seed.json", 73,
            "seed-db: cannot create seed.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o x.sqlite --rejects tasks.json --on-error skip", 73,
            "seed-db: cannot create tasks.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o x.sqlite --rejects link.json", 73,
            "seed-db: cannot create link.json: it is also an input\nWrite to another file.\n"),
        Call(
            "build seed.json -o x.sqlite --rejects x.sqlite.sha256", 73,
            "seed-db: cannot write the rejected elements to x.sqlite.sha256: the checksum is written there\nName another file.\n"
        ),
        Call(
            "build seed.json -o x.sqlite --rejects sub", 73,
            "seed-db: cannot create sub: it is a folder\nName a file to write.\n"),
        Call(
            "build seed.json -o x.sqlite --rejects absent/r.ndjson", 73,
            "seed-db: cannot create absent/r.ndjson: No such file or directory\nThe folder absent does not exist; create it first.\n"
        ),
        Call(
            "build seed.json -o x.sqlite --report absent/r.json", 73,
            "seed-db: cannot create absent/r.json: No such file or directory\nThe folder absent does not exist; create it first.\n"
        ),
        Call(
            "build seed.json -o x.sqlite --report sub", 73,
            "seed-db: cannot create sub: it is a folder\nName a file to write.\n"),
    ]

    @Test(arguments: calls)
    func `each failure has a status and a message, and leaves no files`(call: Call) throws {
        let folder = try Self.folder()
        let before = try folder.folder.names
        let result = try runExecutable(
            named: "seed-db", arguments: call.arguments, environment: ["COLUMNS": "80"], directory: folder.folder.url)
        #expect(result.status == call.status)
        #expect(result.errors == call.errors)
        guard call.status != 0 else { return }
        #expect(result.output.isEmpty)
        #expect(try folder.folder.names == before)
    }

    static func folder() throws -> SeedFolder {
        let folder = try SeedFolder([
            "seed.json": taskManifest(), "tasks.json": #"[{"id":1,"name":"x"}]"#, "sub/tasks.json": "[]", "empty": "",
            "broken.json": "{\n  \"model\": {},\n}",
            "lost.json": taskManifest(
                sources:
                    #"{ "file": "tasks.json", "entity": "Task" }, { "file": "a", "entity": "Task" }, { "file": "sub", "entity": "Task" }, { "file": "b", "entity": "Task" }"#
            ),
        ])
        try FileManager.default.createSymbolicLink(
            at: folder.folder.file("link.json"), withDestinationURL: folder.folder.file("tasks.json"))
        return folder
    }
}
