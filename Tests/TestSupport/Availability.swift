import Foundation

/// Whether a prerequisite of some tests is available; if not, standard error gets a line, because a quiet run does not
/// report skipped tests.
public func isAvailable(_ condition: Bool, otherwise problem: String) -> Bool {
    if !condition { FileHandle.standardError.write(Data("SKIPPED: \(problem)\n".utf8)) }
    return condition
}

/// Whether there is a device that is always full; macOS has none.
public let hasFullDevice = isAvailable(
    FileManager.default.fileExists(atPath: "/dev/full"), otherwise: "tests of a full device: /dev/full does not exist")
