import Foundation

/// Whether a prerequisite of some tests is available; if not, standard error gets a line, because a quiet run does not
/// report skipped tests.
public func isAvailable(_ condition: Bool, otherwise problem: String) -> Bool {
    if !condition { FileHandle.standardError.write(Data("SKIPPED: \(problem)\n".utf8)) }
    return condition
}
