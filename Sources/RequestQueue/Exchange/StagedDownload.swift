/// A file that grows beside its destination under a name of its own and takes the destination's place only when it is
/// whole; otherwise it vanishes.
///
/// Downloads are such files, and so is what a cache stores. Its bytes are written by one thread; it may be discarded by
/// another one, also in the midst of a write.
final class StagedDownload: Sendable {
    private let destination: String
    private let folder: String
    /// Where it stands while it grows.
    private let path: String
    private let descriptor: Int32
    /// The permissions of the file that it replaces.
    private let permissions: mode_t?

    /// Creates it; throws `fileNotWritable` if the destination is no place for a file.
    convenience init(for url: URL) throws(TransportFailure) {
        let place = url.absoluteURL.path(percentEncoded: false)
        guard url.isFileURL, !place.isEmpty, !place.utf8.contains(0) else {
            throw TransportFailure(.fileNotWritable, "'\(printable(url.absoluteString))' is no place of a file")
        }
        let (destination, permissions) = try Self.resolved(place)
        try self.init(at: destination, permissions: permissions)
        StagingFolders.shared.sweep(folder)
    }

    /// Creates it beside a path, whose folder is there.
    ///
    /// - Parameters:
    ///   - mode: Who may read and write it.
    ///   - permissions: Those of the file that it replaces.
    init(at destination: String, mode: mode_t = 0o666, permissions: mode_t? = nil) throws(TransportFailure) {
        let slash = destination.lastIndex(of: "/")
        let parent = slash.map { destination[..<$0] } ?? "."
        self.destination = destination
        self.permissions = permissions
        folder = parent.isEmpty ? "/" : String(parent)
        // The name of the destination may be as long as names can be: it is no part of this one.
        path = "\(folder)/\(Self.start)\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.end)"
        descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode)
        guard descriptor >= 0 else { throw Self.failure(at: destination) }
        // A file that nobody has locked was left behind by a process that is gone.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    /// Whether a file has the name of one that grows, or was left behind.
    static func isStaged(_ name: String) -> Bool { name.hasPrefix(start) && name.hasSuffix(end) }

    private static let start = ".download-"
    private static let end = ".tmp"

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    func append(_ bytes: RawSpan) throws(TransportFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = FileSystem.write(descriptor, rest)
            if count >= 0 {
                rest = rest.extracting(droppingFirst: count)
            } else if errno != EINTR {
                throw Self.failure(at: destination)
            }
        }
    }

    /// Drops its bytes, for others that come in their place.
    func empty() throws(TransportFailure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.failure(at: destination)
        }
    }

    /// Waits until its bytes are on the disk.
    func synchronize() throws(TransportFailure) { try Self.synchronize(descriptor, destination) }

    /// Puts it in its place.
    ///
    /// - Parameter isDurable: Whether that survives a loss of power, which takes time.
    func commit(isDurable: Bool = true) throws(TransportFailure) {
        if let permissions, fchmod(descriptor, permissions) != 0, errno != EPERM, errno != ENOTSUP {
            throw Self.failure(at: destination)
        }
        // Before: what fails afterwards fails with the file in its place. Not every folder may be read.
        let folder = isDurable ? FileSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        defer { if folder >= 0 { _ = close(folder) } }
        guard isDurable == (folder >= 0) || errno == EACCES else { throw Self.failure(at: destination) }
        guard FileSystem.move(path, to: destination) else { throw Self.failure(at: destination) }
        if folder >= 0 { try Self.synchronize(folder, destination) }
    }

    /// Removes it, unless it is in its place.
    func discard() { FileSystem.remove(path) }

    private static func synchronize(_ descriptor: Int32, _ destination: String) throws(TransportFailure) {
        // Not every file system can.
        guard fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP else { return }
        throw failure(at: destination)
    }

    /// A path whose last link is followed, since the target of a link is replaced, not the link; and the permissions of the
    /// file at it.
    private static func resolved(
        _ path: String
    ) throws(TransportFailure) -> (path: String, permissions: mode_t?) {
        guard let status = FileSystem.status(at: path) else {
            guard !path.hasSuffix("/") else { throw failure(at: path, code: EISDIR) }
            return (path, nil)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
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
