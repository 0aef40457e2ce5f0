import Synchronization

/// A hold on a request that was sent with a completion closure.
///
/// Releasing it does not end the request, and keeping it does not keep the request or its response.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(any RequestCarrier)
        /// Cancelled, or it has its outcome.
        case over
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Ends the request as cancelled, unless it has its outcome; the closure is called in any case.
    public func cancel() {
        let carrier = state.withLock { state -> (any RequestCarrier)? in
            defer { state = .over }
            guard case .running(let carrier) = state else { return nil }
            return carrier
        }
        carrier?.cancel()
    }

    /// Releases what carried the request, which has its outcome.
    func finish() {
        // Outside the lock: what it holds may be the user's.
        _ = state.withLock { state in
            defer { state = .over }
            return state
        }
    }

    /// Starts what carries the request, or cancels it at once if the handle was cancelled before.
    package func run(_ carrier: some RequestCarrier) {
        let isCancelled = state.withLock { state in
            if case .over = state { return true }
            state = .running(carrier)
            return false
        }
        if isCancelled { carrier.cancel() } else { carrier.start() }
    }
}
