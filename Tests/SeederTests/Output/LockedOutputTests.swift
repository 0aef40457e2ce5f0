import Foundation
import ObjectStore
import Seeder
import TestSupport
import Testing

/// Outputs that another program has open with SQLite: readers are not disturbed, and changes of writers are not lost.
@Suite struct LockedOutputTests {
    private static func folder() throws -> SeedFolder {
        let tasks = (1...500).map { #"{"id":\#($0),"name":"old"}"# }
        let folder = try SeedFolder(["seed.json": taskManifest(), "tasks.json": "[\(tasks.joined(separator: ","))]"])
        try folder.build()
        try folder.folder.write(#"[{"id":1,"name":"new"}]"#, to: "tasks.json")
        return folder
    }

    /// Builds in another process and expects the refusal; all files are unchanged.
    private func expectRefusal(_ folder: SeedFolder, _ options: [String], errors: String) throws {
        let names = try folder.folder.names
        let before = try names.map { try folder.folder.data(of: $0) }
        let result = try runExecutable(
            named: "seed-db", arguments: ["build", "seed.json", "-o", "out.sqlite"] + options,
            directory: folder.folder.url)
        #expect(result.status == 73)
        #expect(result.errors == errors)
        #expect(try folder.folder.names == names)
        #expect(try names.map { try folder.folder.data(of: $0) } == before)
    }

    private static func left(_ name: String) -> String {
        """
        seed-db: cannot replace out.sqlite: another program is writing to it, or did not close it (found \(name))
        Close that program. If it has ended, run: sqlite3 out.sqlite 'PRAGMA schema_version'. SQLite then applies or undoes the changes in \(name) and removes that file.

        """
    }

    @Test func `a database in WAL mode is updated`() throws {
        let folder = try Self.folder()
        let result = try runShell(
            """
            set -e; rm out.sqlite.sha256; sqlite3 out.sqlite 'PRAGMA journal_mode = WAL'
            seed-db build seed.json -o out.sqlite -q --update
            sqlite3 out.sqlite "PRAGMA journal_mode; PRAGMA integrity_check; SELECT count(*), min(name) FROM Task"; ls
            """, directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == "wal\ndelete\nok\n500|new\nout.sqlite\nout.sqlite.sha256\nseed.json\ntasks.json\n")
    }

    @Test(arguments: [[], ["--update"]])
    func `a database that is being written is neither replaced nor copied`(options: [String]) throws {
        let folder = try Self.folder()
        for sql in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; UPDATE Task SET name = 'half'"] {
            let before = ["out.sqlite", "out.sqlite.sha256"].map { try? folder.folder.data(of: $0) }
            // The writer must be another process: a file that this one closes releases its locks.
            let result = try runShell(
                """
                mkdir writer && mkfifo writer/in && { sqlite3 out.sqlite <writer/in & } && exec 3>writer/in
                printf '%s;\n.shell touch writer/ready\n' "$SQL" >&3
                while [ ! -e writer/ready ]; do sleep 0.01; done
                seed-db build seed.json -o out.sqlite $OPTIONS; status=$?
                echo 'ROLLBACK;' >&3; exec 3>&-; wait; rm -r writer; exit $status
                """,
                environment: ["SQL": sql, "OPTIONS": options.joined(separator: " ")], directory: folder.folder.url)
            #expect(result.status == 73)
            #expect(
                result.errors == """
                    seed-db: cannot replace out.sqlite: another program is writing to it
                    Close that program, or write to another file.

                    """)
            #expect(["out.sqlite", "out.sqlite.sha256"].map { try? folder.folder.data(of: $0) } == before)
            #expect(try InterruptionTests.litter(in: folder) == [])
        }
        let result = try folder.run("build", "seed.json", "-o", "out.sqlite")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: [[], ["--update"]])
    func `a journal of a dead writer is refused, because it would damage the new database`(options: [String]) throws {
        let folder = try Self.folder()
        // A small cache makes SQLite write pages, and with them the journal, before the end of the transaction.
        let writer = try SQLiteDatabase(path: folder.output.path, mode: .readWrite)
        try writer.execute("PRAGMA cache_size = 1; BEGIN; UPDATE Task SET name = hex(zeroblob(500))")
        let pieces = try ["out.sqlite", "out.sqlite-journal"].map { ($0, try folder.folder.data(of: $0)) }
        try writer.execute("ROLLBACK")
        writer.close()
        for (name, data) in pieces { try folder.folder.write(data, to: name) }
        try expectRefusal(folder, options, errors: Self.left("out.sqlite-journal"))

        // SQLite reverts the incomplete transaction, and the checksum matches again.
        #expect(
            try runShell("sqlite3 out.sqlite 'SELECT count(*) FROM Task'", directory: folder.folder.url).output
                == "500\n")
        let result = try runExecutable(
            named: "seed-db", arguments: ["build", "seed.json", "-o", "out.sqlite"] + options,
            directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        try InterruptionTests.checkSum(of: folder)
    }

