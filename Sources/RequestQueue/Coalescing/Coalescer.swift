/// The GET requests of a client that are in progress and can be shared by identical requests.
///
/// The shared request is sent by a separate exchange, which continues as long as one member waits for it.
package final class Coalescer: Sendable {
    private struct Transfer {
        let key: CoalescingKey
        let exchange: Exchange
        /// The exchanges that wait for the outcome.
        var members: [ObjectIdentifier: Exchange]
    }

    private struct State {
        var transfers: [Int: Transfer] = [:]
        /// The transfers that identical requests may join.
        var open: [CoalescingKey: Int] = [:]
        var lastNumber = 0

        mutating func remove(_ number: Int) -> Transfer? {
            guard let transfer = transfers.removeValue(forKey: number) else { return nil }
            if open[transfer.key] == number { open[transfer.key] = nil }
            return transfer
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of exchanges that wait for transfers.
    var count: Int { state.withLock { $0.transfers.values.reduce(0) { $0 + $1.members.count } } }

    /// Makes an exchange wait for the outcome of a transfer in progress, or of a new one.
    ///
    /// - Returns: A task that cancels the wait.
    func join(_ member: Exchange, _ key: CoalescingKey) -> CoalescedTask {
        let id = ObjectIdentifier(member)
        let (number, exchange, isNew) = state.withLock { state in
            if let number = state.open[key], let transfer = state.transfers[number] {
                state.transfers[number]?.members[id] = member
                return (number, transfer.exchange, false)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let exchange = self.exchange(number, for: member.request)
            state.transfers[number] = Transfer(key: key, exchange: exchange, members: [id: member])
            state.open[key] = number
            return (number, exchange, true)
        }
        if isNew { exchange.start() }
        return CoalescedTask(exchange: exchange) { self.leave(id, number) }
    }

    /// Closes all transfers to new members, because their responses may be outdated.
    func close() { state.withLock { $0.open = [:] } }

    /// Creates the exchange that is sent for all members.
    ///
    /// It has no total timeout, because the members started at different times; each checks its own.
    private func exchange(_ number: Int, for request: RESTRequest) -> Exchange {
        var request = request
        request.coalescesIdenticalRequests = false
        request.timeouts.total = nil
        return Exchange(
            request,
            observer: { event in
                let members = self.state.withLock { $0.transfers[number]?.members.values.filter(\.isObserved) ?? [] }
                for member in members { member.receiveTransferEvent(event) }
            },
            completion: { outcome in
                let transfer = self.state.withLock { $0.remove(number) }
                guard let transfer else { return }
                let wasSent = transfer.exchange.state.withLock { $0.machine.course.isSentReported }
                for member in transfer.members.values { member.end(asTransfer: outcome, wasSent: wasSent) }
            })
    }

    private func leave(_ id: ObjectIdentifier, _ number: Int) {
        // The member is released outside the lock.
        let (unwanted, _) = state.withLock { state -> (Transfer?, Exchange?) in
            let member = state.transfers[number]?.members.removeValue(forKey: id)
            return (state.transfers[number]?.members.isEmpty == true ? state.remove(number) : nil, member)
        }
        unwanted?.exchange.cancel()
    }
}

/// Replaces the transport's task in an exchange that waits for another one.
struct CoalescedTask: TransportTask {
    /// The exchange that is sent for all members.
    let exchange: Exchange
    let leave: @Sendable () -> Void

    func cancel() { leave() }

    /// Does nothing: bodies are received in memory and are not paused.
    func resume() {}
}

extension Exchange {
    /// Returns the key of identical requests; `nil` if this request is not coalesced.
    func coalescingKey(of hop: TransportRequest) -> CoalescingKey? {
        guard request.coalescesIdenticalRequests, request.coalescer != nil, case .memory = delivery else { return nil }
        return CoalescingKey(hop, sent: withCookies(hop), of: request)
    }

    /// Waits for the outcome of an identical request.
    func join(_ number: Int) -> Effects {
        let key = state.withLock { $0.machine.isEnded ? nil : $0.identical.key.take() }
        guard let key, let coalescer = request.coalescer else { return register(nil, number) }
        let task = coalescer.join(self, key)
        state.withLock { if !$0.machine.isEnded { $0.identical.exchange = task.exchange } }
        return register(task, number)
    }

    /// Prevents later requests from joining requests that were sent before this one changed their resources.
    func closeTransfers(after method: HTTPMethod) {
        if !method.isSafe { request.coalescer?.close() }
    }

    /// Notifies the observer of an event of the identical request.
    func receiveTransferEvent(_ event: RequestEvent) {
        if case .didSend = event { return apply(.joinedSent) }
        // The machine decides whether the observer is notified.
        if !effects(.joinedEvent, at: .zero).isEmpty { run(notify(event)) }
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
