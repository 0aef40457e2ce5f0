import Synchronization

extension Exchange {
    /// Waits for the outcome of an identical request instead of sending, if that is possible.
    ///
    /// - Returns: Whether it waits.
    func joinsTransfer(_ hop: TransportRequest, at now: Duration) -> Bool {
        guard request.coalescesIdenticalRequests, let coalescer = request.coalescer, case .memory = delivery,
            let key = CoalescingKey(hop, sent: withCookies(hop), of: request)
        else { return false }
        state.withLock { state in
            state.phase = .waiting
            // Only the total timeout applies: connect and idle timeouts are those of the transfer.
            state.deadlines.endHop(at: now)
        }
        let task = coalescer.join(self, key)
        let isOver = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.outcome != nil
        }
        if isOver { task.cancel() }
        return true
    }

    /// Closes transfers to new members: later requests must see the possible changes by this request.
    func closeTransfers(after method: HTTPMethod) {
        if !method.isSafe { request.coalescer?.close() }
    }

    /// Reports an event of the transfer it waits for.
    func tellOfTransfer(_ event: ExchangeEvent) {
        if case .didSend = event { tellSent() } else { tell(event) }
    }

    /// Ends with the outcome of the transfer.
    func end(asTransfer outcome: Result<RESTResponse, RequestError>, wasSent: Bool) {
        // A late member has not reported that the request was sent.
        if wasSent { tellSent() }
        end { _ in outcome }
    }
}
