/// The running requests of a client, which its shutdown waits for.
final class ActiveRequests: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        /// Set when the last request has ended after the shutdown; `nil` before the shutdown.
        var end: OneTimeValue<Void>?
    }

    private let state = Mutex(State())

    /// Adds a request that starts.
    ///
    /// - Returns: Whether it may start; `false` after the shutdown.
    func add(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    /// Removes a request whose outcome was delivered.
    func remove(_ exchange: Exchange) {
        let end = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = nil
            return state.exchanges.isEmpty ? state.end : nil
        }
        end?.set(())
    }

    /// Accepts no more requests, and returns when those that run have ended.
    func shutDown(cancelsRequests: Bool, isolation: isolated (any Actor)? = #isolation) async {
        let (end, isEmpty) = state.withLock { state in
            let end = state.end ?? OneTimeValue<Void>()
            state.end = end
            return (end, state.exchanges.isEmpty)
        }
        if isEmpty { end.set(()) }
        if cancelsRequests { cancelAll() }
        if await end.value() != nil { return }
        cancelAll()
        // Each exchange ends when it is cancelled, so this wait is short.
        await end.certainValue()
    }

    private func cancelAll() {
        for exchange in state.withLock({ Array($0.exchanges.values) }) { exchange.cancel() }
    }
}
