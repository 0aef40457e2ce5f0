import Dispatch
import ObjectMapping
import MappingSystemCalls

/// The database file of a store: how it is created and opened.
struct StoreFile: Sendable {
    /// The path without links at its end, because SQLite's files are next to the target of a link.
    let path: String
    let options: ManagedObjectStore.Options

    init(_ url: URL, _ options: ManagedObjectStore.Options) throws(StoreError) {
        try url.checkIsFile()
        path = Self.target(of: url.path)
        self.options = options
    }

    private init(inMemory options: ManagedObjectStore.Options) {
        path = ":memory:"
        self.options = options
    }

    static func inMemory(_ options: ManagedObjectStore.Options) -> Self { Self(inMemory: options) }

    private static func target(of path: String) -> String {
        var path = path
        // The system follows at most 40 links.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.prefix { $0 != "/" }.isEmpty ? path[...(path.lastIndex(of: "/") ?? path.startIndex)] : ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    var timeout: DispatchTimeInterval { .milliseconds(milliseconds) }

    private var milliseconds: Int {
        let (seconds, attoseconds) = options.busyTimeout.components
        return Int(min(max(0, seconds), 1_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    private var isInMemory: Bool { path == ":memory:" }

    // MARK: Connections

    private func connect(_ mode: SQLiteDatabase.Mode) throws(StoreError) -> StoreConnection {
        let database = try SQLiteDatabase(path: path, mode: mode, busyTimeout: Int32(min(milliseconds, 1 << 30)))
        StoreFunctions.register(in: database)
        return StoreConnection(database)
    }

    /// Opens an existing file for reading only.
    func openReader() throws(StoreError) -> StoreConnection {
        do {
            let connection = try connect(.readOnly)
            // The first statement that reads opens SQLite's files.
            try connection.database.execute("PRAGMA cache_size = -8192; PRAGMA schema_version")
            return connection
        } catch  where (error.kind == .cannotOpen || error.kind == .readOnly) && exists {
            // SQLite cannot create the files next to it that a file in WAL mode needs.
            for suffix in ["-wal", "-journal"] where size(of: suffix) > 0 {
                throw StoreError(
                    .cannotOpen,
                    "cannot read '\(path)' without write permission for its folder: '\(name(suffix))' has changes that "
                        + "are not in the file",
                    advice: "open it once with write permission, or copy both files to a writable folder",
                    code: error.code)
            }
            let connection = try connect(.immutable)
            connection.openFile = OpenFile(path, hasWAL: false)
            connection.isImmutable = true
            try connection.database.execute("PRAGMA cache_size = -8192; PRAGMA schema_version")
            return connection
        }
    }

    /// Opens the file, creates it if it does not exist or is empty, and compares its model, which it returns as well.
    ///
    /// - Parameters:
    ///   - model: The model; `nil` for that of an existing file or the seed.
    ///   - seed: The database that a new file is a copy of. Defaults to `nil`: a new file has no objects.
    func open(
        _ model: ObjectModel?, seed: URL? = nil
    ) throws(StoreError) -> (connection: StoreConnection, model: ObjectModel) {
        guard !isInMemory else {
            let connection = try connect(.create)
            let stored = try create(connection, model)
            return (connection, try prepareForWriting(connection, stored, model))
        }
        // First: another process creates the file before it creates these.
        let remains = ["-wal", "-journal"].first { size(of: $0) > 0 }
        let isMissing = try isMissing()
        if isMissing, !options.isReadOnly || seed != nil {
            if let remains { throw leftBehind(remains) }
            try make(from: seed, model)
        }
        guard !options.isReadOnly else {
            guard exists else { throw StoreError(.cannotOpen, "there is no file '\(path)'") }
            let connection = try openReader()
            let stored = try check(connection.database, model, path: path, isUnchanged: true)
            connection.openFile = OpenFile(path, hasWAL: false)
            return (connection, stored)
        }
        let connection = try connect(.readWrite)
        let stored: ObjectModel
        do {
            stored = try prepareExisting(connection, model)
        } catch  where error.kind == .modelMismatch && options.onModelMismatch == .recreate {
            try replaceContent(of: connection, from: seed, model)
            stored = try prepareExisting(connection, model)
        }
        connection.openFile = OpenFile(path, hasWAL: true)
        return (connection, stored)
    }

    private func prepareExisting(
        _ connection: StoreConnection, _ model: ObjectModel?
    ) throws(StoreError) -> ObjectModel {
        let stored =
            try FileHeader.isEmpty(connection.database)
            ? create(connection, model) : check(connection.database, model, path: path)
        return try prepareForWriting(connection, stored, model)
    }

    // MARK: Creating

    /// Writes a new database, and gives it the name of the file unless another process was faster.
    private func make(from seed: URL?, _ model: ObjectModel?) throws(StoreError) {
        let staged = StagedDatabase(for: path)
        try fill(staged, from: seed, model)
        _ = try staged.install()
    }

    /// Writes a complete database into a staged file: a copy of a seed, or without objects.
    ///
    /// - Parameter pageSize: The size of its pages. Defaults to that of the seed, or 4096.
    func fill(
        _ staged: borrowing StagedDatabase, from seed: URL?, _ model: ObjectModel?, pageSize: Int64? = nil
    ) throws(StoreError) {
        var stored: ObjectModel?
        let source = try seed.map { seed throws(StoreError) in
            try SeedFile(seed, options).open { (database, path) throws(StoreError) in
                stored = try check(database, model, path: path)
            }
        }
        do {
            let connection = try staged.connect(options)
            defer { connection.close() }
            let database = connection.database
            if let source {
                try source.database.copy(to: database)
                source.close()
                // The seed may have been a file in use.
                for table in [UnsentMarks.table, LoadRecord.table, SaveJournal.table, ListTimes.table] {
                    try database.execute("DROP TABLE IF EXISTS \(table)")
                }
            } else {
                stored = try create(connection, model)
            }
            if let pageSize, try database.integer("PRAGMA page_size") != pageSize {
                // In WAL mode, the size cannot be changed.
                try database.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM")
            }
            if let stored {
                let complete = try prepareForWriting(connection, stored, model, named: seed?.path)
                if source != nil, options.keepsSeededValues {
                    try connection.transaction { () throws(StoreError) in
                        try SeededValues.begin(in: database, complete)
                    }
                }
            }
        } catch  where seed != nil && error.kind == .cannotOpen {
            throw StoreError(
                .cannotOpen, "cannot copy the seed to '\(path)'",
                advice: "check that the folder exists and is writable", code: error.code)
        }
    }

    /// Replaces everything in the file with a copy of a seed, or with nothing, in one transaction.
    func replaceContent(of connection: StoreConnection, from seed: URL?, _ model: ObjectModel?) throws(StoreError) {
        let staged = StagedDatabase(for: path)
        let pageSize = try connection.database.integer("PRAGMA page_size")
        try fill(staged, from: seed, model, pageSize: pageSize)
        let source = try SQLiteDatabase(path: staged.path, mode: .readOnly, named: path)
        defer { source.close() }
        try source.copy(to: connection.database)
    }

    /// Creates the tables of a model in an empty file.
    ///
    /// - Returns: The model of the file, which another process may have created.
    private func create(_ connection: StoreConnection, _ model: ObjectModel?) throws(StoreError) -> ObjectModel {
        guard let model else { throw StoreError(.cannotOpen, "there is no file '\(path)'") }
        let database = connection.database
        let schema = Schema(model)
        try database.execute("PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE")
        return try connection.transaction { () throws(StoreError) in
            // If two processes create tables in a file without any, the second one finds them.
            guard try database.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
                return try FileHeader.model(of: database, path: path)
            }
            for table in schema.tables { try database.execute(table) }
            for entity in model.entities {
                if let index = schema.identityIndex(of: entity) { try database.execute(index) }
            }
            let indexes = schema.relationshipIndexes + [Schema.pendingRowIndex] + schema.attributeIndexes
            for index in indexes { try database.execute(index) }
            try SearchIndex.update(in: database, to: model)
            for (key, value) in schema.metadata {
                try database.run(#"INSERT INTO "_mappingkit"("key", "value") VALUES(?, ?)"#, [.text(key), value])
            }
            try MigrationRecord.begin(options, in: database)
            try database.execute(
                "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.formatVersion)")
            return model
        }
    }

    // MARK: Verifying

    /// Returns the model of a file with which it can be opened.
    ///
    /// - Parameter isUnchanged: Whether the file cannot be migrated. Defaults to `false`.
    private func check(
        _ database: SQLiteDatabase, _ model: ObjectModel?, path: String, isUnchanged: Bool = false
    ) throws(StoreError) -> ObjectModel {
        try FileHeader.check(database, path: path)
        let stored = try FileHeader.model(of: database, path: path)
        guard let model else { return stored }
        let migration = try Migration(from: stored, to: model, options, in: database)
        guard isUnchanged else {
            try migration.check(in: database, path: path)
            return stored
        }
        guard migration.text.isEmpty else {
            throw StoreError(
                .modelMismatch, "the model of '\(path)' differs from the classes: \(migration.text)",
                advice: migration.stages.allSatisfy(\.obstacles.isEmpty)
                    ? "open the file for writing once, which migrates it"
                    : "change the classes so that they match the file, or open another file; this one is unchanged")
        }
        return stored
    }

    /// Whether a file or folder is at the path.
    private var exists: Bool { FileSystem.status(at: path) != nil }

    /// Whether there is no file, or one of 0 bytes.
    ///
    /// - Throws: An error for what SQLite would overwrite or wait for.
    func isMissing() throws(StoreError) -> Bool {
        guard let status = FileSystem.status(at: path) else { return true }
        try FileHeader.check(status, path: path)
        return status.st_size == 0
    }

    /// Rejects files of an earlier database with the name of a new one: SQLite would add their content to it.
    func checkNothingLeftBehind() throws(StoreError) {
        if let remains = ["-wal", "-journal"].first(where: { size(of: $0) > 0 }) { throw leftBehind(remains) }
    }

    private func leftBehind(_ suffix: String) -> StoreError {
        StoreError(
            .cannotOpen,
            "cannot create '\(path)': '\(name(suffix))' has changes of a database with this name that does not exist "
                + "any more",
            advice: "restore the database, or move '\(name(suffix))' away if its changes are not needed")
    }

    private func name(_ suffix: String) -> String { "\(path.split(separator: "/").last ?? "")\(suffix)" }

    /// Returns the size of a file next to the database; 0 if it does not exist.
    func size(of suffix: String) -> Int64 { Int64(FileSystem.status(at: path + suffix)?.st_size ?? 0) }

    // MARK: Preparing

    /// Migrates the file to a model if necessary, and prepares it for several connections.
    ///
    /// - Parameter name: The path in errors. Defaults to that of the file.
    /// - Returns: The model of the file afterwards.
    @discardableResult private func prepareForWriting(
        _ connection: StoreConnection, _ stored: ObjectModel, _ model: ObjectModel?, named name: String? = nil
    ) throws(StoreError) -> ObjectModel {
        // Rows that REPLACE deletes fire triggers.
        try connection.database.execute(
            "PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = ON; PRAGMA cache_size = -8192")
        let result = try migrate(connection, stored, model, named: name)
        // Last: the mode is in the header of the file, which a migration that fails does not change.
        if !isInMemory { try useWAL(connection) }
        // A commit survives the end of the process; only a power failure can lose the last ones.
        try connection.database.execute("PRAGMA synchronous = NORMAL")
        return result
    }

    private func migrate(
        _ connection: StoreConnection, _ stored: ObjectModel, _ model: ObjectModel?, named name: String?
    ) throws(StoreError) -> ObjectModel {
        let database = connection.database
        // A complete file is opened without waiting for other processes that write.
        let migration = try Migration(from: stored, to: model, options, in: database)
        let indexes = try FileSchema(of: database).changes(from: stored, to: migration.target, rebuilding: [])
        let version = try database.integer("PRAGMA user_version")
        let isIdentified = isInMemory ? true : try FileHeader.isIdentified(database)
        let isSearchable = try SearchIndex.isCurrent(in: database, migration.target)
        let isPrepared = indexes.dropped.isEmpty && indexes.added.isEmpty && isIdentified && isSearchable
        guard !isPrepared || version < Schema.formatVersion || !migration.isEmpty else { return stored }
        return try connection.transaction { () throws(StoreError) in
            // Another process may have been faster.
            let current = try FileHeader.model(of: database, path: path)
            let migration = try Migration(from: current, to: model, options, in: database)
            var searched: Set<String> = []
            if !migration.isEmpty {
                try migration.check(in: database, path: name ?? path)
                // Their triggers name columns that may be renamed or removed.
                searched = try SearchIndex.suspend(in: database, current, keeping: migration.unchangedSearches)
            }
            var run = MigrationRun(database, path: name ?? path, options.onMigrationProgress)
            try run.run(migration)
            try SearchIndex.update(in: database, to: migration.target, intact: searched.subtracting(run.changedTables))
            if !isIdentified { try FileHeader.identify(database) }
            guard try database.integer("PRAGMA user_version") < Schema.formatVersion else { return migration.target }
            try database.execute("PRAGMA user_version = \(Schema.formatVersion)")
            try database.run(
                #"UPDATE "_mappingkit" SET "value" = ? WHERE "key" = 'format'"#, [.integer(Schema.formatVersion)])
            return migration.target
        }
    }

    private func useWAL(_ connection: StoreConnection) throws(StoreError) {
        let deadline = ContinuousClock.now + options.busyTimeout
        var mode: String?
        while mode == nil {
            do {
                mode = try connection.database.value("PRAGMA journal_mode = WAL")?.text ?? ""
            } catch  where error.kind == .busy && ContinuousClock.now < deadline {
                // SQLite does not wait here for other processes that change the mode; a transaction does.
                try connection.transaction {}
            }
        }
        guard mode == "wal" else {
            throw StoreError(
                .readOnly, "cannot use '\(path)' in WAL mode", advice: "check the file system and its permissions")
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
