import Foundation
import TestSupport
import Testing

@Suite struct InspectTests {
    static func folder() throws -> SeedFolder {
        let folder = try SeedFolder([
            "seed.json": taskManifest(
                attributes: #""name": { "type": "string" }, "nextID": { "from": "next", "type": "integer" }"#,
                relationships: #""next": { "to": "Task", "by": "nextID" }"#),
            "tasks.json": """
            [{"id":1,"name":"a\\tb\\nc","next":2},{"id":2,"name":"a name that is much too long for a column"},
             {"id":3,"next":9},{"id":4}]
            """,
        ])
        try folder.build()
        return folder
    }

    @Test func `a seed shows its entities, first rows, open connections and checksum`() throws {
        let result = try Self.folder().run("inspect", "out.sqlite")
        #expect(result.status == 0)
        #expect(
            result.output == """
                out.sqlite: 57.3 kB, checksum matches

                Task: 4 rows
                  _id  id  name                              nextID  next
                  1    1   a b c                             2       2
                  2    2   a name that is much too long fo…  NULL    NULL
                  3    3   NULL                              9       NULL
                  …

                1 unresolved connection (stored as NULL):
                  Task.next -> Task: 1, for key 9

                """)
    }

    @Test func `the number of rows and a check by SQLite are options`() throws {
        let result = try Self.folder().run("inspect", "out.sqlite", "--rows=0", "--verify")
        #expect(result.status == 0)
        #expect(
            result.output == """
                out.sqlite: 57.3 kB, checksum matches

                Task: 4 rows

                1 unresolved connection (stored as NULL):
                  Task.next -> Task: 1, for key 9

                no damage found by SQLite

                """)
    }

    @Test func `one object shows its values and the objects that it refers to`() throws {
        let folder = try Self.folder()
        let result = try folder.run("inspect", "out.sqlite", "--object", "Task/1")
        #expect(result.status == 0)
        #expect(
            result.output == """
                out.sqlite: 57.3 kB, checksum matches

                Task/1
                  id      1
                  name    a b c
                  nextID  2
                  next    Task/2

                1 unresolved connection (stored as NULL):
                  Task.next -> Task: 1, for key 9

                """)
    }

    @Test(arguments: [
        ("Tsk/1", 65, "unknown entity 'Tsk'"), ("Task/9", 65, "there is no object '9' of 'Task'"),
        ("Task/x", 65, "expected a text of the identity (id: integer) as oid of 'Task', found 'x'"),
        ("Task", 64, "--object needs an entity and an identity such as Task/105, not 'Task'"),
    ])
    func `an object that does not exist is an error`(_ name: String, _ status: Int32, _ text: String) throws {
        let result = try Self.folder().run("inspect", "out.sqlite", "--object", name)
        #expect(result.status == status)
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test func `the checksum detects a flipped byte`() throws {
        let folder = try Self.folder()
        var bytes = try folder.folder.data(of: "out.sqlite")
        let place = try #require(bytes.range(of: Data("much".utf8))).lowerBound
        bytes[place] ^= 1
        try folder.folder.write(bytes, to: "out.sqlite")
        var result = try folder.run("inspect", "out.sqlite", "--verify")
        #expect(result.status == 65)
        #expect(result.output.hasPrefix("out.sqlite: 57.3 kB, checksum mismatch\n"), "\(result.output)")
        #expect(
            result.errors
                == "seed-db: out.sqlite does not match its checksum in out.sqlite.sha256: build or copy it again\n")
        try FileManager.default.removeItem(at: folder.folder.file("out.sqlite.sha256"))
        result = try folder.run("inspect", "out.sqlite")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("out.sqlite: 57.3 kB, no checksum file\n"), "\(result.output)")
    }

    @Test func `the verification reports damage without a checksum, with advice`() throws {
        let folder = try Self.folder()
        let change = "rm out.sqlite.sha256 && sqlite3 out.sqlite 'UPDATE Task SET next = 99 WHERE id = 1'"
        #expect(try runShell(change, directory: folder.folder.url).status == 0)
        let result = try folder.run("inspect", "out.sqlite", "--verify")
        #expect(result.status == 65)
        #expect(result.errors == "seed-db: out.sqlite is damaged: build or copy it again\n")
        #expect(!result.output.contains("no damage"))
    }

    @Test func `a build reports its result and how to open it`() throws {
        let folder = try Self.folder()
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasPrefix("out.sqlite: 57.3 kB, built in 0."))
        #expect(
            lines.dropFirst().joined(separator: "\n") == """

                  Task  4 rows

                1 unresolved connection (stored as NULL):
                  Task.next -> Task: 1, for key 9

                Open it in Swift:

                  import ObjectStore
                  let seed = try SeedDatabase(at: URL(filePath: "out.sqlite"))

                """)
    }
}
