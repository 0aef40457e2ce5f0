import Synchronization

extension RequestQueue {
    /// What requests of a queue do while the network is away.
    public enum OfflinePolicy: String, Sendable, Hashable, CaseIterable {
        /// They end at once with an error of kind ``RequestError/Kind/offline``, without touching the network.
        case fail
        /// They stay in the line, or go back to their place in it, until the network is there again.
        ///
        /// What goes back found no connection while the network was going away: no byte of it went, or it may be sent
        /// twice (``HTTPMethod/isIdempotent``). Another request that was under way fails. By URLSession, which does not
        /// tell when it connects, only what may be sent twice goes back.
        case wait
    }

    /// Has the queue obey an observer of its host, in place of an earlier one.
    ///
    /// ```swift
    /// let observer = ReachabilityObserver(url: client.baseURL)
    /// queue.observeReachability(observer, whenOffline: .wait)
    /// ```
    ///
    /// While the observer's state is indeterminate the queue is suspended for ``SuspensionReason/reachability``, and so
    /// it is while the host cannot be reached, if requests wait. After a return from the background the state is
    /// determined anew.
    ///
    /// - Parameters:
    ///   - observer: Who knows; the queue keeps it. Nil: nobody, and requests go out as they come.
    ///   - policy: What requests do while the host cannot be reached. With ``OfflinePolicy/fail`` one that has an observer
    ///     of its own is sent, and fails or not, by what that one says; a queue that is suspended starts none.
    ///   - undeterminedLimit: How long the queue waits for an indeterminate state to become another one; then requests
    ///     are tried. 5 s unless told.
    public func observeReachability(
        _ observer: ReachabilityObserver?, whenOffline policy: OfflinePolicy = .fail,
        undeterminedLimit: Duration = .seconds(5)
    ) {
        let former = driver.withLock { driver in
            defer { driver.reachability = nil }
            return driver.reachability
        }
        former?.listener?.cancel()
        guard let observer else { return change { $0.state.setLink(nil, waits: false) } }
        change { driver in
            driver.reachability = QueueDriver.Reachability(
                observer: observer, waits: policy == .wait, undeterminedLimit: max(undeterminedLimit, .zero))
            driver.state.setLink(QueueLinkState(observer.state), waits: policy == .wait, isNew: true)
        }
        let listener = observer.observe { [weak self] state in
            self?.change { driver in
                guard let reachability = driver.reachability, reachability.observer === observer else { return }
                driver.state.setLink(QueueLinkState(state), waits: reachability.waits)
            }
        }
        // Another call may have replaced the observer meanwhile.
        let isCurrent = driver.withLock { driver in
            guard driver.reachability?.observer === observer, driver.reachability?.listener == nil else { return false }
            driver.reachability?.listener = listener
            return true
        }
        if !isCurrent { listener.cancel() }
    }

    /// Sets an alarm for what is to be told to the state later.
    func set(_ alarm: QueueDriver.Alarm) {
        switch alarm {
        case .settle(let request, let attempt):
            // It keeps the queue, as its loading did.
            Alarm.set(after: QueueDriver.doubt) { self.change { $0.state.settle(request.id, attempt: attempt) } }
        case .endUndetermined(let change, let limit):
            Alarm.set(after: limit) { [weak self] in
                self?.change { $0.state.endUndetermined(change: change) }
            }
        }
    }
}

extension QueueLinkState {
    init(_ state: ReachabilityState) {
        self = state.isDetermined ? (state.isReachable ? .there : .away) : .undetermined
    }
}

extension Result<RESTResponse, RequestError> {
    /// Whether a request found no connection at its first URL, so that no byte of it went.
    func isUnsent(_ request: RESTRequest) -> Bool {
        guard case .failure(let error) = self, let first = try? TransportRequest(checking: request) else {
            return false
        }
        switch error.kind {
        case .offline: break
        // Later they tell of another connection, made when one that was kept ended with the request in it.
        case .hostNotFound, .connectionRefused, .connectionFailed:
            guard error.phase.isUnconnected || first.isIdempotent else { return false }
        case .connectionLost: guard error.phase.isUnconnected else { return false }
        // The connection may be made, and used, just when the time is over.
        case .connectTimedOut where error.phase == .connecting: guard first.isIdempotent else { return false }
        // By the refresh of a token.
        case .connectTimedOut, .idleTimedOut, .truncatedResponse: guard error.phase == .preparing else { return false }
        default: return false
        }
        return error.url == first.url && error.method == first.method
    }
}
