import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// What each operation of a store does with its file, in each situation: a table, checked by real processes.
@Suite struct FileLifeTests {
    enum Situation: String, CaseIterable, Codable {
        case missing, empty, oneByte, text, foreign, truncated, newer, walLeft, journalLeft, folder, pipe
        case deleted, walDeleted, replaced, movedAway
        case readOnlyFile, readOnlyFolder, otherUser
        case openElsewhere
    }

    /// The name of a situation, the outcomes that differ from "done", and whether the file must not change.
    struct Row: Codable {
        let situation: Situation
        var isReadOnly = false
        var failures: [String: String] = [:]
        var isUnchanged = false
    }

    private static let refusal = "not a valid SQLite database"

    static let rows: [Row] = [
        Row(situation: .missing), Row(situation: .empty), Row(situation: .openElsewhere),
        Row(
            situation: .missing, isReadOnly: true,
            failures: ["open": "cannotOpen: there is no file '…/company.sqlite'"]),
        Row(
            situation: .empty, isReadOnly: true,
            failures: ["open": "foreign: '…/company.sqlite' is empty: it has no database"], isUnchanged: true),
        Row(
            situation: .oneByte,
            failures: ["open": "corrupt: '…/company.sqlite' is not a SQLite database: it has 1 byte"],
            isUnchanged: true),
        Row(
            situation: .oneByte, isReadOnly: true,
            failures: ["open": "corrupt: '…/company.sqlite' is not a SQLite database: it has 1 byte"], isUnchanged: true
        ),
        Row(
            situation: .text, failures: ["open": "corrupt: '…/company.sqlite' is \(refusal): file is not a database"],
            isUnchanged: true),
        Row(
            situation: .foreign,
            failures: ["open": "foreign: '…/company.sqlite' was not created by MappingKit (its application_id is 0)"],
            isUnchanged: true),
        Row(
            situation: .truncated,
            failures: ["open": "corrupt: '…/company.sqlite' is \(refusal): database disk image is malformed"],
            isUnchanged: true),
        Row(
            situation: .newer,
            failures: [
                "open":
                    "newerFormat: unsupported format 99 of '…/company.sqlite'; this version of MappingKit reads up to 2"
            ], isUnchanged: true),
        Row(
            situation: .walLeft,
            failures: [
                "open":
                    "cannotOpen: cannot create '…/company.sqlite': 'company.sqlite-wal' has changes of a database with "
                    + "this name that does not exist any more"
            ], isUnchanged: true),
        Row(
            situation: .journalLeft,
            failures: [
                "open":
                    "cannotOpen: cannot create '…/company.sqlite': 'company.sqlite-journal' has changes of a database "
                    + "with this name that does not exist any more"
            ], isUnchanged: true),
        Row(situation: .folder, failures: ["open": "cannotOpen: cannot open '…/company.sqlite': it is a folder"]),
        Row(
            situation: .pipe,
            failures: ["open": "cannotOpen: cannot open '…/company.sqlite': it is not a regular file"]),
        lost(.deleted, "the file '…/company.sqlite' was deleted or moved while the store was open"),
        lost(.movedAway, "the file '…/company.sqlite' was deleted or moved while the store was open"),
        lost(.replaced, "the file '…/company.sqlite' was replaced by another file while the store was open"),
        lost(.walDeleted, "the file '…/company.sqlite-wal' was deleted or moved while the store was open"),
        Row(
            situation: .readOnlyFile,
            failures: Dictionary(
                uniqueKeysWithValues: ["save", "import", "reset"].map {
                    ($0, "readOnly: cannot write '…/company.sqlite': attempt to write a readonly database")
                }), isUnchanged: true),
        Row(situation: .readOnlyFile, isReadOnly: true, failures: reading, isUnchanged: true),
        Row(
            situation: .readOnlyFolder,
            failures: ["open": "readOnly: cannot write '…/company.sqlite': attempt to write a readonly database"],
            isUnchanged: true),
        Row(
            situation: .readOnlyFolder, isReadOnly: true,
            failures: reading.merging(["backup": "cannotOpen: cannot create '…/copy.sqlite'"]) { $1 }, isUnchanged: true
        ),
        Row(
            situation: .otherUser, failures: ["open": "cannotOpen: cannot open '…/company.sqlite'"], isUnchanged: true),
        Row(
            situation: .otherUser, isReadOnly: true, failures: ["open": "cannotOpen: cannot open '…/company.sqlite'"],
            isUnchanged: true),
    ]

