/// The identity of a file when a body was created from it, to detect that it was replaced or changed.
package struct FileIdentity: Sendable, Hashable {
    package let path: String
    package let size: Int64
    private let device: UInt64
    private let node: UInt64
    private let modified: Int64
    private let modifiedNanoseconds: Int64

    /// Reads the identity of a file and verifies that the file is readable.
    ///
    /// - Throws: An error of kind `bodyUnreadable`, with the path, if it is not a readable regular file.
    package init(of url: URL) throws(RequestError) {
        let path = url.path
        guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
            throw RequestError(.bodyUnreadable, "'\(printable(url.absoluteString))' is not the URL of a file")
        }
        let descriptor = try Self.open(path)
        defer { close(descriptor) }
        try self.init(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) throws(RequestError) {
        guard let status = FileSystem.status(of: descriptor) else { throw Self.unreadable(path, errno) }
        try self.init(path: path, status)
    }

    private init(path: String, _ status: stat) throws(RequestError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RequestError(.bodyUnreadable, "'\(printable(path))' is not a regular file")
        }
        self.path = path
        size = Int64(status.st_size)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
        modified = Int64(status.modificationTime.tv_sec)
        modifiedNanoseconds = Int64(status.modificationTime.tv_nsec)
    }

    /// Opens the file again if it is unchanged.
    func reopen() throws(RequestError) -> Int32 {
        let descriptor = try Self.open(path)
        do {
            try check(FileIdentity(path: path, descriptor: descriptor), "before it was sent")
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Verifies that the open file is unchanged and still at its path.
    func check(_ descriptor: Int32) throws(RequestError) {
        try check(FileIdentity(path: path, descriptor: descriptor), "while it was sent")
        guard let status = FileSystem.status(at: path) else { throw Self.unreadable(path, errno) }
        try check(FileIdentity(path: path, status), "while it was sent")
    }

    private func check(_ found: FileIdentity, _ time: String) throws(RequestError) {
        let change: String
        if found.device != device || found.node != node {
            change = "was replaced by another file (\(found.size) bytes instead of \(size)) \(time)"
        } else if found.size != size {
            change = "\(found.size < size ? "shrank" : "grew") from \(size) to \(found.size) bytes \(time)"
        } else if found != self {
            change = "(\(size) bytes) was written to \(time)"
        } else {
            return
        }
        throw RequestError(.bodyChanged, "the file '\(printable(path))' \(change)")
    }

    static func unreadable(_ path: String, _ code: Int32) -> RequestError {
        RequestError(
            .bodyUnreadable, "the file '\(printable(path))' cannot be read: \(FileSystem.message(code))")
    }

    /// Opens the file with `O_NONBLOCK`, so that a named pipe does not block; regular files ignore it.
    private static func open(_ path: String) throws(RequestError) -> Int32 {
        let descriptor = FileSystem.uninterrupted { FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        return descriptor
    }
}
