/// What a complete answer did not have, and what happened to it.
public struct PruningReport: Sendable, Hashable {
    /// Why nothing was removed.
    public enum Refusal: Sendable, Hashable {
        /// The answer is not complete, for a reason.
        case incomplete(String)
        /// More objects would be removed than the share of ``Pruning`` allows: `count` of `total`.
        case share(count: Int, total: Int)
        /// It is unknown which objects others have changed since the request began.
        case concurrentChanges
        /// A delete rule or a required relationship prevents a deletion.
        case denied(String)
    }

    /// Whether nothing was removed, because a dry run was requested.
    public let isDryRun: Bool
    /// The objects that were deleted, with those of delete rules; in a dry run, those that would have been.
    public internal(set) var deleted: [ObjectID] = []
    /// The objects that were removed from a relationship; in a dry run, those that would have been.
    public internal(set) var disconnected: [ObjectID] = []
    /// The objects of the scope that the answer does not have, and that remain.
    ///
    /// They have unsaved or unsent changes, were never sent, were changed after the request began, or may only have left
    /// a scope with conditions.
    public internal(set) var kept: [ObjectID] = []
    /// Why nothing was removed; `nil` if nothing prevented it.
    public internal(set) var refusal: Refusal?

    /// Creates a report without objects.
    package init(isDryRun: Bool, refusal: Refusal? = nil) { (self.isDryRun, self.refusal) = (isDryRun, refusal) }
}

extension PruningReport: CustomStringConvertible {
    /// The numbers of objects, and why nothing was removed.
    public var description: String {
        let counts = "\(deleted.count) deleted, \(disconnected.count) disconnected, \(kept.count) kept"
        return (isDryRun ? "dry run: " : "") + counts + (refusal.map { "; refused: \($0)" } ?? "")
    }
}

extension PruningReport.Refusal: CustomStringConvertible {
    /// The reason as a sentence without its period.
    public var description: String {
        switch self {
        case .incomplete(let reason): "the answer is not complete: \(reason)"
        case .share(let count, let total):
            "\(count) of \(total) objects are more than the allowed share; allow it with scope(upTo:)"
        case .concurrentChanges: "others have changed objects since the request began"
        case .denied(let reason): reason
        }
    }
}
