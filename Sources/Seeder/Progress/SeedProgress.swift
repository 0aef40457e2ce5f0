/// How far a build is.
public struct SeedProgress: Sendable, Hashable {
    /// What a build is doing, in the order in which it does it.
    public enum Phase: String, Sendable, CaseIterable {
        /// Copying standard input or a pipe, so that it can be read more than once.
        case copying
        /// Reading dumps and storing their elements.
        case reading
        /// Making each relationship point to its rows.
        case wiring
        /// Building the indexes of the database.
        case indexing
        /// Waiting for the disk and working out the checksum.
        case checksum
    }

    /// What is being done.
    public internal(set) var phase = Phase.reading
    /// The dump being read, as the manifest names it; empty in the phases after reading.
    public internal(set) var file = ""
    /// Bytes copied or read since the phase began, of all dumps; of a compressed dump the bytes as they are in the file.
    public internal(set) var bytesRead = 0
    /// Bytes of all dumps; nil if nobody knows, as while standard input is being copied.
    public internal(set) var totalBytes: Int?

    /// How far the phase is, from 0 to 1; nil if nobody knows.
    public var fraction: Double? {
        guard phase == .reading, let totalBytes, totalBytes > 0 else { return nil }
        return min(1, Double(bytesRead) / Double(totalBytes))
    }

    package init(phase: Phase = .reading, file: String = "", bytesRead: Int = 0, totalBytes: Int? = nil) {
        self.phase = phase
        self.file = file
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
    }
}
