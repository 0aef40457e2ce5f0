import Synchronization

/// Cancels a request that was sent with a completion closure.
///
/// Releasing the handle does not cancel the request. The handle does not retain the request or its response.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(any RequestCarrier)
        /// Cancelled or completed.
        case over
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Cancels the request, unless it has an outcome; the closure is called in both cases.
    public func cancel() {
        let carrier = state.withLock { state -> (any RequestCarrier)? in
            defer { state = .over }
            guard case .running(let carrier) = state else { return nil }
            return carrier
        }
        carrier?.cancel()
    }

    /// Releases the carrier of the completed request.
    func finish() {
        // Outside the lock: deinitializers may run code of the user.
        _ = state.withLock { state in
            defer { state = .over }
            return state
        }
    }

    /// Starts a carrier, or cancels it immediately if the handle was cancelled before.
    package func run(_ carrier: some RequestCarrier) {
        let isCancelled = state.withLock { state in
            if case .over = state { return true }
            state = .running(carrier)
            return false
        }
        if isCancelled { carrier.cancel() } else { carrier.start() }
    }
}
