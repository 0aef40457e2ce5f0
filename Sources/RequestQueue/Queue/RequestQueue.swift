import Synchronization

/// A queue of requests, of which up to a limit load concurrently.
///
/// ```swift
/// let queue = RequestQueue(concurrentRequestsLimit: 1)
/// let first = queue.add(client.request(.get, "/a"), owner: screen)
/// queue.start()
/// let response = try await first.response
/// ```
///
/// A new queue is suspended until it is started; ``shared`` runs. Requests start in the order in which they were added,
/// except for their ``Priority``. Each has exactly one outcome, which ``QueuedRequest/response``, ``events``, the
/// delegates and the completion report alike. All functions may be called from any thread, and take effect in the order
/// of the calls.
///
/// The queue keeps its requests until they are over, and loading requests keep the queue: one that is not referenced
/// any more finishes its work, and returns from the background and to the network. Requests that wait in a suspended
/// queue without references are cancelled, since nothing could start them.
public final class RequestQueue: Sendable {
    /// The queue of the process, which runs from the start, up to five requests concurrently.
    public static let shared = RequestQueue(concurrentRequestsLimit: 5, suspensionReasons: [], name: nil)

    /// Reports whether the process is in the foreground.
    public let lifecycle: ApplicationLifecycle

    /// The name under which ``named(_:)`` finds the queue.
    public let name: String?

    let driver: Mutex<QueueDriver>
    private let teller = EventTeller()

