import Dispatch
public import ObjectMapping

extension ManagedObjectStore {
    /// Options for opening a store.
    public struct Options: Sendable {
        /// Whether the file is opened for reading only.
        ///
        /// Defaults to `false`.
        public var isReadOnly = false
        /// The time that a save waits for other contexts and processes that write.
        ///
        /// Defaults to 5 seconds.
        public var busyTimeout = Duration.seconds(5)
        /// Whether a seed without a checksum file is rejected.
        ///
        /// Defaults to `false`.
        public var requiresChecksum = false

        /// Whether a new copy of a seed keeps the original values of seeded rows that are changed or deleted.
        ///
        /// They are required to merge a later version of the seed with the changes of the user, and are stored in the table
        /// `_mappingkit_base`. Has no effect on an existing file. Defaults to `false`. See <doc:SeedUpgrades>.
        public var keepsSeededValues = false

        /// Whether a file that belongs to a remote can be opened for writing without it.
        ///
        /// The remote never receives what is written then. Defaults to `false`: opening such a file throws `otherRemote`. See
        /// <doc:IncrementalStores>.
        public var ignoresRemote = false

        /// What happens to a file whose model cannot be changed to that of the classes.
        ///
        /// Defaults to `.refuse`.
        public var onModelMismatch = ModelMismatchPolicy.refuse

        /// The version of the model, a number that increases with each release that changes the classes.
        ///
        /// The file records it. A file with a later version is refused, also if an earlier program has never seen it.
        /// Defaults to 0: only a file that had the model before is known to be later.
        public var modelVersion = 0

        /// The steps of migrations that cannot be derived from the models, in the order of the releases.
        ///
        /// Defaults to none. See <doc:Migration>.
        public var migrationSteps: [MigrationStep] = []

        /// Receives the progress of a migration, on the thread that opens the file.
        ///
        /// Defaults to `nil`.
        public var onMigrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Creates options with default values.
        public init() {}
    }

    /// What happens to a file whose model cannot be changed to that of the classes.
    public enum ModelMismatchPolicy: Sendable {
        /// Opening throws `modelMismatch`, and the file is unchanged.
        case refuse
        /// All objects are deleted: the file becomes a copy of the seed, or empty. For development only.
        case recreate
    }

    /// Opens a file, and creates it if it does not exist: as a copy of a seed, or empty.
    ///
    /// The seed is copied only if the file does not exist, after its checksum (`SEED.sha256` next to it, if it exists)
    /// and its model were verified. A new file appears under its name when it is complete. See <doc:Files>.
    ///
    /// A file of 0 bytes, for example after a crash or `touch`, counts as missing, because SQLite treats it as a
    /// database without tables. Opening it for reading only is an error.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The managed classes, or entities without classes.
    ///   - seed: A file written by `seed-db` or an `ObjectSeeder`. Defaults to `nil`.
    ///   - options: The options. Defaults to the default options.
    /// - Throws: `StoreError`, of kind `modelMismatch` with all differences if the model of the file or the seed cannot
    ///   be changed to that of the classes.
    public static func open(
        at url: URL, model: ObjectModel, seed: URL? = nil, options: Options = Options()
    ) async throws -> ManagedObjectStore {
        try await blocking { () throws(StoreError) in
            try ManagedObjectStore(at: url, model: model, seed: seed, options)
        }
    }

    /// Opens an existing file, or a copy of a seed, with the model that is stored in it and without classes.
    ///
    /// ```swift
    /// let store = try await ManagedObjectStore.open(at: url)
    /// for entity in store.model.entities { print(entity.name, try store.count(of: entity.name)) }
    /// ```
    ///
    /// Its objects are accessed by the names of entities and properties; see <doc:DynamicObjects>. Calls with a class throw
    /// an error of kind `unknownEntity`.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - seed: A database that is copied if the file does not exist. Defaults to `nil`.
    ///   - options: The options. Defaults to the default options.
    /// - Throws: `StoreError`, of kind `cannotOpen` if there is neither a file nor a seed.
    public static func open(
        at url: URL, seed: URL? = nil, options: Options = Options()
    ) async throws -> ManagedObjectStore {
        try await blocking { () throws(StoreError) in
            try ManagedObjectStore(at: url, model: nil, seed: seed, options)
        }
    }