    @Test(arguments: [[], ["--update"]])
    func `a write-ahead log is refused, because it contains a part of the database`(options: [String]) throws {
        let folder = try Self.folder()
        try FileManager.default.removeItem(at: folder.folder.file("out.sqlite.sha256"))
        let writer = try SQLiteDatabase(path: folder.output.path, mode: .readWrite)
        _ = try writer.value("PRAGMA journal_mode = WAL")
        try writer.execute("UPDATE Task SET name = 'logged'")
        try expectRefusal(folder, options, errors: Self.left("out.sqlite-wal"))
    }

    @Test(arguments: [[], ["--update"]])
    func `an empty write-ahead log is ignored, because Apple's SQLite keeps it`(options: [String]) throws {
        let folder = try Self.folder()
        try folder.folder.write("", to: "out.sqlite-wal")
        let result = try runExecutable(
            named: "seed-db", arguments: ["build", "seed.json", "-o", "out.sqlite"] + options,
            directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.rows("SELECT name FROM Task WHERE id = 1") == ["'new'"])
        try InterruptionTests.checkSum(of: folder)
    }

    @Test(arguments: [[], ["--update"]])
    func `a reader keeps the old database, and the next one opens the new one`(options: [String]) throws {
        let folder = try Self.folder()
        let reader = try SQLiteDatabase(path: folder.output.path, mode: .readOnly)
        try reader.execute("BEGIN")
        #expect(try reader.value("SELECT name FROM Task WHERE id = 1") == .text("old"))
        let result = try runExecutable(
            named: "seed-db", arguments: ["build", "seed.json", "-o", "out.sqlite"] + options,
            directory: folder.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        #if os(macOS)
            let error = #expect(throws: StoreError.self) { try reader.value("SELECT name FROM Task WHERE id = 1") }
            #expect(error?.kind == .replaced)
        #else
            #expect(try reader.value("SELECT name FROM Task WHERE id = 1") == .text("old"))
        #endif
        #expect(try folder.rows("SELECT name FROM Task WHERE id = 1") == ["'new'"])
        try InterruptionTests.checkSum(of: folder)
    }

    @Test func `what another program writes during an update is not lost`() throws {
        let folder = try Self.folder()
        let output = folder.output
        let failure = try folder.buildError { options in
            options.updatesExisting = true
            options.events = { event in
                guard case .finishing = event else { return }
                _ = try? runShell("sqlite3 '\(output.path)' \"UPDATE Task SET name = 'theirs'\"")
            }
        }
        #expect(failure?.0 == .cannotCreateOutput)
        #expect(
            failure?.1 == ["cannot replace out.sqlite: it was changed after the update started", "Build again."])
        #expect(try folder.rows("SELECT DISTINCT name FROM Task") == ["'theirs'"])
        #expect(try InterruptionTests.litter(in: folder) == [])
    }
}
