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

        /// Creates options with default values.
        public init() {}
    }

    /// Opens a file, and creates it if it does not exist: as a copy of a seed, or empty.
    ///
    /// The seed is copied only if the file does not exist, after its checksum (`SEED.sha256` next to it, if it exists)
    /// and its model were verified.
    ///
    /// A file of 0 bytes, for example after a crash or `touch`, counts as missing, because SQLite treats it as a
    /// database without tables. Opening it for reading only is an error.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The managed classes.
    ///   - seed: A file written by `seed-db` or an `ObjectSeeder`. Defaults to `nil`.
    ///   - options: The options. Defaults to the default options.
    /// - Throws: `StoreError`, of kind `modelMismatch` with all differences if the file or the seed has another model.
    public static func open(
        at url: URL, model: ObjectModel, seed: URL? = nil, options: Options = Options()
    ) async throws -> ManagedObjectStore {
        try await withCheckedThrowingContinuation { continuation in
            // Copying blocks, so it uses a separate thread, and not one of the pool for tasks.
            DispatchQueue(label: "MappingKit.ManagedObjectStore.open").async {
                continuation.resume(
                    with: Result {
                        if let seed { try StoreFile.copySeed(seed, to: url, model, options) }
                        return try ManagedObjectStore(at: url, model: model, seed: seed, options)
                    })
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
    /// - Throws: `StoreError`, of kind `modelMismatch` with all differences if the file has another model.
    public convenience init(at url: URL, model: ObjectModel, options: Options = Options()) throws(StoreError) {
        try self.init(at: url, model: model, seed: nil, options)
    }

    /// Creates an empty store in memory, which is deleted with its last reference.
    ///
    /// - Parameter model: The managed classes.
    public convenience init(inMemory model: ObjectModel) throws(StoreError) {
        try self.init(at: nil, model: model, seed: nil, Options())
    }

    private convenience init(at url: URL?, model: ObjectModel, seed: URL?, _ options: Options) throws(StoreError) {
        let classes = model.classes
        guard !classes.isEmpty else {
            throw StoreError(
                .misuse, "the model has no managed classes", advice: "create it as ObjectModel(User.self, …)")
        }
        try url?.checkIsFile()
        let isInMemory = url == nil || url?.lastPathComponent == ":memory:"
        let path = isInMemory ? ":memory:" : url?.path ?? ""
        let file = StoreFile(path: path, options)
        let writer = try file.open(model)
        let stored = try FileHeader.model(of: writer.database, path: path)
        let identity: StoreIdentity =
            isInMemory ? .inMemory() : .ofFile(try FileHeader.identifier(of: writer.database, path: path))
        var openReader: (@Sendable () throws(StoreError) -> StoreConnection)?
        if !isInMemory { openReader = { @Sendable () throws(StoreError) -> StoreConnection in try file.openReader() } }
        let pool = ConnectionPool(
            writer: options.isReadOnly ? nil : writer, timeout: file.timeout, openReader: openReader)
        if options.isReadOnly { writer.close() }
        self.init(stored, classes: classes, url: isInMemory ? nil : url, seed: seed, identity, pool)
    }

    /// Closes the file and opens it again, empty or as a copy of its seed.
    ///
    /// Contexts of this store can no longer read or save; use the returned store.
    public func reset() async throws -> ManagedObjectStore {
        guard let url else { return try ManagedObjectStore(inMemory: model) }
        pool.close()
        try StoreFile.remove(url)
        return try await ManagedObjectStore.open(at: url, model: model, seed: seed)
    }

    /// Writes a copy of the store to a file; the store can be in use.
    ///
    /// - Parameter url: The copy, which must not exist.
    public func backup(to url: URL) throws(StoreError) {
        try url.checkIsFile()
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw StoreError(.cannotOpen, "the file '\(url.path)' exists already", advice: "remove it first")
        }
        do {
            try read { (connection) throws(StoreError) in
                try connection.database.run("VACUUM INTO ?", [.text(url.path)])
            }
        } catch  where error.kind == .cannotOpen {
            // SQLite's error names the file that is copied.
            throw StoreError(
                .cannotOpen, "cannot create '\(url.path)'", advice: "check that the folder exists and is writable",
                code: error.code)
        }
    }

    /// Moves all changes into the main file, so that it can be copied without its `-wal` file.
    public func checkpoint() throws(StoreError) {
        try write { (connection) throws(StoreError) in
            try connection.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
