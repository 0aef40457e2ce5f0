/// Where a fetch finds its objects, in a store with a remote.
public struct FetchPolicy: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case local, localThenRemote, remoteElseLocal, remote
    }

    let source: Source
    /// The age up to which an earlier answer of the remote is used instead of a new one; `nil` for none.
    var maximumAge: Duration?
    /// What happens to objects that a complete answer does not have.
    var pruning = Pruning.none

    /// The file only: the default.
    public static let local = FetchPolicy(source: .local)
    /// The file at once; the remote afterwards, in the background.
    ///
    /// The objects of the remote arrive at a later merge point. An error is reported to the handler of events only.
    public static let localThenRemote = FetchPolicy(source: .localThenRemote)
    /// The remote; the file if the remote cannot be reached.
    public static let remoteElseLocal = FetchPolicy(source: .remoteElseLocal)
    /// The remote; an error if it gives no answer.
    public static let remote = FetchPolicy(source: .remote)

    /// Returns the policy that uses the file as long as the last answer of the remote to the same fetch is not older.
    public func maximumAge(_ age: Duration) -> FetchPolicy {
        var copy = self
        copy.maximumAge = age
        return copy
    }

    /// Returns the policy that removes objects from the file that a complete answer of the remote does not have.
    public func pruning(_ pruning: Pruning) -> FetchPolicy {
        var copy = self
        copy.pruning = pruning
        return copy
    }
}

/// What happens to objects of the file that a complete answer of a remote does not have.
///
/// Never removed are objects without identity, with unsaved or unsent changes, and those that were committed after the
/// request began. Objects that may only have left the scope of a fetch with conditions are kept.
public struct Pruning: Sendable, Hashable {
    enum Mode: Sendable, Hashable {
        case none, dryRun, remove
    }

    let mode: Mode
    /// The largest share of objects that is removed, with those of delete rules.
    let maximumShare: Double

    /// Nothing is removed.
    public static let none = Pruning(mode: .none, maximumShare: 1)
    /// Reports what would be removed to the handler of events.
    public static let dryRun = Pruning(mode: .dryRun, maximumShare: 1)
    /// The objects are removed, unless they are more than a fifth of the entity's objects.
    public static let scope = Pruning(mode: .remove, maximumShare: 0.2)

    /// The objects are removed, unless they are more than a share of the entity's objects.
    ///
    /// - Parameter share: The share, from 0 to 1. It applies to entities with 25 objects and more.
    public static func scope(upTo share: Double) -> Pruning {
        Pruning(mode: .remove, maximumShare: share.isNaN ? 0 : min(max(share, 0), 1))
    }

    /// From this number of objects on, the share is checked.
    static let minimumCount = 25
}
