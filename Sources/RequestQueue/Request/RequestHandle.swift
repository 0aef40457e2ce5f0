/// Cancels a request that was sent with a completion closure.
///
/// Releasing the handle does not cancel the request. The handle does not retain the request or its response.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(Exchange)
        /// Cancelled or completed.
        case over
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Cancels the request, unless it has an outcome; the closure is called in both cases.
    public func cancel() {
        let exchange = state.withLock { state -> Exchange? in
            defer { state = .over }
            guard case .running(let exchange) = state else { return nil }
            return exchange
        }
        exchange?.cancel()
    }

    /// Releases the exchange of the completed request.
    func finish() {
        // Outside the lock: deinitializers may run code of the user.
        _ = state.withLock { state in
            defer { state = .over }
            return state
        }
    }

    /// Starts an exchange, or cancels it immediately if the handle was cancelled before.
    package func run(_ exchange: Exchange) {
        let isCancelled = state.withLock { state in
            if case .over = state { return true }
            state = .running(exchange)
            return false
        }
        if isCancelled { exchange.cancel() } else { exchange.start() }
    }
}
