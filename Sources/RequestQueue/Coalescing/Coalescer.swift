import Synchronization

/// The GETs of a client that are under way and that identical ones may wait for.
///
/// What is sent is an exchange of its own, which belongs to all who wait: it goes on as long as there is one.
package final class Coalescer: Sendable {
    private struct Transfer {
        let number: Int
        let exchange: Exchange
        /// Who waits for its outcome.
        var members: [ObjectIdentifier: Exchange]
    }

    private struct State {
        var transfers: [CoalescingKey: Transfer] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many wait for the requests that are under way.
    var count: Int { state.withLock { $0.transfers.values.reduce(0) { $0 + $1.members.count } } }

    /// Lets an exchange wait for the outcome of the request that is under way, or of a new one.
    ///
    /// - Returns: What lets it wait no more.
    func join(_ member: Exchange, _ key: CoalescingKey) -> any TransportTask {
        let (number, new) = state.withLock { state -> (Int, Exchange?) in
            let id = ObjectIdentifier(member)
            if let number = state.transfers[key]?.number {
                state.transfers[key]?.members[id] = member
                return (number, nil)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let exchange = exchange(for: member.request, key, number)
            state.transfers[key] = Transfer(number: number, exchange: exchange, members: [id: member])
            return (number, exchange)
        }
        new?.start()
        return CoalescedTask { [weak member] in if let member { self.leave(member, key, number) } }
    }

    /// The request that is sent for all.
    ///
    /// Their total times begin at different instants, so each looks after its own.
    private func exchange(for request: RESTRequest, _ key: CoalescingKey, _ number: Int) -> Exchange {
        var request = request
        request.coalescesIdenticalRequests = false
        request.timeouts.total = nil
        return Exchange(request) { event in
            for member in self.members(of: key, number) { member.tellOfTransfer(event) }
        } completion: { outcome in
            for member in self.takeMembers(of: key, number) { member.end(asTransfer: outcome) }
        }
    }

    private func members(of key: CoalescingKey, _ number: Int) -> [Exchange] {
        state.withLock { state in
            guard let transfer = state.transfers[key], transfer.number == number else { return [] }
            return transfer.members.values.filter(\.isObserved)
        }
    }

    private func takeMembers(of key: CoalescingKey, _ number: Int) -> [Exchange] {
        state.withLock { state in
            guard state.transfers[key]?.number == number else { return [] }
            return state.transfers.removeValue(forKey: key).map { Array($0.members.values) } ?? []
        }
    }

    private func leave(_ member: Exchange, _ key: CoalescingKey, _ number: Int) {
        let unwanted = state.withLock { state -> Exchange? in
            guard state.transfers[key]?.number == number else { return nil }
            state.transfers[key]?.members[ObjectIdentifier(member)] = nil
            guard state.transfers[key]?.members.isEmpty == true else { return nil }
            return state.transfers.removeValue(forKey: key)?.exchange
        }
        unwanted?.cancel()
    }
}

/// What an exchange that waits for another has instead of a transport's task.
private struct CoalescedTask: TransportTask {
    let leave: @Sendable () -> Void

    func cancel() { leave() }

    /// Does nothing: nobody holds back a body that goes to memory.
    func resume() {}
}