    private static let reading = [
        "save": "readOnly: the store was opened for reading only",
        "import": "readOnly: the store was opened for reading only",
        "checkpoint": "readOnly: the store was opened for reading only",
        "reset": "readOnly: the store was opened for reading only",
    ]

    private static func lost(_ situation: Situation, _ message: String) -> Row {
        Row(
            situation: situation,
            failures: Dictionary(
                uniqueKeysWithValues: ["save", "import", "backup", "checkpoint", "reset"].map {
                    ($0, "replaced: \(message)")
                }),
            isUnchanged: false)
    }

    @Test(arguments: rows) func `each operation has the outcome of the table, and the file is unchanged or complete`(
        _ row: Row
    ) async throws {
        let (folder, results) = (try TemporaryDirectory(), try TemporaryDirectory())
        try FileLife.prepare(row.situation, in: folder)
        let file = folder.file("company.sqlite")
        let before =
            FileManager.default.isReadableFile(atPath: file.path) && row.isUnchanged
            ? try? Data(contentsOf: file) : nil
        // A seed or store that another process holds open.
        let other = row.situation == .openElsewhere ? try Company.store(in: folder) : nil
        await #expect(processExitsWith: .success) {
            [path = folder.path as String, results = results.path as String, row = row as Row] in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: results)
            if [.readOnlyFile, .readOnlyFolder, .otherUser].contains(row.situation), geteuid() == 0 {
                try #require(setuid(65534) == 0)
            }
            var options = ManagedObjectStore.Options()
            options.isReadOnly = row.isReadOnly
            options.busyTimeout = .milliseconds(500)
            let outcomes = await FileLife.outcomes(in: path, options) {
                try FileLife.change(row.situation, in: path)
            }
            try Data(outcomes.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: results + "/outcomes"))
        }
        withExtendedLifetime(other) {}
        let found = try results.text(of: "outcomes").split(separator: "\n").map(String.init)
        let expected = FileLife.operations.compactMap { operation -> String? in
            if row.failures["open"] != nil, operation != "open" { return nil }
            return "\(operation): \(row.failures[operation] ?? "done")"
        }
        #expect(found == expected, "\(row.situation)\(row.isReadOnly ? ", read-only" : "")")
        let text = try folder.names.joined(separator: " ")
        #expect(!text.contains(".tmp"), "\(text)")
        if row.isUnchanged { #expect((try? Data(contentsOf: file)) == before) }
        if folder.contains("copy.sqlite") {
            #expect(try SeedDatabase(at: folder.file("copy.sqlite")).damages().isEmpty)
        }
        if row.situation == .replaced {
            #expect(try folder.text(of: "company.sqlite") == "another file")
        } else if row.failures["open"] == nil, !row.isUnchanged, folder.contains("company.sqlite") {
            #expect(try SeedDatabase(at: file).damages().isEmpty)
        }
    }

    @Test func `a file that was deleted is not copied by a connection that is open`() throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("company.sqlite")
        let store = try ManagedObjectStore(at: file, model: Company.model())
        #expect(try store.count(of: "Department") == 0)
        try FileManager.default.removeItem(at: file)
        do throws(StoreError) {
            try store.backup(to: folder.file("copy.sqlite"))
            Testing.Issue.record("the file does not exist")
        } catch {
            #expect(error.kind == .replaced)
        }
        #expect(!folder.contains("copy.sqlite"))
    }
}

/// The operations of the table.
enum FileLife {
    static let operations = ["open", "save", "import", "backup", "checkpoint", "reset"]

