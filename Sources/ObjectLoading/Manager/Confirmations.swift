import Synchronization

/// The objects that later requests have found, for an answer that is going to prune: their rows may be unchanged, so that no
/// commit has them.
final class Confirmations: Sendable {
    private let found = Mutex<[LoadedIDs]>([])

    fileprivate func add(_ ids: [LoadedIDs]) { found.withLock { $0 += ids } }

    var all: [LoadedIDs] { found.withLock { $0 } }
}

/// The loads that are running, in the order in which their requests began.
final class RunningLoads: Sendable {
    private struct State {
        var last = 0
        /// Those that prune, by number, until their answers are released.
        var pruning: [Int: Weak] = [:]
    }

    private struct Weak: Sendable { weak let confirmations: Confirmations? }

    private let state = Mutex(State())

    /// Begins a load.
    ///
    /// - Parameter confirmations: What receives the objects of later loads; `nil` for a load that does not prune.
    /// - Returns: The number of the load.
    func begin(_ confirmations: Confirmations?) -> Int {
        state.withLock { state in
            state.last += 1
            if let confirmations { state.pruning[state.last] = Weak(confirmations: confirmations) }
            return state.last
        }
    }

    /// Passes the objects of a load to those that began before.
    func end(_ number: Int, _ result: LoadResult) {
        let earlier = state.withLock { state in
            state.pruning = state.pruning.filter { $0.value.confirmations != nil }
            return state.pruning.filter { $0.key < number }.compactMap { $0.value.confirmations }
        }
        for confirmations in earlier { confirmations.add(result.managed) }
    }
}
