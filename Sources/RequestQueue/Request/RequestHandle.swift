import Synchronization

/// A hold on a request that was sent with a completion closure.
///
/// Letting go of it does not end the request.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(Exchange)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Ends the request as cancelled, unless it has its outcome; the closure is called in any case.
    public func cancel() {
        let exchange = state.withLock { state -> Exchange? in
            defer { state = .cancelled }
            guard case .running(let exchange) = state else { return nil }
            return exchange
        }
        exchange?.cancel()
    }

    /// Starts an exchange, or cancels it at once if the handle was cancelled before.
    package func run(_ exchange: Exchange) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(exchange)
            return false
        }
        if isCancelled { exchange.cancel() } else { exchange.start() }
    }
}
