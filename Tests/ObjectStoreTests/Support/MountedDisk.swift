import Foundation
import TestSupport

/// A disk in memory, mounted at a temporary folder: Linux and root only.
final class MountedDisk: Sendable {
    let folder: TemporaryDirectory

    /// Mounts an empty disk.
    ///
    /// - Parameter size: Its size, such as `1m`.
    init(size: String) throws {
        folder = try TemporaryDirectory()
        try Self.run("mount -t tmpfs -o size=\(size),mode=0777 tmpfs '\(folder.path)'")
    }

    deinit { _ = try? Self.run("umount -l '\(folder.path)'") }

    /// Makes the file system read-only.
    func makeReadOnly() throws { try Self.run("mount -o remount,ro '\(folder.path)'") }

    /// Fills the disk, except for a number of KB.
    func fill(except rest: Int = 0) throws {
        try Self.run("dd if=/dev/zero of='\(folder.path)/ballast' bs=4k 2>/dev/null; true")
        if rest > 0 { try Self.run("truncate -s -\(rest)K '\(folder.path)/ballast'") }
    }

    /// Why no disk can be mounted here; nil if one can.
    static let problem: String? = {
        #if os(Linux)
            guard geteuid() == 0 else { return "only root may mount a disk" }
            do {
                _ = try MountedDisk(size: "1m")
                return nil
            } catch {
                return "no disk can be mounted: \(error)"
            }
        #else
            return "only Linux mounts disks in memory"
        #endif
    }()

    private struct MountError: Error { let message: String }

    private static func run(_ command: String) throws {
        let result: ProcessResult = try runShell(command)
        guard result.status == 0 else { throw MountError(message: result.errors) }
    }
}
