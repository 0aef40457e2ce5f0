import Synchronization

/// A line of requests, of which so many are loading at once.
///
/// ```swift
/// let queue = RequestQueue(concurrentRequestsLimit: 1)
/// let first = await queue.add(client.request(.get, "/a"), owner: userID)
/// await queue.start()
/// let response = try await first.response
/// ```
///
/// A new queue is suspended until it is started; ``shared`` runs. Requests go in the order in which they were added, but
/// for their ``Priority``. Each has exactly one outcome, which the awaited ``QueuedRequest/response``, ``events``, the
/// delegates and the completion all tell alike.
///
/// The queue keeps its requests until they are over, and loading requests keep the queue: one that nobody holds any
/// more does what it can, and comes back from the background and to the network. Requests that wait in a queue that its
/// user suspended, and that nobody holds, are cancelled, since nobody could start them.
public actor RequestQueue {
    /// The queue of the process, which runs from the start, five requests at once.
    public static let shared = RequestQueue(concurrentRequestsLimit: 5, suspensionReasons: [], name: nil)

    /// What tells whether the process is in the foreground.
    public nonisolated let lifecycle: ApplicationLifecycle

    /// The name under which ``named(_:)`` finds it.
    public nonisolated let name: String?

    // Behind a lock, since the thread of a transport has to end one request and start the next: to wait for the actor's
    // turn would cost a small request a third of its time.
    nonisolated let driver: Mutex<QueueDriver>
    private nonisolated let teller = EventTeller()

    /// Makes a queue, suspended until it is started.
    ///
    /// - Parameters:
    ///   - concurrentRequestsLimit: How many requests may be loading at once; below 1 it is 1.
    ///   - lifecycle: What tells whether the process is in the foreground; the process's own unless told.
    public init(concurrentRequestsLimit: Int = 5, lifecycle: ApplicationLifecycle = .shared) {
        self.init(
            concurrentRequestsLimit: concurrentRequestsLimit, suspensionReasons: [.user], name: nil,
            lifecycle: lifecycle)
    }

    package init(
        concurrentRequestsLimit: Int, suspensionReasons: Set<SuspensionReason>, name: String?,
        activity: NetworkActivity = .shared, lifecycle: ApplicationLifecycle = .shared
    ) {
        self.name = name
        self.lifecycle = lifecycle
        let state = QueueState<QueuedRequest>(limit: concurrentRequestsLimit, suspensionReasons: suspensionReasons)
        driver = Mutex(QueueDriver(state: state, activity: activity))
        let number = lifecycle.add(catchingUp: true) { [weak self] in self?.receive($0) }
        driver.withLock { $0.lifecycleNumber = number }
    }

    deinit {
        // Nothing is loading: that would have kept the queue. Its delegate cannot be told of a queue that is no more.
        teller.delegate = nil
        if let number = driver.withLock({ $0.lifecycleNumber }) { lifecycle.remove(number) }
        for request in driver.withLock({ $0.state.requests }) {
            let error = request.error(.cancelled, "its queue was suspended, and is no more")
            teller.tell(.didCancel(request, error))
            request.outcome.set(.failure(error))
        }
        teller.wake(nil)
        teller.finish()
    }

    // MARK: Events

    /// All that happens from the moment this is read, as an asynchronous sequence.
    public nonisolated var events: Events { teller.listen() }

    /// Who is told the events by calls; it is not kept alive.
    public nonisolated var delegate: (any RequestQueueDelegate)? {
        get { teller.delegate }
        set { teller.delegate = newValue }
    }

    // MARK: Adding

    /// Adds a request, which is sent when it is its turn.
    @discardableResult
    public func add(_ request: RESTRequest, priority: Priority = .normal) -> QueuedRequest {
        put(request, owner: nil, priority, nil)
    }

    /// Adds a request, which is sent when it is its turn, unless its owner cancels it before.
    ///
    /// The owner is whom ``cancelRequests(ownedBy:)`` names: a value, compared by equality, or an object, compared by
    /// identity and not kept alive.
    @discardableResult
    public func add(
        _ request: RESTRequest, owner: some Hashable & Sendable, priority: Priority = .normal
    ) -> QueuedRequest {
        put(request, owner: RequestOwner(owner), priority, nil)
    }

    /// Adds a request from code that is not asynchronous.
    ///
    /// The completion is told the outcome, after the delegates and on no particular thread.
    @discardableResult
    public nonisolated func add(
        _ request: RESTRequest, priority: Priority = .normal,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> QueuedRequest {
        put(request, owner: nil, priority, completion)
    }

    /// Adds a request from code that is not asynchronous.
    ///
    /// The owner is whom ``cancelRequests(ownedBy:)`` names: a value, compared by equality, or an object, compared by
    /// identity and not kept alive. The completion is told the outcome, after the delegates and on no particular thread.
    @discardableResult
    public nonisolated func add(
        _ request: RESTRequest, owner: some Hashable & Sendable, priority: Priority = .normal,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> QueuedRequest {
        put(request, owner: RequestOwner(owner), priority, completion)
    }

    private nonisolated func put(
        _ request: RESTRequest, owner: RequestOwner?, _ priority: Priority,
        _ completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)?
    ) -> QueuedRequest {
        let request = QueuedRequest(request, owner: owner, queue: self, completion: completion)
        change { $0.state.add(request, priority: priority) }
        return request
    }

    // MARK: Running

    /// Lets requests start, unless the queue is suspended for another reason too.
    public func start() { resume(for: .user) }

    /// Starts no further request until it is resumed for the same reason; what is loading goes on.
    public func suspend(for reason: SuspensionReason = .user) { change { $0.state.suspend(for: reason) } }

    /// Takes back a suspension; requests start when no reason is left.
    public func resume(for reason: SuspensionReason = .user) { change { $0.state.resume(for: reason) } }

    /// Why no request starts; empty if the queue runs.
    public var suspensionReasons: Set<SuspensionReason> { driver.withLock { $0.state.suspensionReasons } }

    /// Whether no request starts.
    public var isSuspended: Bool { driver.withLock { $0.state.isSuspended } }

    /// How many requests may be loading at once.
    public var concurrentRequestsLimit: Int { driver.withLock { $0.state.limit } }

    /// Changes how many requests may be loading at once; below 1 it is 1.
    ///
    /// What is loading above it goes on.
    public func setConcurrentRequestsLimit(_ limit: Int) { change { $0.state.setLimit(limit) } }

    /// Whether its loading counts as ``NetworkActivity``; it does not unless told.
    public var showsNetworkActivity: Bool { driver.withLock { $0.showsNetworkActivity } }

    /// Lets the loading of this queue count as ``NetworkActivity``, or no longer.
    public func setShowsNetworkActivity(_ shows: Bool) { driver.withLock { $0.showsNetworkActivity = shows } }

    // MARK: Counts

    /// Requests that wait or are loading.
    public var count: Int { driver.withLock { $0.state.count } }

    /// Requests whose turn it was not yet.
    public var waitingCount: Int { driver.withLock { $0.state.waitingCount } }

    /// Requests that were sent and have no outcome yet.
    public var loadingCount: Int { driver.withLock { $0.state.loadingCount } }

    /// Whether any request is loading.
    public var isLoading: Bool { loadingCount > 0 }

    /// Waits until no request is in the queue; those added meanwhile count too.
    ///
    /// With an empty queue it returns at once, with a suspended one only after it was started or its requests were
    /// cancelled. It returns, too, if the task that waits is cancelled.
    public func waitUntilFinished() async {
        let emptiness: OneTimeValue<Void>? = driver.withLock { driver in
            if driver.state.count > 0, driver.emptiness == nil { driver.emptiness = OneTimeValue() }
            return driver.emptiness
        }
        _ = await emptiness?.value()
    }

    // MARK: Cancelling

    /// Cancels a request of this queue, wherever it is; without effect on one that is over or of another queue.
    public func cancel(_ request: QueuedRequest) { cancelNow(request) }

    /// Cancels all requests, those that wait and those that are loading.
    ///
    /// When this, or another of the kind, returns, the cancelled requests have their outcome, and those that were loading
    /// have left their places to the next. What a server did of them before, it did.
    public func cancelAllRequests() { cancel { _ in true } }

    /// Cancels the requests that were added with an owner.
    public func cancelRequests(ownedBy owner: some Hashable & Sendable) {
        cancel { $0.owner?.isEqual(owner) == true }
    }

    /// Cancels the requests with a ``RESTRequest/tag``.
    public func cancelRequests(tagged tag: String) { cancel { $0.request.tag == tag } }

    /// Cancels the requests whose URL has a path.
    ///
    /// - Parameters:
    ///   - method: Only requests of this method; nil: of any.
    ///   - path: The path, in which `:name` stands for any characters but a slash, as `/v1/tasks/:id`; a backslash
    ///     before a colon makes it an ordinary one. Beginning with a slash it is the whole path of the URL, that of the
    ///     client's base URL included; otherwise its end, `tasks/:id` below any base. The query does not count, a slash
    ///     at the end does, and percent-encoding makes no difference.
    public func cancelRequests(_ method: HTTPMethod? = nil, path: String) {
        let pattern = PathPattern(path)
        cancel { queued in
            (method ?? queued.request.method) == queued.request.method
                && queued.request.url.map(pattern.matches) == true
        }
    }

    nonisolated func cancelNow(_ request: QueuedRequest) { change { $0.state.cancel(request.id) } }

    private func cancel(where isSelected: (QueuedRequest) -> Bool) {
        // Owners are compared by code that is not ours, which must not run behind the lock.
        let selected = Set(driver.withLock { $0.state.requests }.filter(isSelected).map(\.id))
        change { $0.state.cancel { selected.contains($0.id) } }
    }

    // MARK: What is to be done

    /// Changes the state, and does what follows from it: telling in one order, behind the lock, the rest after it.
    nonisolated func change(_ change: (inout QueueDriver) -> Void) {
        var (ends, steps) = driver.withLock { driver in
            change(&driver)
            driver.kept = driver.state.awaitsReturn ? self : nil
            return (driver.takeEnds(telling: teller, makeExchange: exchange), driver.takeSteps())
        }
        // One thread steps at a time: a request that ends as it is started, as a wrong one does, starts the next by this
        // loop, and not on top of itself.
        while !steps.isEmpty {
            for step in steps {
                switch step {
                case .start(let exchange): exchange.start()
                case .cancel(let exchange): exchange.cancel()
                }
            }
            steps = driver.withLock { $0.takeMoreSteps() }
        }
        teller.wake(self)
        ends.alarms.forEach(set)
        // Last, for a task that goes on may want the lock.
        for (request, outcome) in ends.outcomes { request.outcome.set(outcome) }
        ends.emptiness?.set(())
    }

    /// The exchange keeps the queue by its closures, and the queue the exchange, until its end.
    private nonisolated func exchange(
        of queued: QueuedRequest, attempt: Int, observer: ReachabilityObserver?
    ) -> Exchange {
        var request = queued.request
        if request.reachabilityObserver == nil { request.reachabilityObserver = observer }
        let isContinuing = request.backgroundPolicy == .continue
        if isContinuing { lifecycle.beginContinuing() }
        return Exchange(request) { event in
            switch event {
            case .didSend: self.teller.tell(.didSend(queued), attempt: attempt)
            case .progress(let progress): self.teller.tell(.didProgress(queued, progress), attempt: attempt)
            case .willRetry(let retry): self.teller.tell(.willRetry(queued, retry), attempt: attempt)
            }
            self.teller.wake(self)
        } completion: { outcome in
            let isUnsent = outcome.isUnsent(queued.request)
            self.change { $0.state.finish(queued.id, attempt: attempt, outcome, isUnsent: isUnsent) }
            if isContinuing { self.lifecycle.endContinuing() }
        }
    }
}
