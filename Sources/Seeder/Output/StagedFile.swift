/// A file that grows beside its destination under a name of its own and takes the destination's place only when it
/// is complete; otherwise it vanishes.
///
/// Its lock tells it from the remains of a killed build, which the next one removes.
final class StagedFile {
    let target: OutputPath
    /// Where it stands while it grows.
    let path: String
    let descriptor: Descriptor
    private var isCommitted = false

    /// Creates the file; throws if its folder does not take it or if another build is writing the same destination.
    init(for target: OutputPath) throws(SeedError) {
        self.target = target
        // Builds that start at the same time take turns at looking around, so that exactly one of them wins.
        let folder = Descriptor(FileSystem.open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        Self.waitForLock(of: folder)
        try Self.sweep(target)
        path = "\(target.folder)/\(target.newStagedName())"
        descriptor = Descriptor(FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o666))
        guard descriptor.isOpen else {
            throw .system(.cannotCreateOutput, "cannot create", target.title, advice: target.advice(errno))
        }
        _ = descriptor.lock()
    }

    deinit { if !isCommitted { removeAll() } }

    /// Where the file will stand, links resolved.
    var destination: String { target.path }
    /// The destination as it was given, for messages.
    var title: String { target.title }
    /// The last component of the destination, and the folder it is in.
    var name: String { target.name }
    var folder: String { target.folder }

    /// Appends to the file.
    func write(_ bytes: some Sequence<UInt8>) throws(SeedError) {
        try descriptor.writeAll(Array(bytes), name: title)
    }

    /// Makes the file empty again.
    func clear() throws(SeedError) {
        guard ftruncate(descriptor.number, 0) == 0, lseek(descriptor.number, 0, SEEK_SET) == 0 else {
            throw .system(.inputOutput, "cannot write", title)
        }
    }

    /// Makes sure that the bytes are on the disk.
    func synchronize() throws(SeedError) { try descriptor.synchronize(name: title) }

    /// The same, while something else is done with the bytes.
    func synchronize<Value>(during body: () throws(SeedError) -> Value) throws(SeedError) -> Value {
        let synchronization = BackgroundSynchronization(of: descriptor)
        // The descriptor stays open until the system is done with it, whatever comes of the rest.
        let value = Result { () throws(SeedError) in try body() }
        try synchronization.wait(name: title)
        return try value.get()
    }

    /// Puts the file in the place of its destination; `synchronize()` comes before.
    func commit() throws(SeedError) {
        guard FileIdentity(path) == descriptor.status.map(FileIdentity.init) else {
            throw SeedError(
                .inputOutput,
                "cannot write \(title): its folder, or the unfinished file in the folder, was removed or replaced",
                advice: "Build again when no program removes files from \(folder).")
        }
        guard FileSystem.move(path, to: destination) else { throw .system(.inputOutput, "cannot write", title) }
        isCommitted = true
    }

    /// Removes what killed builds of a destination left beside it.
    static func sweep(_ target: OutputPath) throws(SeedError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: target.folder)) ?? []
        for name in names {
            guard let owner = target.stagedName(in: name) else { continue }
            // What belongs to a staged file lives and dies with it; one that may not be opened is somebody else's.
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

    /// Waits for a second at most: looking around takes no longer, and others lock folders for purposes of their own.
    private static func waitForLock(of folder: Descriptor) {
        for _ in 0..<100 {
            if !folder.isOpen || folder.lock() { return }
            usleep(10_000)
        }
    }

    /// SQLite may keep a journal beside its file while it writes.
    private func removeAll() {
        for suffix in ["", "-journal", "-wal", "-shm"] { FileSystem.remove(path + suffix) }
    }
}
