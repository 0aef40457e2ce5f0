/// The running requests of a client, which its shutdown waits for.
final class ActiveRequests: Sendable {
    private struct State {
        var requests: [ObjectIdentifier: any RunningRequest] = [:]
        /// Set when the last request has ended after the shutdown; `nil` before the shutdown.
        var end: OneTimeValue<Void>?
    }

    private let state = Mutex(State())

    /// Adds a request that starts.
    ///
    /// - Returns: Whether it may start; `false` after the shutdown.
    func add(_ request: any RunningRequest) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.requests[ObjectIdentifier(request)] = request
            return true
        }
    }

    /// Removes a request whose outcome was delivered.
    func remove(_ request: any RunningRequest) {
        let end = state.withLock { state in
            state.requests[ObjectIdentifier(request)] = nil
            return state.requests.isEmpty ? state.end : nil
        }
        end?.set(())
    }

    /// Accepts no more requests, and returns when those that run have ended.
    func shutDown(cancelsRequests: Bool, isolation: isolated (any Actor)? = #isolation) async {
        let (end, isEmpty) = state.withLock { state in
            let end = state.end ?? OneTimeValue<Void>()
            state.end = end
            return (end, state.requests.isEmpty)
        }
        if isEmpty { end.set(()) }
        if cancelsRequests { cancelAll() }
        if await end.value() != nil { return }
        cancelAll()
        // Each request ends when it is cancelled, so this wait is short.
        await end.certainValue()
    }

    private func cancelAll() {
        for request in state.withLock({ Array($0.requests.values) }) { request.cancel() }
    }
}
