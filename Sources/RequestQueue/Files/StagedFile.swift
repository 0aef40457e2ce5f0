/// A temporary file that replaces its destination when it is complete, and is removed otherwise.
///
/// It is used for downloads and by the cache. One thread writes its bytes; another thread can discard it at any time.
final class StagedFile: Sendable {
    private let destination: String
    private let folder: String
    /// The path of the temporary file.
    private let path: String
    private let descriptor: Int32
    /// The permissions of the file that it replaces.
    private let permissions: mode_t?

    /// Creates it; throws `fileNotWritable` if the destination is not a valid file.
    convenience init(for url: URL) throws(TransportFailure) {
        let place = url.absoluteURL.path(percentEncoded: false)
        guard url.isFileURL, !place.isEmpty, !place.utf8.contains(0) else {
            throw TransportFailure(.fileNotWritable, "'\(printable(url.absoluteString))' is not a valid file URL")
        }
        let (destination, permissions) = try Self.resolved(place)
        try self.init(at: destination, permissions: permissions)
        StagingFolders.shared.sweep(folder)
    }

    /// Creates it in the existing folder of a path.
    ///
    /// - Parameters:
    ///   - destination: The path.
    ///   - mode: The permissions of the new file. Defaults to 0666.
    ///   - permissions: The permissions of the file that it replaces. Defaults to `nil`.
    init(at destination: String, mode: mode_t = 0o666, permissions: mode_t? = nil) throws(TransportFailure) {
        let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { destination[..<$0] } ?? "."
        self.destination = destination
        self.permissions = permissions
        folder = parent.isEmpty ? "/" : String(parent)
        // The name of the destination is not used, because it can have the maximum length.
        path = "\(folder)/\(Self.start)\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.end)"
        descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode)
        guard descriptor >= 0 else { throw Self.failure(at: destination) }
        // The lock distinguishes it from a file abandoned by a terminated process.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Whether a name is that of a temporary file, in use or abandoned.
    static func isStaged(_ name: String) -> Bool { name.hasPrefix(start) && name.hasSuffix(end) }

    private static let start = ".download-"
    private static let end = ".tmp"

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    func append(_ bytes: RawSpan) throws(TransportFailure) {
        guard FileSystem.writeAll(descriptor, bytes) else { throw Self.failure(at: destination) }
    }

    /// Removes its bytes before the body is received again.
    func empty() throws(TransportFailure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.failure(at: destination)
        }
    }

    /// Flushes its bytes to the disk.
    func synchronize() throws(TransportFailure) { try Self.synchronize(descriptor, destination) }

    /// Moves it to its destination.
    ///
    /// - Parameter isDurable: Whether the file survives a power failure, which takes longer. Defaults to `true`.
    func commit(isDurable: Bool = true) throws(TransportFailure) {
        if let permissions, fchmod(descriptor, permissions) != 0, errno != EPERM, errno != ENOTSUP {
            throw Self.failure(at: destination)
        }
        // Opened before the move, so that a failure leaves no file at the destination. Not every folder is readable.
        let folder = isDurable ? FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        defer { if folder >= 0 { _ = close(folder) } }
        guard isDurable == (folder >= 0) || errno == EACCES else { throw Self.failure(at: destination) }
        guard FileSystem.move(path, to: destination) else { throw Self.failure(at: destination) }
        if folder >= 0 { try Self.synchronize(folder, destination) }
    }

    /// Removes it, unless it was moved to its destination.
    func discard() { FileSystem.remove(path) }

    private static func synchronize(_ descriptor: Int32, _ destination: String) throws(TransportFailure) {
        let code = FileSystem.synchronize(descriptor)
        guard code == 0 else { throw failure(at: destination, code: code) }
    }

    /// Returns a path whose last symbolic link is resolved, because its target is replaced or created, and the file
    /// permissions.
    private static func resolved(
        _ path: String, links: Int = 0
    ) throws(TransportFailure) -> (path: String, permissions: mode_t?) {
        guard let status = FileSystem.status(at: path) else {
            guard !path.hasSuffix("/") else { throw failure(at: path, code: EISDIR) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                return (path, nil)
            }
            // The link is kept, and its target is created.
            guard links < 32 else { throw failure(at: path, code: ELOOP) }
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
            return try resolved(target.hasPrefix("/") ? target : folder + target, links: links + 1)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw TransportFailure(.fileNotWritable, "'\(printable(path))' cannot be written: it is \(what)")
        }
        guard let resolved = FileSystem.resolved(path) else { throw failure(at: path) }
        return (resolved, status.st_mode & 0o777)
    }

    private static func failure(at path: String, code: Int32 = errno) -> TransportFailure {
        TransportFailure(
            .fileNotWritable, "'\(printable(path))' cannot be written: \(FileSystem.message(code)) (\(code))")
    }
}

/// Removes temporary files of downloads that terminated processes left behind.
final class StagingFolders: Sendable {
    static let shared = StagingFolders()

    private let swept = Mutex<Set<String>>([])
    /// Younger files are skipped: a process may not have locked them yet.
    private static let age: Double = 60

    /// Searches a folder in the background, once per process.
    func sweep(_ folder: String) {
        guard swept.withLock({ $0.insert(folder).inserted }) else { return }
        DispatchQueue.global(qos: .utility).async { Self.removeAbandoned(in: folder, at: Date()) }
    }

    /// Removes the temporary files that no process has locked.
    static func removeAbandoned(in folder: String, at now: Date) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where StagedFile.isStaged(name) {
            removeIfAbandoned("\(folder)/\(name)", at: now)
        }
    }

    /// Removes a temporary file, unless a process has locked it.
    static func removeIfAbandoned(_ file: String, at now: Date) {
        let descriptor = FileSystem.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        guard let status = FileSystem.status(of: descriptor), status.st_mode & S_IFMT == S_IFREG,
            now.timeIntervalSince1970 - Double(status.modificationTime.tv_sec) > age,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        FileSystem.remove(file)
    }
}
