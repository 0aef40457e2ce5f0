import ObjectMapping
import MappingSystemCalls

/// A database that is completed under a temporary name in the folder of its file, so that nobody opens an incomplete one.
struct StagedDatabase: ~Copyable {
    /// The temporary path.
    let path: String
    private let target: String
    private static let suffixes = ["-wal", "-shm", "-journal", ""]
    /// The seconds after which a file is one of a killed process: it would have been written or installed since.
    private static let maximumAge = 24 * 3600.0

    /// Deletes the staged files of killed processes for the same target.
    init(for target: String) {
        self.target = target
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        let (folder, prefix) = (parts.dropLast().joined(separator: "/"), ".\(parts.last ?? "").")
        let start = parts.count > 1 ? folder + "/" : ""
        path = "\(start)\(prefix)\(UUID().uuidString).tmp"
        Self.removeOld(in: start.isEmpty ? "." : start, prefix)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) { for suffix in suffixes { FileSystem.remove(path + suffix) } }

    /// Deletes files that nobody has written for a day.
    private static func removeOld(in folder: String, _ prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, UUID(uuidString: String(parts[0])) != nil,
                suffixes.contains(where: { parts[1] == "tmp\($0)" })
            else { continue }
            let path = "\(folder)/\(prefix)\(parts[0]).tmp"
            let times = suffixes.compactMap {
                FileSystem.status(at: path + $0).map { Double($0.modificationTime.tv_sec) }
            }
            if let last = times.max(), last + maximumAge < Date().timeIntervalSince1970 { remove(path) }
        }
    }

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