    /// Runs the operations on a file, in this process.
    ///
    /// - Parameter change: Called when the store is open.
    static func outcomes(
        in folder: String, _ options: ManagedObjectStore.Options, seed: URL? = nil,
        afterOpening change: () throws -> Void = {}
    ) async -> [String] {
        func outcome(_ operation: String, _ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return "\(operation): done"
            } catch {
                let cause = (error as? ImportError)?.cause ?? error
                let text = (cause as? StoreError).map { "\($0.kind): \($0.message)" } ?? "\(cause)"
                return "\(operation): \(text.replacingOccurrences(of: folder, with: "…"))"
            }
        }
        let url = URL(fileURLWithPath: folder + "/company.sqlite")
        var opened: ManagedObjectStore?
        var outcomes = [
            await outcome("open") {
                opened = try await .open(at: url, model: Company.model(), seed: seed, options: options)
            }
        ]
        guard let store = opened else { return outcomes }
        outcomes.append(
            await outcome("save") {
                try change()
                try await store.perform { context in
                    _ = context.employee(1, String(repeating: "a", count: 100_000))
                    try context.save()
                }
            })
        outcomes.append(
            await outcome("import") {
                let text = #"[{"name":"\#(String(repeating: "b", count: 100_000))"}]"#
                _ = try await store.importJSON(Data(text.utf8), with: Mapping(Skill.self) { Attribute("name", \.name) })
            })
        outcomes.append(
            await outcome("backup") { try store.backup(to: URL(fileURLWithPath: folder + "/copy.sqlite")) })
        outcomes.append(await outcome("checkpoint") { try store.checkpoint() })
        outcomes.append(
            await outcome("reset") {
                let fresh = try await store.reset()
                let count = try await fresh.perform { try $0.count(Employee.all) }
                #expect(count == 0)
                fresh.close()
            })
        store.close()
        return outcomes
    }

    /// Prepares the folder before the store is opened.
    static func prepare(_ situation: FileLifeTests.Situation, in folder: TemporaryDirectory) throws {
        func store() throws {
            let store = try Company.store(in: folder)
            let context = ObjectContext(store)
            for number in 100..<200 { _ = context.employee(number, "an employee with the number \(number)") }
            try context.save()
            store.close()
        }
        let file = folder.file("company.sqlite")
        switch situation {
        case .missing: break
        case .empty: try folder.write("", to: "company.sqlite")
        case .oneByte: try folder.write("S", to: "company.sqlite")
        case .text: try folder.write(String(repeating: "not a database. ", count: 100), to: "company.sqlite")
        case .foreign:
            let database = try SQLiteDatabase(path: file.path, mode: .create)
            try database.execute("CREATE TABLE t(a)")
            database.close()
        case .truncated:
            try store()
            try Data(contentsOf: file).prefix(10_000).write(to: file)
        case .newer:
            try store()
            let database = try SQLiteDatabase(path: file.path, mode: .readWrite)
            try database.execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99")
            database.close()
        case .walLeft: try folder.write("rows of a database that was deleted", to: "company.sqlite-wal")
        case .journalLeft: try folder.write("rows of a database that was deleted", to: "company.sqlite-journal")
        case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case .pipe: try #require(mkfifo(file.path, 0o666) == 0)
        case .deleted, .walDeleted, .replaced, .movedAway: break
        case .openElsewhere: try store()
        case .readOnlyFile, .readOnlyFolder, .otherUser:
            try store()
            let (mode, folderMode) =
                switch situation {
                case .readOnlyFile: (0o444, 0o777)
                case .readOnlyFolder: (0o666, 0o555)
                default: (0o600, 0o755)
                }
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            try files.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder.path)
        }
    }

    /// Changes the files of the open store.
    static func change(_ situation: FileLifeTests.Situation, in folder: String) throws {
        let (files, path) = (FileManager.default, folder + "/company.sqlite")
        switch situation {
        case .deleted: try files.removeItem(atPath: path)
        case .walDeleted: try files.removeItem(atPath: path + "-wal")
        case .movedAway: try files.moveItem(atPath: path, toPath: folder + "/moved.sqlite")
        case .replaced:
            try Data("another file".utf8).write(to: URL(fileURLWithPath: folder + "/other"))
            try #require(rename(folder + "/other", path) == 0)
        default: break
        }
    }
}
