import Foundation
import ObjectMapping
import TestSupport
import Testing

@Suite struct DiffTests {
    private static let manifest = """
        { "model": {
            "Task": {
              "identifiedBy": "id",
              "attributes": {
                "id": { "type": "integer" }, "name": { "type": "string" }, "hours": { "type": "double" },
                "userID": { "from": "user", "type": "integer" }, "tagIDs": { "from": "tags", "type": "[string]" }
              },
              "relationships": {
                "user": { "to": "User", "by": "userID" },
                "tags": { "to": "Tag", "many": true, "by": "tagIDs" },
                "notes": { "from": "notes", "to": "Note", "many": true, "inverse": "task" }
              }
            },
            "User": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } } },
            "Tag": { "identifiedBy": "code", "attributes": { "code": { "type": "string" } } },
            "Note": { "attributes": { "text": { "type": "string" } }, "relationships": { "task": { "to": "Task" } } }
          },
          "sources": [
            { "file": "tasks.json", "entity": "Task" }, { "file": "users.json", "entity": "User" },
            { "file": "tags.json", "entity": "Tag" }
          ] }
        """

    private static let tasks = """
        [{"id":1,"name":"a","hours":2,"user":1,"tags":["x","y"],"notes":[{"text":"p"},{"text":"q"}]},
         {"id":2,"name":"b","user":2},{"id":3,"name":"c"}]
        """

    /// A folder with `old.sqlite`, and `new.sqlite` of other dumps.
    private func folder(
        tasks: String = Self.tasks, users: String = #"[{"id":1},{"id":2}]"#, manifest: String = Self.manifest
    ) throws -> SeedFolder {
        let folder = try SeedFolder([
            "seed.json": Self.manifest, "tasks.json": Self.tasks, "users.json": #"[{"id":1},{"id":2}]"#,
            "tags.json": #"[{"code":"x","kind":"k"},{"code":"y","kind":"k"}]"#,
        ])
        try build(folder, "old.sqlite")
        for (name, text) in ["seed.json": manifest, "tasks.json": tasks, "users.json": users] {
            try folder.folder.write(text, to: name)
        }
        try build(folder, "new.sqlite")
        return folder
    }

    private func build(_ folder: SeedFolder, _ output: String) throws {
        let result = try folder.run("build", "seed.json", "-o", output, "--quiet")
        try #require(result.status == 0, "\(result.errors)")
    }

    private func expectDiff(
        _ folder: SeedFolder, _ status: Int32, _ output: String, _ options: String...,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let words = ["old.sqlite", "new.sqlite"] + options
        let result = try runExecutable(
            named: "seed-db", arguments: ["diff"] + words, directory: folder.folder.url)
        #expect(result.status == status, "\(result.errors)", sourceLocation: location)
        #expect(result.output == output, sourceLocation: location)
        #expect(result.errors == "", sourceLocation: location)
    }

    @Test func `rows in another order or with other row numbers are equal`() throws {
        let folder = try folder(
            tasks: """
                [{"id":3,"name":"c"},{"id":2,"name":"b","user":2},
                 {"id":1,"name":"a","hours":2,"user":1,"tags":["x","y"],"notes":[{"text":"q"},{"text":"p"}]}]
                """, users: #"[{"id":2},{"id":1}]"#)
        try #require(
            try folder.folder.data(of: "old.sqlite") != folder.folder.data(of: "new.sqlite"), "the files are equal")
        try expectDiff(folder, 0, "")
    }

    @Test func `rows are added, removed and changed by identity`() throws {
        let folder = try folder(
            tasks: """
                [{"id":1,"name":"a\\tz","hours":3,"user":2,"tags":["y"],"notes":[{"text":"p"},{"text":"r"}]},
                 {"id":3,"name":"c"},{"id":4,"name":"d"}]
                """)
        try expectDiff(
            folder, 1,
            """
            ~ Task 1: name "a" -> "a\\tz", hours 2.0 -> 3.0, userID 1 -> 2, tagIDs ["x","y"] -> ["y"], user 1 -> 2, \
            tags ["x","y"] -> ["y"]
            - Task 2
            + Task 4
            - Note: text "q", task 1
            + Note: text "r", task 1
            Task: 1 added, 1 removed, 1 changed, 1 unchanged
            Note: 1 added, 1 removed, 0 changed, 1 unchanged

            """)
    }

