extension RequestQueue {
    /// The handling of requests while the network is unavailable.
    public enum OfflinePolicy: String, Sendable, Hashable, CaseIterable {
        /// Requests fail immediately with an error of kind ``RequestError/Kind/offline``.
        case fail
        /// Requests wait in the queue until the network is available.
        ///
        /// A loading request that loses the network is requeued if no byte was sent, or if its method is idempotent
        /// (``HTTPMethod/isIdempotent``); otherwise it fails. URLSession does not report connections, so with it only
        /// idempotent requests are requeued.
        case wait
    }

    /// Suspends and resumes the queue by an observer of its host, which replaces an earlier one.
    ///
    /// ```swift
    /// let observer = ReachabilityObserver(url: client.baseURL)
    /// queue.observeReachability(observer, whenOffline: .wait)
    /// ```
    ///
    /// The queue is suspended for ``SuspensionReason/reachability`` while the observer's state is indeterminate, and with
    /// ``OfflinePolicy/wait`` while the host is unreachable. The state is determined again when the process returns to the
    /// foreground.
    ///
    /// - Parameters:
    ///   - observer: The observer, which the queue retains; `nil` to remove it.
    ///   - policy: The handling of requests while the host is unreachable. With ``OfflinePolicy/fail``, the observer of a
    ///     request takes precedence. Defaults to ``OfflinePolicy/fail``.
    ///   - undeterminedLimit: The maximum time that the queue waits for an indeterminate state; then requests are sent.
    ///     Defaults to 5 seconds.
    public func observeReachability(
        _ observer: ReachabilityObserver?, whenOffline policy: OfflinePolicy = .fail,
        undeterminedLimit: Duration = .seconds(5)
    ) {
        driver.withLock { $0.reachability.take() }?.listener?.close()
        guard let observer else { return change { $0.state.setLink(nil, waits: false) } }
        change { driver in
            driver.reachability = QueueDriver.Reachability(
                observer: observer, waits: policy == .wait, undeterminedLimit: max(undeterminedLimit, .zero))
            driver.state.setLink(QueueLinkState(observer.state), waits: policy == .wait, isNewObserver: true)
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
        if !isCurrent { listener.close() }
    }

    /// The observer that suspends and resumes the queue; `nil` for none.
    public var reachabilityObserver: ReachabilityObserver? { driver.withLock { $0.reachability?.observer } }

    /// Starts a timer whose expiry changes the state.
    func set(_ timer: QueueDriver.Timer) {
        switch timer {
        case .settle(let request, let attempt):
            // Retains the queue, as the loading request did.
            Alarm.set(after: QueueDriver.failureGracePeriod) {
                self.change { $0.state.settle(request.id, attempt: attempt) }
            }
        case .endUndetermined(let change, let limit):
            Alarm.set(after: limit) { [weak self] in
                self?.change { $0.state.endUndetermined(change: change) }
            }
        }
    }

    /// Handles an event of the life cycle.
    func receive(_ event: ApplicationLifecycle.Event) {
        switch event {
        case .didEnterBackground:
            change { driver in
                driver.state.suspend(for: .background)
                driver.state.moveBackHeld { $0.request.backgroundPolicy == .requeue && $0.sink == nil }
            }
            driver.withLock { $0.addSteps(for: event) }?.drain()
        case .backgroundTimeExpired: driver.withLock { $0.addSteps(for: event) }?.drain()
        case .willEnterForeground:
            // The network may have changed unnoticed: the queue stays suspended until its state is determined again.
            driver.withLock { $0.reachability?.observer }?.redetermine()
            change { $0.state.resume(for: .background) }
        }
    }

    /// A reason for which a queue starts no requests.
    ///
    /// Reasons are independent: the queue runs when no reason is left.
    public enum SuspensionReason: String, Sendable, Hashable, CaseIterable {
        /// The queue has not been started, or was suspended by a call.
        case user
        /// The process is in the background.
        case background
        /// The network is unavailable, or its state is not known yet.
        case reachability
    }
}

extension QueueLinkState {
    init(_ state: ReachabilityState) {
        self = state.isDetermined ? (state.isReachable ? .reachable : .unreachable) : .undetermined
    }
}

extension Result<RESTResponse, RequestError> {
    /// Whether the connection to the request's first URL failed, so that no byte was sent.
    func isUnsent(_ request: RESTRequest) -> Bool {
        guard case .failure(let error) = self, let first = try? TransportRequest(checking: request) else {
            return false
        }
        switch error.kind {
        case .offline: break
        // In later phases the error is about a second connection, after a reused connection was closed during the request.
        case .hostNotFound, .connectionRefused, .connectionFailed:
            guard error.phase.isUnconnected || first.isIdempotent else { return false }
        case .connectionLost: guard error.phase.isUnconnected else { return false }
        // The connection may have been established and used at the moment of the timeout.
        case .connectTimedOut where error.phase == .connecting: guard first.isIdempotent else { return false }
        // The refresh of a token failed.
        case .connectTimedOut, .idleTimedOut, .truncatedResponse: guard error.phase == .preparing else { return false }
        default: return false
        }
        return error.url == first.url && error.method == first.method
    }
}
