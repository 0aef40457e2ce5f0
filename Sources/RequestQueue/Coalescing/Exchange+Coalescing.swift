import Synchronization

extension Exchange {
    /// Returns the key of identical requests; `nil` if this request is not coalesced.
    func coalescingKey(of hop: TransportRequest) -> CoalescingKey? {
        guard request.coalescesIdenticalRequests, request.coalescer != nil, case .memory = delivery else { return nil }
        return CoalescingKey(hop, sent: withCookies(hop), of: request)
    }

    /// Waits for the outcome of an identical request.
    func join(_ number: Int) {
        let key = state.withLock { $0.machine.isEnded ? nil : $0.coalescingKey.take() }
        guard let key, let coalescer = request.coalescer else { return register(nil, number) }
        let task = coalescer.join(self, key)
        state.withLock { if !$0.machine.isEnded { $0.transfer = task.exchange } }
        register(task, number)
    }

    /// Prevents later requests from joining requests that were sent before this one changed their resources.
    func closeTransfers(after method: HTTPMethod) {
        if !method.isSafe { request.coalescer?.close() }
    }

    /// Notifies the observer of an event of the identical request.
    func receiveTransferEvent(_ event: ExchangeEvent) {
        if case .didSend = event { return apply(.joinedSent) }
        effects(at: .zero) { _ in .joinedEvent }.forEach { effect in
            if effect == .notify(.joined) { notify(event) } else { perform(effect) }
        }
    }

    /// Ends with the outcome of the identical request.
    func end(asTransfer outcome: Result<RESTResponse, RequestError>, wasSent: Bool) {
        // A request that joined late has not received this event.
        if wasSent { apply(.joinedSent) }
        apply { state in
            guard !state.machine.isEnded else { return nil }
            state.outcome = outcome
            return .joinedEnded
        }
    }
}