    /// Calls a closure that blocks on a separate thread, and not on one of the pool for tasks.
    static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "MappingKit.ManagedObjectStore.open").async {
                continuation.resume(with: Swift.Result { () throws(StoreError) in try body() }.mapError { $0 })
            }
        }
    }

    /// Opens a file, and creates it empty if it does not exist or has 0 bytes.
    ///
    /// Blocks until the file is open.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The managed classes.
    ///   - options: The options. Defaults to the default options.
    /// - Throws: `StoreError`, of kind `modelMismatch` with all differences if the model of the file cannot be changed to
    ///   that of the classes.
    public convenience init(at url: URL, model: ObjectModel, options: Options = Options()) throws(StoreError) {
        try self.init(at: url, model: model, seed: nil, options)
    }

    /// Creates an empty store in memory, which is deleted with its last reference.
    ///
    /// - Parameter model: The managed classes.
    public convenience init(inMemory model: ObjectModel) throws(StoreError) {
        try self.init(at: nil, model: model, seed: nil, Options())
    }

    /// - Parameter model: `nil` for the model of an existing file or a seed.
    convenience init(
        at url: URL?, model: ObjectModel?, seed: URL?, _ options: Options, _ remote: RemoteConnection? = nil
    ) throws(StoreError) {
        let isInMemory = url == nil || url?.lastPathComponent == ":memory:"
        let file = if let url, !isInMemory { try StoreFile(url, options) } else { StoreFile.inMemory(options) }
        let (writer, stored) = try file.open(model, seed: seed)
        let identity: StoreIdentity =
            isInMemory ? .inMemory() : .ofFile(try FileHeader.identifier(of: writer.database, path: file.path))
        let openModel =
            isInMemory
            ? nil
            : try OpenModel(
                stored, declared: model, of: writer, path: file.path, isReadOnly: options.isReadOnly)
        writer.fileCheck = openModel
        var openReader: (@Sendable () throws(StoreError) -> StoreConnection)?
        if !isInMemory {
            let openFile = writer.openFile
            openReader = { @Sendable () throws(StoreError) -> StoreConnection in
                // A reader of another file would mix the rows of both.
                try openFile?.check()
                let reader = try file.openReader()
                reader.openFile = reader.openFile ?? openFile
                reader.fileCheck = openModel
                return reader
            }
        }
        let keepsUnsent = options.isReadOnly ? false : try UnsentMarks(writer) != nil
        let pool = ConnectionPool(
            writer: writer, isReadOnly: options.isReadOnly, timeout: file.timeout, openReader: openReader,
            model: openModel)
        self.init(
            stored, declared: model, url: isInMemory ? nil : url, seed: seed, options, identity, pool,
            keepsUnsent: keepsUnsent, remote)
        if remote == nil, !options.isReadOnly, !options.ignoresRemote { try checkNoRemote() }
    }

    /// Replaces all objects with those of the seed, or with none, and opens the file again with the same options.
    ///
    /// The objects are replaced in one transaction: if the seed cannot be read, or the disk is full, the call throws,
    /// and this store continues to work with all of its objects. Afterwards, contexts of this store can no longer read
    /// or save; use the returned store. Other processes that have the file open read the new content.
    ///
    /// Loads of an `ObjectManager` are cancelled first, and those that are being saved end. So a response that is received
    /// later, such as that of a user who has signed out, is not saved.
    ///
    /// - Throws: `StoreError`, of kind `readOnly` for a store that was opened for reading only, `replaced` if the file is
    ///   not at its path any more.
    public func reset() async throws -> ManagedObjectStore {
        await loads.end()
        do {
            let store = try await replaced()
            // Observers notice it without a commit.
            close()
            return store
        } catch {
            loads.resume()
            throw error
        }
    }

    private func replaced() async throws -> ManagedObjectStore {
        guard let url else {
            let store = try ManagedObjectStore(at: nil, model: model, seed: nil, options, remote?.renewed())
            pool.close()
            return store
        }
        let (model, seed, options, remote) = (model, seed, options, remote?.renewed())
        return try await Self.blocking { [self] () throws(StoreError) in
            let file = try StoreFile(url, options)
            try write(waits: true) { (connection) throws(StoreError) in
                try connection.openFile?.check()
                try file.replaceContent(of: connection, from: seed, model)
                // Before the writer is free: a save that waits for it belongs to the earlier content.
                pool.close()
            }
            return try ManagedObjectStore(at: url, model: model, seed: seed, options, remote)
        }
    }

    /// Writes a copy of the store to a file; the store can be in use.
    ///
    /// The file appears when it is complete. A call that throws leaves nothing.
    ///
    /// - Parameter url: The copy, which must not exist.
    public func backup(to url: URL) throws(StoreError) {
        let file = try StoreFile(url, options)
        func exists() -> StoreError {
            StoreError(.cannotOpen, "the file '\(url.path)' exists already", advice: "remove it first")
        }
        guard !FileManager.default.fileExists(atPath: file.path) else { throw exists() }
        try file.checkNothingLeftBehind()
        let staged = StagedDatabase(for: file.path)
        do {
            let path = staged.path
            try read { (connection) throws(StoreError) in
                // A connection that is open still reads a file that was deleted or replaced.
                try connection.openFile?.check()
                try connection.database.run("VACUUM INTO ?", [.text(path)])
            }
        } catch {
            // SQLite's errors name the file that is copied.
            switch error.kind {
            case .cannotOpen, .readOnly:
                throw StoreError(
                    .cannotOpen, "cannot create '\(url.path)'", advice: "check that the folder exists and is writable",
                    code: error.code)
            case .full:
                throw StoreError(
                    .full, "no space left to write '\(url.path)'", advice: "free some space there", code: error.code)
            default: throw error
            }
        }
        guard try staged.install() else { throw exists() }
    }

    /// Moves all changes into the main file, so that it can be copied without its `-wal` file.
    ///
    /// Waits for others that read or write, up to the timeout.
    ///
    /// - Throws: `StoreError`, of kind `busy` if others read or write for longer.
    public func checkpoint() throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.openFile?.check()
            let rows = try connection.database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([])
            guard let row = rows.first, row.first?.integer != 0 else { return }
            throw StoreError(
                .busy,
                "not all changes were moved into '\(url?.path ?? ":memory:")': others have been reading or writing for "
                    + "longer than the timeout",
                advice: "end their reads and try again, or use backup(to:) to copy the store")
        }
    }
}
