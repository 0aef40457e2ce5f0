import Synchronization

/// The GETs of a client that are under way and that identical ones may wait for.
///
/// What is sent is an exchange of its own, which belongs to all who wait: it goes on as long as there is one.
package final class Coalescer: Sendable {
    private struct Transfer {
        let key: CoalescingKey
        let exchange: Exchange
        /// Who waits for its outcome.
        var members: [ObjectIdentifier: Exchange]
    }

    private struct State {
        var transfers: [Int: Transfer] = [:]
        /// Those that may be joined.
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

    /// How many wait for the requests that are under way.
    var count: Int { state.withLock { $0.transfers.values.reduce(0) { $0 + $1.members.count } } }

    /// Lets an exchange wait for the outcome of the request that is under way, or of a new one.
    ///
    /// - Returns: What lets it wait no more.
    func join(_ member: Exchange, _ key: CoalescingKey) -> any TransportTask {
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

    /// Lets nobody join what is under way: it may tell of what has been changed since.
    func close() { state.withLock { $0.open = [:] } }

    /// The request that is sent for all.
    ///
    /// Their total times begin at different instants, so each looks after its own.
    private func exchange(_ number: Int, for request: RESTRequest) -> Exchange {
        var request = request
        request.coalescesIdenticalRequests = false
        request.timeouts.total = nil
        return Exchange(request) { event in
            let members = self.state.withLock { $0.transfers[number]?.members.values.filter(\.isObserved) ?? [] }
            for member in members { member.tellOfTransfer(event) }
        } completion: { outcome in
            let transfer = self.state.withLock { $0.remove(number) }
            guard let transfer else { return }
            let wasSent = transfer.exchange.state.withLock { $0.isSentTold }
            for member in transfer.members.values { member.end(asTransfer: outcome, wasSent: wasSent) }
        }
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

/// What an exchange that waits for another has instead of a transport's task.
struct CoalescedTask: TransportTask {
    /// What is sent for all.
    let exchange: Exchange
    let leave: @Sendable () -> Void

    func cancel() { leave() }

    /// Does nothing: nobody holds back a body that goes to memory.
    func resume() {}
}
