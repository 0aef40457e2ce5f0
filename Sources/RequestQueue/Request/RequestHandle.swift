/// Cancels a request that was sent with a completion closure.
///
/// Releasing the handle does not cancel the request. The handle does not retain the request or its response.
public final class RequestHandle: Sendable {
    private enum State {
        case waiting
        case running(any RunningRequest)
        /// Cancelled or completed.
        case over
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Cancels the request, unless it has an outcome; the closure is called in both cases.
    public func cancel() {
        if case .running(let request) = end() { request.cancel() }
    }

    /// Releases the completed request.
    func finish() { _ = end() }

    /// Returns the former state, which is released outside the lock: deinitializers may run code of the user.
    private func end() -> State {
        state.withLock { state in
            defer { state = .over }
            return state
        }
    }

    /// Starts a request, or cancels it immediately if the handle was cancelled before.
    package func run(_ request: any RunningRequest) {
        let isCancelled = state.withLock { state in
            if case .over = state { return true }
            state = .running(request)
            return false
        }
        if isCancelled { request.cancel() } else { request.start() }
    }
}

/// A request from its start to its outcome, for those that start and cancel it without knowledge of its transfer.
package protocol RunningRequest: AnyObject, Sendable {
    /// Starts the request, unless it was cancelled.
    func start()

    /// Cancels the request, unless it has ended.
    func cancel()

    /// Returns the reading of the stored response that replaces a failure; `nil` if none does.
    func storedResponse(insteadOf failure: TransportFailure) -> (@Sendable () -> RESTResponse?)?
}
