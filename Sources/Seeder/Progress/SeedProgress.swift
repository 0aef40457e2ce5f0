/// The progress of a build.
public struct SeedProgress: Sendable, Hashable {
    /// The phases of a build, in order.
    public enum Phase: String, Sendable, CaseIterable {
        /// Copying standard input or a pipe, so that it can be read more than once.
        case copying
        /// Reading dumps and storing their elements.
        case reading
        /// Connecting rows by their keys.
        case connecting
        /// Building the indexes of the database.
        case indexing
        /// Waiting for the disk and computing the checksum.
        case checksum
    }

    /// The current phase.
    public internal(set) var phase = Phase.reading
    /// The dump being read, as named in the manifest; empty in the phases after reading.
    public internal(set) var file = ""
    /// The bytes of all dumps that were copied or read in this phase; compressed bytes of a compressed dump.
    public internal(set) var bytesRead = 0
    /// The total bytes of all dumps; `nil` if unknown, for example while standard input is being copied.
    public internal(set) var totalBytes: Int?

    /// The progress of the phase from 0 to 1; `nil` if unknown.
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