    /// Creates a queue that is suspended until it is started.
    ///
    /// - Parameters:
    ///   - concurrentRequestsLimit: The number of requests that may load concurrently; at least 1. Defaults to 5.
    ///   - lifecycle: Reports whether the process is in the foreground. Defaults to that of the process.
    public convenience init(concurrentRequestsLimit: Int = 5, lifecycle: ApplicationLifecycle = .shared) {
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
            request.finish(.failure(error))
        }
        teller.wake(nil)
        teller.finish()
    }

    // MARK: Events

    /// The events from the moment this is read, as an asynchronous sequence.
    public var events: Events { teller.listen() }

    /// Receives the events by calls; held weakly.
    public var delegate: (any RequestQueueDelegate)? {
        get { teller.delegate }
        set { teller.delegate = newValue }
    }

    /// Where the delegate is called.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``. Completions and delegates of requests are called on
    /// ``RESTRequest/callbackExecutor``.
    public var callbackExecutor: CallbackExecutor {
        get { teller.executor }
        set { teller.executor = newValue }
    }

    // MARK: Adding

    /// Adds a request, which is sent when its turn comes unless its owner cancels it before.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The value that ``cancelRequests(ownedBy:)-(HashableSendable)`` compares; a class's object is compared by identity and
    ///     held weakly. Defaults to no owner.
    ///   - priority: The place in the queue. Defaults to `.normal`.
    ///   - completion: Receives the outcome once, after the delegates, on ``RESTRequest/callbackExecutor``.
    @discardableResult
    public func add(
        _ request: RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) -> QueuedRequest {
        add(
            QueuedRequest(request, owner: owner.map { RequestOwner($0) }, queue: self, completion: completion), priority
        )
    }

    /// Adds a request that an object owns, as a screen does, which is compared by identity and held weakly.
    @_disfavoredOverload @discardableResult
    public func add(
        _ request: RESTRequest, owner: AnyObject, priority: Priority = .normal,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) -> QueuedRequest {
        add(QueuedRequest(request, owner: RequestOwner(owner), queue: self, completion: completion), priority)
    }

    func add(_ request: QueuedRequest, _ priority: Priority) -> QueuedRequest {
        change { $0.state.add(request, priority: priority) }
        return request
    }

    // MARK: Running

    /// Starts or resumes the queue; requests wait while another suspension reason applies.
    public func start() { resume(for: .user) }

    /// Starts no further request until the queue is resumed for the same reason; loading requests continue.
    public func suspend(for reason: SuspensionReason = .user) { change { $0.state.suspend(for: reason) } }

    /// Ends a suspension; requests start when no reason is left.
    public func resume(for reason: SuspensionReason = .user) { change { $0.state.resume(for: reason) } }

    /// The reasons for which no request starts; empty if the queue runs.
    public var suspensionReasons: Set<SuspensionReason> { driver.withLock { $0.state.suspensionReasons } }

    /// Whether no request starts.
    public var isSuspended: Bool { driver.withLock { $0.state.isSuspended } }

    /// The number of requests that may load concurrently; at least 1.
    ///
    /// A request that waits for its next attempt (``QueuedRequest/State/backingOff``) does not count, unless the limit is
    /// 1: such a queue keeps its order.
    ///
    /// Defaults to 5. Requests that are loading when the limit is lowered continue.
    public var concurrentRequestsLimit: Int {
        get { driver.withLock { $0.state.limit } }
        set { change { $0.state.setLimit(newValue) } }
    }

    /// Whether loading of this queue counts as ``NetworkActivity``; `false` by default.
    public var showsNetworkActivity: Bool {
        get { driver.withLock { $0.showsNetworkActivity } }
        set { driver.withLock { $0.showsNetworkActivity = newValue } }
    }

    // MARK: Counts

    /// The number of requests that wait or are loading.
    public var count: Int { driver.withLock { $0.state.count } }

    /// The number of requests that wait for their turn.
    public var waitingCount: Int { driver.withLock { $0.state.waitingCount } }

    /// The number of requests that were sent and have no outcome yet.
    public var loadingCount: Int { driver.withLock { $0.state.loadingCount } }

    /// Whether any request is loading.
    public var isLoading: Bool { loadingCount > 0 }

    /// Waits until the queue holds no request, including those that are added meanwhile.
    ///
    /// Returns immediately if the queue is empty, and when the waiting task is cancelled. A suspended queue has to be
    /// started, or its requests cancelled, before this returns.
    public func waitUntilFinished() async {
        let emptiness: OneTimeValue<Void>? = driver.withLock { driver in
            if driver.state.count > 0, driver.emptiness == nil { driver.emptiness = OneTimeValue() }
            return driver.emptiness
        }
        _ = await emptiness?.value()
    }

    // MARK: Cancelling

    /// Cancels a request that waits or is loading; does nothing if it is over or belongs to another queue.
    public func cancel(_ request: QueuedRequest) { cancelNow(request) }

    /// Cancels all requests, those that wait and those that are loading.
    ///
    /// When this or a similar function returns, the cancelled requests have their outcome, and their places are free. A
    /// server may have processed them already.
    public func cancelAllRequests() { cancel { _ in true } }

    /// Cancels the requests that were added with an owner.
    public func cancelRequests(ownedBy owner: any Hashable & Sendable) { cancel(ownedBy: RequestOwner(owner)) }

    /// Cancels the requests that an object owns.
    @_disfavoredOverload
    public func cancelRequests(ownedBy owner: AnyObject) { cancel(ownedBy: RequestOwner(owner)) }

    private func cancel(ownedBy owner: RequestOwner) { cancel { $0.owner?.isEqual(owner) == true } }

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

    func cancelNow(_ request: QueuedRequest) { change { $0.state.cancel(request.id) } }

    private func cancel(where isSelected: (QueuedRequest) -> Bool) {
        // Owners are compared by code that is not ours, which must not run behind the lock.
        let selected = Set(driver.withLock { $0.state.requests }.filter(isSelected).map(\.id))
        change { $0.state.cancel { selected.contains($0.id) } }
    }

    // MARK: What is to be done

    /// Changes the state, and does what follows from it: telling in one order, behind the lock, the rest after it.
    func change(_ change: (inout QueueDriver) -> Void) {
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
                case .sendAgain(let exchange): exchange.sendAgain()
                case .cancel(let exchange): exchange.cancel()
                }
            }
            steps = driver.withLock { $0.takeMoreSteps() }
        }
        teller.wake(self)
        ends.alarms.forEach(set)
        // Last, for a task that goes on may want the lock.
        for (request, outcome) in ends.outcomes { request.finish(outcome) }
        ends.emptiness?.set(())
    }

    /// The exchange keeps the queue by its closures, and the queue the exchange, until its end.
    private func exchange(
        of queued: QueuedRequest, attempt: Int, observer: ReachabilityObserver?
    ) -> Exchange {
        var request = queued.request
        if request.reachabilityObserver == nil { request.reachabilityObserver = observer }
        let isContinuing = request.backgroundPolicy == .continue
        if isContinuing { lifecycle.beginContinuing() }
        return Exchange(request, delivery: queued.sink.map { .stream($0) }, awaitsTurn: true) { event in
            switch event {
            case .didSend: self.teller.tell(.didSend(queued), attempt: attempt)
            case .progress(let progress): self.teller.tell(.didProgress(queued, progress), attempt: attempt)
            case .willRetry(let retry):
                self.teller.tell(.willRetry(queued, retry), attempt: attempt)
                self.change { $0.state.beginBackoff(queued.id, attempt: attempt) }
            case .awaitsTurn: self.change { $0.state.endBackoff(queued.id, attempt: attempt) }
            }
            self.teller.wake(self)
        } completion: { outcome in
            let isUnsent = outcome.isUnsent(queued.request)
            self.change { $0.state.finish(queued.id, attempt: attempt, outcome, isUnsent: isUnsent) }
            if isContinuing { self.lifecycle.endContinuing() }
        }
    }
}
