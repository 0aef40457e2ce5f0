import Synchronization

/// A hold on a request that was sent with a completion closure.
///
/// Letting go of it does not end the request.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(any RequestCarrier)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Ends the request as cancelled, unless it has its outcome; the closure is called in any case.
    public func cancel() {
        let carrier = state.withLock { state -> (any RequestCarrier)? in
            defer { state = .cancelled }
            guard case .running(let carrier) = state else { return nil }
            return carrier
        }
        carrier?.cancel()
    }

    /// Starts what carries the request, or cancels it at once if the handle was cancelled before.
    package func run(_ carrier: some RequestCarrier) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(carrier)
            return false
        }
        if isCancelled { carrier.cancel() } else { carrier.start() }
    }
}
