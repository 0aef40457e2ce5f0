extension QueueState {
    /// What is known of the way to the host has changed; nil: nobody tells any more.
    ///
    /// - Parameters:
    ///   - waits: Whether requests wait while it is away; otherwise they are started, and fail.
    ///   - isNew: Whether somebody else tells it than before.
    package mutating func setLink(_ state: QueueLinkState?, waits: Bool, isNew: Bool = false) {
        let isNews = state != link.state || waits != link.waits
        guard isNews || isNew else { return }
        link.state = state
        link.waits = waits
        link.changes += 1
        // What failed just before it was told is the network's failure.
        let doubted = isNews ? loading.values.filter { $0.doubted != nil } : []
        for request in doubted.sorted(by: { $0.place.number < $1.place.number }) {
            if waits { moveBack(request.request.id) } else { settle(request.request.id, attempt: request.attempt) }
        }
        if link.holds { suspend(for: .reachability) } else { resume(for: .reachability) }
        if state == .undetermined { effects.append(.awaitLink(change: link.changes)) }
        startRequests()
    }

    /// It was undetermined for too long, and requests are tried; without effect if there was a change since.
    package mutating func endUndetermined(change: Int) {
        guard link.state == .undetermined, link.changes == change else { return }
        setLink(.there, waits: link.waits)
    }

    /// The failure of a request is its outcome, since the network was there; without effect if it was put back.
    package mutating func settle(_ id: Request.ID, attempt: Int) {
        guard let request = loading[id], request.attempt == attempt, let outcome = request.doubted else { return }
        _ = takeLoading(id)
        effects.append(.finish(request.request, outcome))
        startRequests()
    }

    /// A request found no connection: it goes back if the network was away, and else waits for news of it for a moment.
    mutating func hold(_ request: Loading, _ outcome: Outcome) {
        if link.state != .there || link.changes != request.linkChanges { return moveBack(request.request.id) }
        loading[request.request.id]?.doubted = outcome
        effects.append(.doubt(request.request, attempt: request.attempt))
    }
}
