import MappingSystemCalls

/// A file and its `-wal` file when a connection opened them, to detect that others deleted, replaced or changed them.
final class OpenFile: Sendable {
    /// The file at a path.
    private struct State: Sendable {
        let device: UInt64
        let node: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        init?(_ path: String) {
            guard let status = FileSystem.status(at: path) else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(status.st_size)
            seconds = Int64(status.modificationTime.tv_sec)
            nanoseconds = Int64(status.modificationTime.tv_nsec)
        }

        /// Whether the file is at a path; the other properties may differ.
        func isFile(at path: String) -> Bool {
            guard let status = FileSystem.status(at: path) else { return false }
            return node == UInt64(truncatingIfNeeded: status.st_ino)
                && device == UInt64(truncatingIfNeeded: status.st_dev)
        }

        func isUnchanged(from other: Self) -> Bool {
            node == other.node && device == other.device && size == other.size && seconds == other.seconds
                && nanoseconds == other.nanoseconds
        }
    }

    private let path: String
    private let walPath: String
    private let main: State?
    private let wal: State?

    /// - Parameter hasWAL: Whether the connection keeps the `-wal` file; others may delete that of a reader.
    init(_ path: String, hasWAL: Bool) {
        self.path = path
        walPath = path + "-wal"
        main = State(path)
        wal = hasWAL ? State(walPath) : nil
    }

    /// Rejects a file that is not at its path any more: what is written to it would be lost.
    func check() throws(StoreError) {
        if let main, !main.isFile(at: path) { throw Self.replaced(path) }
        if let wal, !wal.isFile(at: walPath) { throw Self.replaced(walPath) }
    }

    private static func replaced(_ path: String) -> StoreError {
        let now = FileSystem.status(at: path)
        return StoreError(
            .replaced,
            "the file '\(path)' was \(now == nil ? "deleted or moved" : "replaced by another file") while the store was "
                + "open", advice: "close the store, restore the file, and open it again")
    }

    /// Whether nobody has written to the files.
    var isUnchanged: Bool {
        guard let main, State(path)?.isUnchanged(from: main) == true else { return false }
        return (State(walPath)?.size ?? 0) == 0
    }
}