    @Test func `JSON has the values of added and removed rows, and the counts`() throws {
        let folder = try folder(
            tasks: """
                [{"id":1,"name":"a","hours":2.5,"user":1,"tags":["x","y"],"notes":[{"text":"p"},{"text":"q"}]},
                 {"id":3,"name":"c"},{"id":4,"user":2}]
                """)
        try expectDiff(
            folder, 1,
            """
            {"entity":"Task","change":"changed","identity":{"id":1},"old":{"hours":2.0},"new":{"hours":2.5}}
            {"entity":"Task","change":"removed","identity":{"id":2},"old":{"name":"b","hours":null,"userID":2,\
            "tagIDs":null,"user":2,"tags":[]}}
            {"entity":"Task","change":"added","identity":{"id":4},"new":{"name":null,"hours":null,"userID":2,\
            "tagIDs":null,"user":2,"tags":[]}}
            {"entity":"Task","added":1,"removed":1,"changed":1,"unchanged":1}
            {"entity":"User","added":0,"removed":0,"changed":0,"unchanged":2}
            {"entity":"Tag","added":0,"removed":0,"changed":0,"unchanged":2}
            {"entity":"Note","added":0,"removed":0,"changed":0,"unchanged":2}

            """, "--json")
        try expectDiff(folder, 1, "", "--quiet")
    }

    @Test func `equal rows without an identity are counted one by one`() throws {
        let notes = { (texts: [String]) in
            let list = texts.map { #"{"text":"\#($0)"}"# }.joined(separator: ",")
            return Self.tasks.replacingOccurrences(of: #"[{"text":"p"},{"text":"q"}]"#, with: "[\(list)]")
        }
        let folder = try folder(tasks: notes(["p", "p", "p", "q"]))
        try expectDiff(
            folder, 1,
            """
            + Note: text "p", task 1
            + Note: text "p", task 1
            Note: 2 added, 0 removed, 0 changed, 2 unchanged

            """)
    }

    @Test func `differences of the models are reported, and common entities are compared`() throws {
        let manifest = Self.manifest
            .replacingOccurrences(of: #""hours": { "type": "double" }"#, with: #""hours": { "type": "string" }"#)
            .replacingOccurrences(of: #""name": { "type": "string" }"#, with: #""title": { "type": "string" }"#)
            .replacingOccurrences(
                of: #""model": {"#, with: #""model": { "Room": { "attributes": {"n":{"type":"integer"}} },"#)
        let folder = try folder(
            tasks: Self.tasks.replacingOccurrences(of: #""user":2"#, with: #""user":1"#), manifest: manifest)
        try expectDiff(
            folder, 1,
            """
            model: the entity 'Room' is in new.sqlite only
            model: the attribute 'Task.name' is in old.sqlite only
            model: the attribute 'Task.title' is in new.sqlite only
            model: the type of the attribute 'Task.hours' is double in old.sqlite and string in new.sqlite
            ~ Task 2: userID 2 -> 1, user 2 -> 1
            Task: 0 added, 0 removed, 1 changed, 2 unchanged

            """)
    }

    @Test func `rows are compared by all values if the identities of the models differ`() throws {
        let manifest = Self.manifest.replacingOccurrences(
            of: #""identifiedBy": "code", "#, with: #""identifiedBy": ["code", "kind"], "#
        ).replacingOccurrences(
            of: #""code": { "type": "string" }"#,
            with: #""code": { "type": "string" }, "kind": { "type": "string" }"#
        ).replacingOccurrences(
            of: #""tags": { "to": "Tag", "many": true, "by": "tagIDs" },"#, with: "")
        let folder = try folder(manifest: manifest)
        let result = try folder.run("diff", "old.sqlite", "new.sqlite")
        #expect(result.status == 1)
        #expect(
            result.output.contains("model: the identity of 'Tag' is code in old.sqlite and code, kind in new.sqlite\n"))
        #expect(result.output.contains("model: the relationship 'Task.tags' is in old.sqlite only\n"))
        #expect(!result.output.contains("Tag:") && !result.output.contains("Task:"))
    }

    @Test func `errors have the exit statuses of the other commands`() throws {
        let folder = try folder()
        #expect(try folder.run("diff", "old.sqlite").status == 64)
        let missing = try folder.run("diff", "old.sqlite", "absent.sqlite")
        #expect(missing.status == 66)
        #expect(missing.errors == "seed-db: cannot read absent.sqlite: No such file or directory\n")
        let foreign = try folder.run("diff", "tasks.json", "new.sqlite")
        #expect(foreign.status == 65)
        #expect(
            foreign.errors
                == "seed-db: 'tasks.json' is not a SQLite database: it has 144 bytes\nMove it away, or build or copy it again.\n"
        )
    }
}
