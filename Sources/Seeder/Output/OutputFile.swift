import Synchronization

/// An output file, which is written next to its destination under a temporary name, and replaces the destination when it is
/// complete; otherwise it is deleted.
///
/// Its lock distinguishes it from the remains of a killed build, which the next build deletes.
final class OutputFile {
    let target: OutputPath
    /// The temporary path.
    let path: String
    let descriptor: Descriptor
    private var isCommitted = false
    /// The temporary paths of this process.
    private static let unfinished = Mutex<Set<String>>([])

    /// Creates the file; throws if its folder does not permit it, or if another build is writing the same destination.
    init(for target: OutputPath) throws(SeedError) {
        self.target = target
        // Builds that start at the same time are serialized here, so that exactly one of them succeeds.
        let folder = Descriptor(FileSystem.open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        Self.waitForLock(of: folder)
        try Self.sweep(target)
        path = "\(target.folder)/\(target.newStagedName())"
        descriptor = Descriptor(FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o666))
        guard descriptor.isOpen else {
            throw .system(.cannotCreateOutput, "cannot create", target.title, advice: target.advice(errno))
        }
        _ = descriptor.lock()
        Self.unfinished.withLock { _ = $0.insert(path) }
    }

    deinit {
        Self.unfinished.withLock { _ = $0.remove(path) }
        if !isCommitted { Self.remove(path) }
    }

    /// The destination, with links resolved.
    var destination: String { target.path }
    /// The destination as specified, for messages.
    var title: String { target.title }
    /// The last component of the destination, and its folder.
    var name: String { target.name }
    var folder: String { target.folder }

    /// Appends to the file.
    func write(_ bytes: some Sequence<UInt8>) throws(SeedError) {
        try descriptor.writeAll(Array(bytes), name: title)
    }

    /// Truncates the file.
    func clear() throws(SeedError) {
        guard ftruncate(descriptor.number, 0) == 0, lseek(descriptor.number, 0, SEEK_SET) == 0 else {
            throw .system(.inputOutput, "cannot write", title)
        }
    }

    /// Sets a copied database to the journal mode of seeds: WAL mode needs files next to it, and seeds are single files.
    func leaveWAL() throws(SeedError) {
        guard descriptor.size > 20 else { return }
        // The versions of the format for writing and reading in SQLite's header: 2 means WAL mode.
        guard lseek(descriptor.number, 18, SEEK_SET) == 18 else { throw .system(.inputOutput, "cannot write", title) }
        try write([1, 1])
        guard lseek(descriptor.number, 0, SEEK_END) >= 0 else { throw .system(.inputOutput, "cannot write", title) }
    }

    /// Waits until the bytes are on the disk.
    func synchronize() throws(SeedError) { try descriptor.synchronize(name: title) }

    /// Waits until the bytes are on the disk, while a closure runs.
    func synchronize<Value>(during body: () throws(SeedError) -> Value) throws(SeedError) -> Value {
        let synchronization = BackgroundSynchronization(of: descriptor)
        // The descriptor stays open until the system has finished, even if the closure fails.
        let value = Result { () throws(SeedError) in try body() }
        try synchronization.wait(name: title)
        return try value.get()
    }

    /// Moves the file to its destination, after `synchronize()`.
    func commit() throws(SeedError) {
        guard FileIdentity(path) == descriptor.status.map(FileIdentity.init) else {
            throw SeedError(
                .inputOutput,
                "cannot write \(title): its folder, or the unfinished file in the folder, was removed or replaced",
                advice: "Make sure that no program removes files from \(folder), then build again.")
        }
        guard FileSystem.move(path, to: destination) else { throw .system(.inputOutput, "cannot write", title) }
        isCommitted = true
    }

    /// Deletes the remains of killed builds of a destination.
    static func sweep(_ target: OutputPath) throws(SeedError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: target.folder)) ?? []
        for name in names {
            guard let owner = target.stagedName(in: name) else { continue }
            // Files of a staged file share its fate; one that cannot be opened belongs to another user.
            let staged = Descriptor(FileSystem.open("\(target.folder)/\(owner)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC))
            guard staged.isOpen || errno == ENOENT else { continue }
            guard !staged.isOpen || staged.lock() else {
                throw SeedError(
                    .cannotCreateOutput, "another build of \(target.title) is running",
                    advice: "Wait for it to finish, or write to another file.")
            }
            FileSystem.remove("\(target.folder)/\(name)")
        }
    }

    /// Waits for up to one second: the check is fast, and other programs may lock the folder.
    private static func waitForLock(of folder: Descriptor) {
        for _ in 0..<100 {
            if !folder.isOpen || folder.lock() { return }
            usleep(10_000)
        }
    }

    /// Removes the unfinished files of this process, which must end after it.
    static func removeUnfinished() { unfinished.withLock { $0.forEach(remove) } }

    /// SQLite may have a journal next to its file while it writes.
    private static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(path + suffix) }
    }
}
