/// Identifies a file independent of its names.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of the file at a path; `nil` if it does not exist.
    init?(_ path: String) {
        guard let status = FileSystem.status(at: path) else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
