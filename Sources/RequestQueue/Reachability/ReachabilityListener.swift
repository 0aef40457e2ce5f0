import Synchronization

/// One who listens to an observer, and what it was not told yet.
package final class ReachabilityListener: Sendable {
    private struct State {
        var waiting: [ReachabilityState] = []
        var isDelivering = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let tell: @Sendable (ReachabilityState) -> Void

    init(_ tell: @escaping @Sendable (ReachabilityState) -> Void) {
        self.tell = tell
    }

    /// Nothing more is told; what is being told goes on.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.waiting = []
        }
    }

    /// Adds a state without telling it: it may be called behind a lock, which gives the states their order.
    func add(_ news: ReachabilityState) {
        state.withLock { state in
            if !state.isCancelled { state.waiting.append(news) }
        }
    }

    /// Tells what waits, unless another thread does, or a caller of this further up.
    func deliver() {
        let mayDeliver = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mayDeliver else { return }
        while let news = next() { tell(news) }
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
