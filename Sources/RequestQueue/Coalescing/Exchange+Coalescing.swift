import Synchronization

extension Exchange {
    /// Waits for the outcome of an identical request instead of sending, if it may.
    ///
    /// - Returns: Whether it does.
    func joinsTransfer(_ hop: TransportRequest, at now: Duration) -> Bool {
        guard request.coalescesIdenticalRequests, let coalescer = request.coalescer, case .memory = delivery,
            let key = CoalescingKey(hop, sent: withCookies(hop), of: request)
        else { return false }
        state.withLock { state in
            state.phase = .waiting
            // Only the whole time counts: connecting and silence are the transfer's.
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

    /// What is asked for from now on is to show what this request has changed, or may have.
    func closeTransfers(after method: HTTPMethod) {
        if !method.isSafe { request.coalescer?.close() }
    }

    /// Tells what happens to the request that it waits for.
    func tellOfTransfer(_ event: ExchangeEvent) {
        if case .didSend = event { tellSent() } else { tell(event) }
    }

    /// Ends with the outcome that it waited for.
    func end(asTransfer outcome: Result<RESTResponse, RequestError>, wasSent: Bool) {
        // Who joined late was not told.
        if wasSent { tellSent() }
        end { _ in outcome }
    }
}
