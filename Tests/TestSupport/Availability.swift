import Foundation

/// Whether something that some tests need is there; where it is not, standard error gets a line, because a quiet run
/// does not tell what it skips.
public func isAvailable(_ condition: Bool, otherwise problem: String) -> Bool {
    if !condition { FileHandle.standardError.write(Data("SKIPPED: \(problem)\n".utf8)) }
    return condition
}
