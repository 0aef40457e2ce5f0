import Foundation
import Seeder
import TestSupport
import Testing

@Suite struct UpdateTests {
    static let manifest = """
        { "model": {
            "Task": {
                "identifiedBy": "id",
                "attributes": { "id": { "type": "integer" }, "name": { "type": "string" },
                    "userID": { "from": "user", "type": "integer" } },
                "relationships": { "user": { "to": "User", "by": "userID" } } },
            "User": { "identifiedBy": "id", "attributes": { "id": { "type": "integer" } } } },
          "sources": [{ "file": "tasks.json", "entity": "Task" }, { "file": "users.json", "entity": "User" }] }
        """

    static func folder() throws -> SeedFolder {
        let folder = try SeedFolder([
            "seed.json": manifest, "tasks.json": #"[{"id":1,"name":"a","user":7},{"id":2,"name":"b","user":8}]"#,
            "users.json": #"[{"id":7}]"#,
        ])
        try folder.build()
        return folder
    }

    @Test func `an update merges rows and resolves open connections`() throws {
        let folder = try Self.folder()
        #expect(
            try folder.rows("SELECT t.id, t.name, u.id FROM Task t LEFT JOIN User u ON u._id = t.user") == [
                "1, 'a', 7", "2, 'b', NULL",
            ])
        try folder.folder.write(#"[{"id":2,"name":"B"},{"id":3,"user":7}]"#, to: "tasks.json")
        try folder.folder.write(#"[{"id":8}]"#, to: "users.json")
        let report = try folder.build { $0.updatesExisting = true }
        #expect(report.entities.map { "\($0.name) \($0.rows) \($0.merged)" } == ["Task 3 1", "User 2 0"])
        #expect(report.unresolved.isEmpty)
        #expect(
            try folder.rows("SELECT t.id, t.name, u.id FROM Task t LEFT JOIN User u ON u._id = t.user") == [
                "1, 'a', 7", "2, 'B', 8", "3, NULL, 7",
            ])
        #expect(try folder.run("inspect", "out.sqlite", "--verify").status == 0)
    }

    @Test(arguments: ["key", "row", "entity", "relationship"])
    func `an update of nested objects with an attribute of any name`(_ name: String) throws {
        let manifest = """
            { "model": {
                "Ticket": {
                    "identifiedBy": "id", "attributes": { "id": { "type": "integer" } },
                    "relationships": { "seat": { "to": "Seat", "from": "seat" } } },
                "Seat": {
                    "identifiedBy": "no",
                    "attributes": { "no": { "type": "integer" }, "\(name)": { "type": "string" } } } },
              "sources": [{ "file": "tickets.json", "entity": "Ticket" }] }
            """
        let folder = try SeedFolder([
            "seed.json": manifest, "tickets.json": #"[{"id": 1, "seat": {"no": 3, "\#(name)": "A"}}]"#,
        ])
        try folder.build()
        try folder.build { $0.updatesExisting = true }
        #expect(try folder.rows("SELECT no, \"\(name)\" FROM Seat") == ["3, 'A'"])
    }

    @Test func `a failed update leaves the database unchanged`() throws {
        let folder = try Self.folder()
        let before = try folder.folder.data(of: "out.sqlite")
        try folder.folder.write(#"[{"id":2,"name":"B"},{"id":"x"}]"#, to: "tasks.json")
        let (kind, _) = try #require(try folder.buildError { $0.updatesExisting = true })
        #expect(kind == .badData)
        #expect(try folder.folder.data(of: "out.sqlite") == before)
        #expect(try folder.folder.names.count == 5)
    }

    @Test func `an update without an existing database builds one`() throws {
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": #"[{"id":1}]"#])
        try folder.build { $0.updatesExisting = true }
        #expect(try folder.rows("SELECT id FROM Task") == ["1"])
    }

    @Test func `a database that is damaged, foreign or of another model is not updated`() throws {
        let folder = try Self.folder()
        try folder.folder.write(Self.manifest.replacingOccurrences(of: "\"name\"", with: "\"title\""), to: "seed.json")
        var (kind, lines) = try #require(try folder.buildError { $0.updatesExisting = true })
        #expect(kind == .badData)
        #expect(
            lines == [
                "cannot build out.sqlite: the database has another model: $.Task.attributes.title is missing in the file",
                "build it again instead of updating it",
            ])
        var bytes = try folder.folder.data(of: "out.sqlite")
        bytes[bytes.count - 1] ^= 1
        try folder.folder.write(bytes, to: "out.sqlite")
        (kind, lines) = try #require(try folder.buildError { $0.updatesExisting = true })
        #expect(kind == .badData)
        #expect(
            lines == [
                "out.sqlite is damaged: it does not match its checksum in out.sqlite.sha256",
                "Build it again without --update.",
            ])
        try FileManager.default.removeItem(at: folder.folder.file("out.sqlite.sha256"))
        try folder.folder.write("no database", to: "out.sqlite")
        (kind, lines) = try #require(try folder.buildError { $0.updatesExisting = true })
        #expect(kind == .badData)
        #expect(
            lines == [
                "cannot build out.sqlite: 'out.sqlite' is not a valid SQLite database: file is not a database",
                "build or copy it again",
            ])
        #expect(try folder.folder.text(of: "out.sqlite") == "no database")
    }
}
