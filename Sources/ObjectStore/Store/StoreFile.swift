import Digests
import Dispatch
import ObjectMapping

/// The database file of a store: how it is created, verified and opened.
struct StoreFile: Sendable {
    let path: String
    let options: ManagedObjectStore.Options

    init(path: String, _ options: ManagedObjectStore.Options) {
        self.path = path
        self.options = options
    }

    var timeout: DispatchTimeInterval { .milliseconds(milliseconds) }

    private var milliseconds: Int {
        let (seconds, attoseconds) = options.busyTimeout.components
        return Int(min(max(0, seconds), 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private func connect(_ mode: SQLiteDatabase.Mode) throws(StoreError) -> StoreConnection {
        let database = try SQLiteDatabase(path: path, mode: mode, busyTimeout: Int32(min(milliseconds, 1 << 30)))
        StoreFunctions.register(in: database)
        return StoreConnection(database)
    }

    func openReader() throws(StoreError) -> StoreConnection {
        let connection = try connect(.readOnly)
        try connection.database.execute("PRAGMA cache_size = -8192")
        return connection
    }

    /// Opens the file for reading and writing, creates it if it does not exist, and compares its model.
    func open(_ model: ObjectModel) throws(StoreError) -> StoreConnection {
        if options.isReadOnly {
            let connection = try connect(.readOnly)
            try check(connection.database, model)
            return connection
        }
        let connection = try connect(.create)
        let database = connection.database
        if try FileHeader.isEmpty(database) {
            try create(connection, model)
        } else {
            try check(database, model)
        }
        try prepareForWriting(connection, model)
        return connection
    }

    /// Creates the tables of a model in an empty file.
    private func create(_ connection: StoreConnection, _ model: ObjectModel) throws(StoreError) {
        let database = connection.database
        let schema = Schema(model)
        try database.execute("PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE")
        try connection.transaction { () throws(StoreError) in
            // If two processes create the file, the second one finds the tables.
            guard try database.integer("SELECT count(*) FROM sqlite_schema") == 0 else { return }
            for table in schema.tables { try database.execute(table) }
            for entity in model.entities {
                if let index = schema.identityIndex(of: entity) { try database.execute(index) }
            }
            let indexes = schema.relationshipIndexes + [Schema.pendingRowIndex] + schema.attributeIndexes
            for index in indexes { try database.execute(index) }
            for (key, value) in schema.metadata {
                try database.run(#"INSERT INTO "_mappingkit"("key", "value") VALUES(?, ?)"#, [.text(key), value])
            }
            try database.execute(
                "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.formatVersion)")
        }
    }

    private func check(_ database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) {
        try FileHeader.check(database, path: path)
        let differences = model.differences(from: try FileHeader.model(of: database, path: path))
        guard differences.isEmpty else {
            throw StoreError(
                .modelMismatch,
                "the model of '\(path)' differs from the classes: \(differences.joined(separator: "; "))",
                advice: "change the classes so that they match the file, or open another file; this one is unchanged")
        }
    }

    /// Adds what the classes require in addition to the model, and prepares the file for several connections.
    private func prepareForWriting(_ connection: StoreConnection, _ model: ObjectModel) throws(StoreError) {
        let database = connection.database
        if path != ":memory:" {
            let mode = try database.value("PRAGMA journal_mode = WAL")?.text
            guard mode == "wal" else {
                throw StoreError(
                    .readOnly, "cannot use '\(path)' in WAL mode", advice: "check the file system and its permissions")
            }
        }
        // A commit survives the end of the process; only a power failure can lose the last ones.
        try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -8192")
        // A complete file is opened without waiting for other processes that write.
        let indexes = Schema(model).attributeIndexes + [Schema.pendingIndex, Schema.pendingRowIndex]
        let missing = try missing(of: indexes, in: database)
        let version = try database.integer("PRAGMA user_version")
        let isIdentified = path == ":memory:" ? true : try FileHeader.isIdentified(database)
        guard !missing.isEmpty || version < Schema.formatVersion || !isIdentified else { return }
        try connection.transaction { () throws(StoreError) in
            for index in missing { try database.execute(index) }
            if !isIdentified { try FileHeader.identify(database) }
            guard try database.integer("PRAGMA user_version") < Schema.formatVersion else { return }
            try database.execute("PRAGMA user_version = \(Schema.formatVersion)")
            try database.run(
                #"UPDATE "_mappingkit" SET "value" = ? WHERE "key" = 'format'"#, [.integer(Schema.formatVersion)])
        }
    }

    /// Returns the statements whose indexes do not exist.
    private func missing(of indexes: [String], in database: SQLiteDatabase) throws(StoreError) -> [String] {
        let rows = try database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index'").rows([])
        let existing = Set(rows.compactMap(\.first?.text))
        // SQLite stores the text of the statement without these words.
        return indexes.filter { !existing.contains($0.replacing("IF NOT EXISTS ", with: "")) }
    }

    // MARK: Seeds

    /// Copies a seed to a file that does not exist or is empty, after its checksum and model were verified.
    static func copySeed(
        _ seed: URL, to url: URL, _ model: ObjectModel, _ options: ManagedObjectStore.Options
    ) throws {
        try url.checkIsFile()
        try seed.checkIsFile()
        let files = FileManager.default
        guard !files.fileExists(atPath: url.path) || isEmpty(url) else { return }
        guard files.fileExists(atPath: seed.path) else {
            throw StoreError(.cannotOpen, "the seed '\(seed.path)' does not exist")
        }
        try verify(seed, requiresChecksum: options.requiresChecksum)
        let copy = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString).tmp")
        defer { try? files.removeItem(at: copy) }
        do {
            try files.copyItem(at: seed, to: copy)
        } catch {
            throw StoreError(
                .cannotOpen, "cannot copy the seed to '\(url.path)': \(error)",
                advice: "check that the folder exists and is writable")
        }
        // A seed in a bundle can be read-only.
        try? files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        let database = try SQLiteDatabase(path: copy.path, mode: .readOnly)
        defer { database.close() }
        try StoreFile(path: seed.path, options).check(database, model)
        do {
            try removeEmpty(url)
            try files.moveItem(at: copy, to: url)
        } catch {
            // Another process may have copied it meanwhile.
            guard files.fileExists(atPath: url.path) else { throw error }
        }
    }

    /// Whether a file exists and has 0 bytes.
    private static func isEmpty(_ url: URL) -> Bool {
        (try? Data(contentsOf: url, options: .mappedIfSafe))?.isEmpty ?? false
    }

    /// Deletes a file that is still empty while no other process can use it.
    private static func removeEmpty(_ url: URL) throws {
        guard isEmpty(url) else { return }
        let database = try SQLiteDatabase(path: url.path, mode: .readWrite)
        defer { database.close() }
        try database.execute("BEGIN EXCLUSIVE")
        if isEmpty(url) { try FileManager.default.removeItem(at: url) }
    }

    private static func verify(_ seed: URL, requiresChecksum: Bool) throws {
        let sumFile = URL(fileURLWithPath: seed.path + ".sha256")
        guard let text = try? String(contentsOf: sumFile, encoding: .utf8) else {
            guard !requiresChecksum else {
                throw StoreError(
                    .corrupt, "the seed '\(seed.path)' has no checksum file '\(sumFile.lastPathComponent)'")
            }
            return
        }
        let expected = text.prefix { $0 != " " && $0 != "\n" }.lowercased()
        let found = SHA256.hex(of: try Data(contentsOf: seed, options: .mappedIfSafe))
        guard expected == found else {
            throw StoreError(
                .corrupt,
                "the seed '\(seed.path)' is damaged: its SHA-256 is \(found), but \(sumFile.lastPathComponent) "
                    + "has \(expected)", advice: "build or copy the seed again")
        }
    }

    /// Deletes a file and SQLite's files next to it.
    static func remove(_ url: URL) throws {
        for suffix in ["-wal", "-shm", ""] {
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}

extension URL {
    /// Rejects other URLs, whose paths do not name files.
    func checkIsFile() throws(StoreError) {
        guard isFileURL else {
            throw StoreError(
                .cannotOpen, "'\(absoluteString)' is not a file URL", advice: "create it as URL(fileURLWithPath:)")
        }
    }
}
