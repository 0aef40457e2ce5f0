import ObjectMapping
import MappingSystemCalls

/// A database that is completed under a temporary name in the folder of its file, so that nobody opens an incomplete one.
struct StagedDatabase: ~Copyable {
    /// The temporary path.
    let path: String
    private let target: String

    init(for target: String) {
        self.target = target
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let name = ".\(parts.last ?? "").\(UUID().uuidString).tmp"
        path = (parts.dropLast().map(String.init) + [name]).joined(separator: "/")
    }

    deinit { for suffix in ["-wal", "-shm", "-journal", ""] { FileSystem.remove(path + suffix) } }

    /// Opens the staged file, whose errors name the target.
    func connect(_ options: ManagedObjectStore.Options) throws(StoreError) -> StoreConnection {
        StoreConnection(try SQLiteDatabase(path: path, mode: .create, named: target))
    }

    /// Gives the file its name, which a file of 0 bytes may have.
    ///
    /// - Returns: Whether the name was free; otherwise another process was faster.
    func install() throws(StoreError) -> Bool {
        if try replaceEmpty() { return true }
        if FileSystem.moveExclusively(path, to: target) { return true }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS:
            // A file system without links, or without such a call.
            guard FileSystem.status(at: target) == nil else { return false }
            if FileSystem.move(path, to: target) { return true }
        default: break
        }
        throw StoreError(
            .cannotOpen, "cannot create '\(target)': \(FileSystem.message(errno))",
            advice: "check that the folder exists and is writable")
    }

    /// Replaces a file that is empty while no other process can use it.
    ///
    /// A file has the name at each moment, so that others that open it at the same time find one.
    private func replaceEmpty() throws(StoreError) -> Bool {
        var isEmpty: Bool { FileSystem.status(at: target)?.st_size == 0 }
        guard isEmpty else { return false }
        let database = try SQLiteDatabase(path: target, mode: .readWrite)
        defer { database.close() }
        // Otherwise this is the file of a faster process, which may be writing.
        guard isEmpty else { return false }
        // Apple's SQLite also ends connections to a file that another process has replaced meanwhile.
        do { try database.execute("BEGIN EXCLUSIVE") } catch  where error.kind == .replaced { return false }
        guard let status = FileSystem.status(at: target), status.st_size == 0 else { return false }
        // Best effort: the mode of a file that was created with `touch` or by the system.
        let mode = Int(status.st_mode & 0o777)
        try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return FileSystem.move(path, to: target)
    }
}
