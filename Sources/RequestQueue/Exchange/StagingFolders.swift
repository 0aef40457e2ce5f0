import Dispatch
import Synchronization

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
        where StagedDownload.isStaged(name) {
            let file = "\(folder)/\(name)"
            let descriptor = FileSystem.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { _ = close(descriptor) }
            guard let status = FileSystem.status(of: descriptor), status.st_mode & S_IFMT == S_IFREG,
                now.timeIntervalSince1970 - Double(status.modificationTime.tv_sec) > age,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            FileSystem.remove(file)
        }
    }
}
