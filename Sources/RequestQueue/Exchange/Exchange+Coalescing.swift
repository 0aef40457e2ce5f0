extension Exchange {
    /// Returns the key of identical requests; `nil` if this request is not coalesced.
    func coalescingKey(of hop: TransportRequest) -> CoalescingKey? {
        guard request.coalescesIdenticalRequests, request.coalescer != nil, case .memory = delivery else { return nil }
        // A request of a token refresh or an adapter could wait for one that waits for the refresh or the adapter.
        guard sender.isEmpty else { return nil }
        return CoalescingKey(hop, sent: withCookies(hop), of: request)
    }

    /// Waits for the outcome of an identical request.
    func join(_ number: Int) -> Effects {
        let key = state.withLock { $0.machine.isEnded ? nil : $0.identical.key.take() }
        guard let key, let coalescer = request.coalescer else { return register(nil, number) }
        let (identical, leave) = coalescer.join(key) { [self] in
            receiveTransferEvent($0)
        } makeRequest: { receive in
            Exchange(sharedRequest, sender: sender, observer: receive) { receive(.didFinish($0)) }
        }
        state.withLock { if !$0.machine.isEnded { $0.identical.request = identical } }
        return register(CoalescedTask(leave: leave), number)
    }

    /// The request that is sent for all members.
    ///
    /// It has no total timeout, because the members started at different times; each checks its own.
    private var sharedRequest: RESTRequest {
        var request = request
        request.coalescesIdenticalRequests = false
        request.timeouts.total = nil
        return request
    }

    /// Prevents later requests from joining requests that were sent before this one changed their resources.
    func closeTransfers(after method: HTTPMethod) {
        if !method.isSafe { request.coalescer?.close() }
    }

    /// Processes an event of the identical request, and ends with its outcome.
    private func receiveTransferEvent(_ event: RequestEvent) {
        switch event {
        case .didFinish(let outcome):
            apply { state in
                guard !state.machine.isEnded else { return nil }
                state.outcome = outcome
                return .joinedEnded
            }
        case .didSend: if isObserved { apply(.joinedSent) }
        default:
            if case .progress(let progress) = event { store(progress) }
            // The machine decides whether the observer is notified.
            if isObserved, !effects(.joinedEvent, at: .zero).isEmpty { run(notify(event)) }
        }
    }

    /// Stores the progress of the identical request as that of this one.
    private func store(_ progress: RequestProgress) {
        state.withLock { state in
            guard state.machine.stage == .joined else { return }
            state.identical.progress = progress
            state.machine.transfer.bytesReceived = progress.bytesReceived
        }
    }
}

/// Replaces the transport's task in an exchange that waits for another one.
struct CoalescedTask: TransportTask {
    let leave: @Sendable () -> Void

    func cancel() { leave() }

    /// Does nothing: bodies are received in memory and are not paused.
    func resume() {}
}
