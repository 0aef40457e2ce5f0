import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct CheckTests {
    /// A manifest of users and of tasks assigned to them.
    static func folder(users: String, tasks: String, tasksFile: String = "tasks.json") throws -> SeedFolder {
        try SeedFolder([
            "seed.json": """
            { "model": {
                "User": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" }, "name": { "type": "string" } } },
                "Task": { "identifiedBy": "id",
                    "attributes": { "id": { "type": "integer" }, "userID": { "from": "user", "type": "integer" } },
                    "relationships": { "user": { "to": "User", "by": "userID" } } } },
              "sources": [{ "file": "\(tasksFile)", "entity": "Task" }, { "file": "users.json", "entity": "User" }] }
            """, "users.json": users, tasksFile: tasks,
        ])
    }

    @Test func `valid dumps are counted, and nothing is written`() throws {
        let folder = try Self.folder(
            users: #"[{"id":1,"name":"Ada"},{"id":2}]"#, tasks: #"[{"id":1,"user":2},{"id":2,"user":1},{"id":1}]"#)
        let result = try folder.run("check", "seed.json")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        #expect(
            result.output == """
                seed.json: valid

                  User  2 rows
                  Task  2 rows  (1 merged)

                """)
        #expect(try folder.folder.names == ["seed.json", "tasks.json", "users.json"])
    }

    @Test func `all mistakes of all dumps are reported together`() throws {
        let folder = try Self.folder(
            users: #"[{"id":1,"name":["x"]},{"name":1},{"id":"3"},{"id":4"#,
            tasks: "{\"id\":1,\"user\":\"x\"}\n{\"id\":2\n{\"id\":3,\"user\":9,\"user\":8}\n", tasksFile: "tasks.ndjson"
        )
        let result = try folder.run("check", "seed.json")
        #expect(result.status == 65)
        #expect(
            result.errors == """
                tasks.ndjson:1:16 $.user: expected an integer, found a string that cannot be converted to an integer (rule user -> Task.userID)
                  {"id":1,"user":"x"}
                                 ^
                tasks.ndjson:2:8 $: expected a comma or '}', found the end of the line
                  {"id":2
                         ^
                users.json:1:17 $[0].name: expected a string, found an array (rule name -> User.name)
                  [{"id":1,"name":["x"]},{"name":1},{"id":"3"},{"id":4
                                  ^
                users.json:1:24 $[1].id: expected the key 'id', found no such key (rule id -> User.id)
                  [{"id":1,"name":["x"]},{"name":1},{"id":"3"},{"id":4
                                         ^
                users.json:1:53 $[3]: expected a comma or '}', found the end of the text
                  [{"id":1,"name":["x"]},{"name":1},{"id":"3"},{"id":4
                                                                      ^
                warning: tasks.ndjson:3:18 $.user: expected unique keys, found a duplicate key
                  {"id":3,"user":9,"user":8}
                                   ^

                """)
        #expect(
            result.output == """
                seed.json: invalid

                  User  1 row
                  Task  1 row

                tasks.ndjson: 2 of 3 elements are invalid
                users.json: 2 of 3 elements are invalid

                """)
        #expect(try folder.folder.names == ["seed.json", "tasks.ndjson", "users.json"])
    }

    @Test func `unresolved connections and repeated keys are errors only with an option`() throws {
        let folder = try Self.folder(users: #"[{"id":1,"x":1,"x":2}]"#, tasks: #"[{"id":1,"user":7}]"#)
        let unresolved = "1 unresolved connection (stored as NULL):\n  Task.user -> User: 1, for key 7\n"
        let lax = try folder.run("check", "seed.json")
        #expect(lax.status == 0)
        #expect(lax.errors.hasPrefix("warning: users.json:1:16 $[0].x: expected unique keys"))
        #expect(lax.output.hasPrefix("seed.json: valid\n"))
        #expect(lax.output.hasSuffix("\n\n" + unresolved))
        let strict = try folder.run("check", "seed.json", "--strict")
        #expect(strict.status == 65)
        #expect(strict.errors == lax.errors + unresolved)
        #expect(strict.output == "seed.json: invalid\n\n  User  1 row\n  Task  1 row\n")
    }

    @Test func `a strict and quiet check reports unresolved connections`() throws {
        let folder = try Self.folder(users: "[]", tasks: #"[{"id":1,"user":7}]"#)
        let result = try folder.run("check", "seed.json", "--strict", "--quiet")
        #expect(result.status == 65)
        #expect(result.errors == "1 unresolved connection (stored as NULL):\n  Task.user -> User: 1, for key 7\n")
        #expect(result.output == "")
    }

    @Test func `findings are listed up to a limit, and all are counted`() throws {
        let bad = (0..<30).map { _ in #"{"x":1,"x":2,"id":"?"}"# }.joined(separator: ",")
        let folder = try Self.folder(users: "[\(bad)]", tasks: "[\(bad)]")
        let result = try folder.run("check", "seed.json", "--limit", "35", "--quiet")
        #expect(result.status == 65)
        #expect(result.output == "")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("tasks.json:1:") } == 30)
        #expect(lines.count { $0.hasPrefix("users.json:1:") } == 5)
        #expect(lines.count { $0.hasPrefix("warning: tasks.json:1:") } == 30)
        #expect(lines.count { $0.hasPrefix("warning: users.json:1:") } == 5)
        #expect(lines.contains("… and 25 more issues"))
        #expect(lines.contains("… and 25 more duplicate keys"))
    }

    @Test func `after a broken dump the other dumps are read`() throws {
        let folder = try Self.folder(users: #"[{"id":"?"}]"#, tasks: "", tasksFile: "tasks.json.gz")
        let text = Data((0..<900).map { "{\"id\":\($0),\"user\":1}" }.joined(separator: "\n").utf8)
        try folder.folder.write(gzipMember(text).dropLast(4000), to: "tasks.json.gz")
        let result = try folder.run("check", "seed.json")
        #expect(result.status == 65)
        #expect(
            result.errors == """
                users.json:1:8 $[0].id: expected an integer, found a string that cannot be converted to an integer (rule id -> User.id)
                  [{"id":"?"}]
                         ^
                seed-db: tasks.json.gz is not valid gzip: the file is truncated (at byte \(text.count + 23 - 4000) of \
                the file, byte \(text.count + 8 - 4000) of its text)
                Copy or download it again.

                """)
        #expect(!result.output.contains("nowhere"))
    }

    @Test func `a repeated identity restarts the check, and nothing is reported twice`() throws {
        let folder = try Self.folder(
            users: #"[{"id":1},{"id":"?"},{"id":1,"name":"x","name":"y"}]"#, tasks: "[]")
        let check = try ObjectSeeder.check(manifest: folder.folder.file("seed.json"))
        #expect(check.issues.map(\.path) == ["$[1].id"])
        #expect(check.duplicateKeys.map(\.path) == ["$[2].name"])
        #expect(check.entities.map(\.rows) == [1, 0])
        #expect(check.entities.map(\.merged) == [1, 0])
        #expect(check.sources.map(\.read) == [0, 3])
        #expect(!check.isValid)
    }

    @Test func `standard input is checked, too, and leaves no temporary file`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "-", "entity": "Task" }"#)])
        try folder.folder.write("", to: "tmp/x")
        let result = try runShell(
            "echo '[{\"id\":1},{\"id\":1}]' | seed-db check seed.json && ls -A tmp",
            environment: ["TMPDIR": folder.folder.file("tmp").path], directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "seed.json: valid\n\n  Task  1 row  (1 merged)\nx\n")
    }

    @Test func `a missing folder for temporary files is named`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(sources: #"{ "file": "-", "entity": "Task" }"#)])
        let result = try runShell(
            "echo '[]' | seed-db check seed.json", environment: ["TMPDIR": "/absent/tmp"],
            directory: folder.folder.url)
        #expect(result.status == 73)
        #expect(
            result.errors == """
                seed-db: cannot copy standard input to the folder /absent/tmp: No such file or directory
                TMPDIR names the folder for temporary files.

                """)
    }

    private static let usage = """
        Usage: seed-db check <manifest> [--base <dir>] [--limit <count>] [--strict]
            [--strict-merge] [--quiet]
          See 'seed-db check --help' for more information.

        """

    @Test(arguments: [
        ("check", 64, "seed-db: missing argument <manifest>\n\(usage)"),
        ("check seed.json --limit x", 64, "seed-db: option '--limit' needs a number, 0 or greater, not 'x'\n\(usage)"),
        ("check absent.json", 66, "seed-db: cannot read absent.json: No such file or directory\n"),
        ("check seed.json --base x", 66, "seed-db: cannot read x/tasks.json: No such file or directory\n"),
        (
            "check tasks.json", 65,
            "tasks.json:1:1 $: expected an object, found an array\n  []\n  ^\n"
        ),
    ])
    func `a failed check has a status and a message`(call: String, status: Int32, errors: String) throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": "[]"])
        let result = try runExecutable(
            named: "seed-db", arguments: call.split(separator: " ").map(String.init), directory: folder.folder.url)
        #expect(result.status == status)
        #expect(result.errors == errors)
        #expect(result.output == "")
    }
}
