/// The state of a dump at the start of the build, to detect changes while it is read.
///
/// A file that was replaced is still valid: the open file is unchanged.
struct FileStamp: Equatable {
    let size: Int
    private let identity: FileIdentity
    private let modified: timespec

    init(_ status: stat) {
        size = Int(clamping: status.st_size)
        identity = FileIdentity(status)
        modified = status.modificationTime
    }

    static func == (one: FileStamp, other: FileStamp) -> Bool {
        one.size == other.size && one.identity == other.identity && one.modified.tv_sec == other.modified.tv_sec
            && one.modified.tv_nsec == other.modified.tv_nsec
    }

    /// Returns how a file has changed; `nil` if it is unchanged.
    ///
    /// - Parameter offset: How far it was read.
    func change(of file: Descriptor, name: String, readTo offset: Int) -> SeedError? {
        guard let status = file.status else { return .system(.inputOutput, "cannot read", name) }
        let now = FileStamp(status)
        let what: String
        if now.identity != identity {
            what = "was replaced after the build started"
        } else if now.size < size {
            what = "shrank from \(size) to \(now.size) bytes while it was being read"
        } else if now.size > size {
            what = "grew from \(size) to \(now.size) bytes while it was being read"
        } else if now.modified.tv_sec != modified.tv_sec || now.modified.tv_nsec != modified.tv_nsec {
            what = "was modified while it was being read"
        } else if offset > size {
            what = "is longer than the \(size) bytes that the system reports"
        } else {
            return nil
        }
        return SeedError(
            .badData, "\(name) \(what) (read up to byte \(min(offset, max(size, now.size))))",
            advice: "Make sure that no program writes to it, then build again.")
    }
}
