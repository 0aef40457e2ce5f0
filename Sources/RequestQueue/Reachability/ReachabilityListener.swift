import Synchronization

/// A listener of an observer, with the states that were not delivered yet.
package final class ReachabilityListener: Sendable {
    private struct State {
        var waiting: [ReachabilityState] = []
        var isDelivering = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let report: @Sendable (ReachabilityState) -> Void

    init(_ report: @escaping @Sendable (ReachabilityState) -> Void) {
        self.report = report
    }

    /// Stops notifications; one that is in progress continues.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.waiting = []
        }
    }

    /// Adds a state without delivering it; called while a lock is held, which orders the states.
    func add(_ newState: ReachabilityState) {
        state.withLock { state in
            if !state.isCancelled { state.waiting.append(newState) }
        }
    }

    /// Delivers the pending states, unless another thread or an outer call is doing so.
    func deliver() {
        let mayDeliver = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mayDeliver else { return }
        while let state = next() { report(state) }
    }

    private func next() -> ReachabilityState? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
