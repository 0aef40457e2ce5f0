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
        if case .running(let exchange) = end() { exchange.cancel() }
    }

    /// Releases the exchange of the completed request.
    func finish() { _ = end() }

    /// Returns the former state, which is released outside the lock: deinitializers may run code of the user.
    private func end() -> State {
        state.withLock { state in
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
