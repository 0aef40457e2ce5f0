extension QueueState {
    /// Sets the reachability of the host; `nil` if it is not observed.
    ///
    /// - Parameters:
    ///   - state: The reachability.
    ///   - waits: Whether requests wait while the host is unreachable; otherwise they start and fail.
    ///   - isNewObserver: Whether the observer was replaced. Defaults to `false`.
    package mutating func setLink(_ state: QueueLinkState?, waits: Bool, isNewObserver: Bool = false) {
        let hasChanged = state != link.state || waits != link.waits
        guard hasChanged || isNewObserver else { return }
        link.state = state
        link.waits = waits
        link.changes += 1
        // A failure just before the network was reported as unavailable was caused by the network.
        let held = hasChanged ? loading.values.filter { heldOutcomes[$0.request.id] != nil } : []
        for request in held.sorted(by: { $0.place.number < $1.place.number }) {
            if waits { moveBack(request.request.id) } else { settle(request.request.id, attempt: request.attempt) }
        }
        if link.suspendsQueue { suspend(for: .reachability) } else { resume(for: .reachability) }
        if state == .undetermined { effects.append(.awaitLink(change: link.changes)) }
        startRequests()
    }

    /// Starts requests although the reachability is still undetermined; has no effect if it changed since.
    package mutating func endUndetermined(change: Int) {
        guard link.state == .undetermined, link.changes == change else { return }
        setLink(.reachable, waits: link.waits)
    }

    /// Makes a pending failure the outcome of its request; has no effect if the request was requeued.
    package mutating func settle(_ id: Request.ID, attempt: Int) {
        guard let request = loading[id], request.attempt == attempt, let outcome = heldOutcomes[id] else { return }
        _ = takeLoading(id)
        effects.append(.finish(request.request, outcome))
        startRequests()
    }

    /// Returns the matching requests with a pending failure to their positions, because their attempts have ended.
    package mutating func moveBackHeld(where isSelected: (Request) -> Bool) {
        for id in heldOutcomes.keys.sorted() where loading[id].map({ isSelected($0.request) }) == true { moveBack(id) }
        startRequests()
    }

    /// Handles a failed connection: requeues the request if the network was unavailable; otherwise waits briefly for a
    /// report of that.
    mutating func holdFailure(of request: Loading, _ outcome: Outcome) {
        if link.state != .reachable || link.changes != request.linkChanges { return moveBack(request.request.id) }
        heldOutcomes[request.request.id] = outcome
        effects.append(.holdFailure(request.request, attempt: request.attempt))
    }
}

/// The reachability of a queue's host, and what it means for the queue.
struct QueueLink: Sendable {
    /// `nil` without an observer: the host is assumed to be reachable.
    var state: QueueLinkState?
    /// Whether requests wait while the host is unreachable.
    var waits = false
    /// The number of changes.
    var changes = 0

    /// Whether no request may start.
    var suspendsQueue: Bool { state == .undetermined || (state == .unreachable && waits) }

    /// Whether a request whose connection failed may have to wait for the network.
    var mayBeUnreachable: Bool { state != nil && waits }
}

/// Whether a host is reachable.
package enum QueueLinkState: Sendable, Hashable {
    case undetermined
    case reachable
    case unreachable
}
