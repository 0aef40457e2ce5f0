/// A seed database file: its size and the state of its checksum.
package struct SeedFile {
    /// The state of the checksum.
    package enum ChecksumState: Sendable, CustomStringConvertible {
        case holds, wrong, absent

        package var description: String {
            switch self {
            case .holds: "checksum matches"
            case .wrong: "checksum mismatch"
            case .absent: "no checksum file"
            }
        }
    }

    package let size: Int
    package let checksum: ChecksumState

    /// Reads a file to its end; throws `inputMissing` if it cannot be read.
    package init(_ path: String) throws(SeedError) {
        guard try InputKind(of: path, name: path) == .file else {
            throw SeedError(.inputMissing, "cannot read \(path): it is a pipe")
        }
        let file = try Descriptor(reading: path)
        size = file.size
        // Next to the file itself, if the path is a link to it.
        let target = try OutputPath(path).path
        if let stored = Checksum.stored(at: target + ".sha256") {
            checksum = try Checksum(of: file, name: path).hex == stored ? .holds : .wrong
        } else {
            checksum = .absent
        }
    }
}
