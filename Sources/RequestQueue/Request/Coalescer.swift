/// The GET requests of a client that are in progress and can be shared by identical requests.
///
/// A shared request is sent separately, and continues as long as one member waits for it.
package final class Coalescer: Sendable {
    /// Receives the events of a shared request; the last one is its outcome.
    typealias Member = @Sendable (RequestEvent) -> Void

    private struct Transfer {
        let key: CoalescingKey
        let request: any RunningRequest
        /// The requests that wait for the outcome.
        var members: [Int: Member]
        var isSent = false
    }

    private struct State {
        var transfers: [Int: Transfer] = [:]
        /// The transfers that identical requests may join.
        var open: [CoalescingKey: Int] = [:]
        /// The last number of a transfer or a member.
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        mutating func remove(_ number: Int) -> Transfer? {
            guard let transfer = transfers.removeValue(forKey: number) else { return nil }
            if open[transfer.key] == number { open[transfer.key] = nil }
            return transfer
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of requests that wait for transfers.
    var count: Int { state.withLock { $0.transfers.values.reduce(0) { $0 + $1.members.count } } }

    /// Makes a request wait for the outcome of an identical request in progress, or of a new one.
    ///
    /// - Parameters:
    ///   - key: Identifies identical requests.
    ///   - member: Receives the events of the shared request, unless the wait was ended before.
    ///   - makeRequest: Creates the shared request, which passes its events to a closure.
    /// - Returns: The shared request, and a closure that ends the wait.
    func join(
        _ key: CoalescingKey, _ member: @escaping Member,
        makeRequest: (@escaping @Sendable (RequestEvent) -> Void) -> any RunningRequest
    ) -> (request: any RunningRequest, leave: @Sendable () -> Void) {
        let (number, id, request, isNew) = state.withLock { state in
            let id = state.nextNumber()
            if let number = state.open[key], let transfer = state.transfers[number] {
                state.transfers[number]?.members[id] = member
                return (number, id, transfer.request, false)
            }
            let number = state.nextNumber()
            let request = makeRequest { self.receive($0, from: number) }
            state.transfers[number] = Transfer(key: key, request: request, members: [id: member])
            state.open[key] = number
            return (number, id, request, true)
        }
        if isNew { request.start() }
        return (request, { self.leave(id, number) })
    }

    /// Closes all transfers to new members, because their responses may be outdated.
    func close() { state.withLock { $0.open = [:] } }

    private func receive(_ event: RequestEvent, from number: Int) {
        guard case .didFinish = event else {
            let members = state.withLock { state in
                if case .didSend = event { state.transfers[number]?.isSent = true }
                return state.transfers[number].map { Array($0.members.values) } ?? []
            }
            for member in members { member(event) }
            return
        }
        guard let transfer = state.withLock({ $0.remove(number) }) else { return }
        for member in transfer.members.values {
            // A member that joined late has not received this event.
            if transfer.isSent { member(.didSend) }
            member(event)
        }
    }

    private func leave(_ id: Int, _ number: Int) {
        // The member is released outside the lock.
        let (unwanted, _) = state.withLock { state -> (Transfer?, Member?) in
            let member = state.transfers[number]?.members.removeValue(forKey: id)
            return (state.transfers[number]?.members.isEmpty == true ? state.remove(number) : nil, member)
        }
        unwanted?.request.cancel()
    }
}
