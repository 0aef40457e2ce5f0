/// Where a fetch from a store with a remote, or a load of an `ObjectManager`, finds its objects.
public struct FetchPolicy: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case local, localThenRemote, remoteElseLocal, remote
    }

    package let source: Source
    /// The age up to which an earlier answer of the remote is used instead of a new one; `nil` for none.
    package private(set) var maximumAge: Duration?
    /// What happens to objects that a complete answer does not have.
    package private(set) var pruning = Pruning.none

    init(source: Source) { self.source = source }

    /// The file only: the default of fetches.
    public static let local = FetchPolicy(source: .local)
    /// The file at once; the remote afterwards, in the background.
    ///
    /// The objects of the remote arrive at a later merge point, and an error is reported to the handler of events only. To
    /// receive both, write a loop over the call; see ``FetchResults``.
    public static let localThenRemote = FetchPolicy(source: .localThenRemote)
    /// The remote; the file if the remote cannot be reached: the default of loads of paths with queries.
    public static let remoteElseLocal = FetchPolicy(source: .remoteElseLocal)
    /// The remote; an error if it gives no answer.
    public static let remote = FetchPolicy(source: .remote)

    /// Returns the policy that uses the file as long as the last answer of the remote to the same fetch is younger.
    ///
    /// The time of answers is in the file, so that it applies after the file was opened again.
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
/// request began. Objects that may only have left a scope with conditions are not deleted: they are disconnected if the
/// conditions are about the object of one relationship, such as the project of tasks, and kept otherwise.
public struct Pruning: Sendable, Hashable {
    package enum Mode: Sendable, Hashable {
        case none, dryRun, remove
    }

    package let mode: Mode
    /// The largest share of objects that is removed, with those of delete rules.
    let maximumShare: Double
    /// Whether objects that a scope with conditions lacks are deleted.
    private(set) var deletesMoved = false

    private init(mode: Mode, maximumShare: Double) { (self.mode, self.maximumShare) = (mode, maximumShare) }

    /// Nothing is removed.
    public static let none = Pruning(mode: .none, maximumShare: 1)
    /// Nothing is removed, and what would be is reported.
    public static let dryRun = Pruning(mode: .dryRun, maximumShare: 1)
    /// The objects are removed, unless they are more than a fifth of the objects.
    public static let scope = Pruning(mode: .remove, maximumShare: 0.2)

    /// The objects are removed, unless they are more than a share of the objects.
    ///
    /// The share applies to the scope of the answer, and to each entity from which objects are deleted, also by delete
    /// rules.
    ///
    /// - Parameter share: The share, from 0 to 1. It applies to scopes and entities with 25 objects and more.
    public static func scope(upTo share: Double) -> Pruning {
        Pruning(mode: .remove, maximumShare: share.isNaN ? 0 : min(max(share, 0), 1))
    }

    /// Returns the pruning that also deletes the objects that a scope with conditions lacks.
    ///
    /// For scopes that no object leaves for another one, such as the lines of an order.
    public func assumingNoMoves() -> Pruning {
        var copy = self
        copy.deletesMoved = true
        return copy
    }

    /// From this number of objects on, the share is checked.
    static let minimumCount = 25

    /// Whether so many objects of a total are not removed.
    func refuses(_ count: Int, of total: Int) -> Bool {
        total >= Self.minimumCount && Double(count) > maximumShare * Double(total)
    }
}
