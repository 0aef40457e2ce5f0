/// Calls that have begun, and whose requests are added to a queue later.
struct AnnouncedCalls: Sendable {
    struct Call: Sendable {
        let owner: RequestOwner?
        let cancel: @Sendable () -> Void
    }

    private var last = 0
    private(set) var calls: [Int: Call] = [:]

    mutating func add(_ call: Call) -> Int {
        last += 1
        calls[last] = call
        return last
    }

    mutating func remove(_ number: Int) { calls[number] = nil }
}

extension RequestQueue {
    /// Announces a call that adds a request later, so that it can be cancelled by its owner before.
    ///
    /// - Parameters:
    ///   - owner: The owner; `nil` for none.
    ///   - cancel: Cancels the call; called without a lock.
    /// - Returns: A function that ends the announcement.
    package func announce(
        ownedBy owner: (any Hashable & Sendable)?, cancel: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let call = AnnouncedCalls.Call(owner: owner.map { RequestOwner($0) }, cancel: cancel)
        let number = announced.withLock { $0.add(call) }
        return { self.announced.withLock { $0.remove(number) } }
    }

    /// Cancels the announced calls of selected owners.
    func cancelAnnounced(where isSelected: (RequestOwner?) -> Bool) {
        // Owners are compared by user code, which must not run while the lock is held.
        let calls = announced.withLock { $0.calls }.sorted { $0.key < $1.key }.map(\.value)
        for call in calls where isSelected(call.owner) { call.cancel() }
    }
}
