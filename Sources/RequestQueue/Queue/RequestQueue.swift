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
/// The queue retains its requests until they end, and loading requests retain the queue. A queue without references
/// finishes its requests, also after a stay in the background or a loss of the network. If a queue that was suspended by a
/// call is released, its waiting requests are cancelled, because nothing could start them.
public final class RequestQueue: Sendable {
    /// The shared queue of the process: it is started, and loads up to five requests concurrently.
    public static let shared = RequestQueue(concurrentRequestsLimit: 5, suspensionReasons: [], name: nil)

    /// Reports whether the process is in the foreground.
    public let lifecycle: ApplicationLifecycle

    /// The name under which ``named(_:)`` finds the queue.
    public let name: String?

    let driver: Mutex<QueueDriver>
    /// Calls whose requests are added later.
    let announced = Mutex(AnnouncedCalls())
    private let dispatcher = EventDispatcher()

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
        // No request is loading, because that would retain the queue. The delegate cannot receive a released queue.
        dispatcher.delegate = nil
        if let number = driver.withLock({ $0.lifecycleNumber }) { lifecycle.remove(number) }
        for request in driver.withLock({ $0.state.requests }) {
            let error = request.error(.cancelled, "its suspended queue was released")
            dispatcher.post(.didCancel(request, error))
            request.finish(.failure(error))
        }
        dispatcher.deliver(from: nil)
        dispatcher.finish()
    }

    // MARK: Events

    /// An asynchronous sequence of the events after this property is read.
    public var events: Events { dispatcher.subscribe() }

    /// Receives the events of the queue; held weakly.
    public var delegate: (any RequestQueueDelegate)? {
        get { dispatcher.delegate }
        set { dispatcher.delegate = newValue }
    }

    /// The executor on which the delegate is called.
    ///
    /// Defaults to ``CallbackExecutor/separateThreads``. Completions and delegates of requests are called on
    /// ``RequestSettings/callbackExecutor``.
    public var callbackExecutor: CallbackExecutor {
        get { dispatcher.executor }
        set { dispatcher.executor = newValue }
    }

    // MARK: Adding

    /// Adds a request, which is sent when a slot is free.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The value that ``cancelRequests(ownedBy:)-(HashableSendable)`` compares; a class's object is compared by identity and
    ///     held weakly. Defaults to no owner.
    ///   - priority: The place in the queue. Defaults to `.normal`.
    ///   - completion: Receives the outcome once, after the delegates, on ``RequestSettings/callbackExecutor``.
    @discardableResult
    public func add(
        _ request: consuming RESTRequest, owner: (any Hashable & Sendable)? = nil, priority: Priority = .normal,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) -> QueuedRequest {
        add(
            QueuedRequest(request, owner: owner.map { RequestOwner($0) }, queue: self, completion: completion), priority
        )
    }

    /// Adds a request that an object owns, such as a screen; the object is compared by identity and held weakly.
    @_disfavoredOverload @discardableResult
    public func add(
        _ request: consuming RESTRequest, owner: AnyObject, priority: Priority = .normal,
        completion: (@Sendable (Result<RESTResponse, RequestError>) -> Void)? = nil
    ) -> QueuedRequest {
        add(QueuedRequest(request, owner: RequestOwner(owner), queue: self, completion: completion), priority)
    }

    func add(_ request: QueuedRequest, _ priority: Priority) -> QueuedRequest {
        change { $0.state.add(request, priority: priority, needsSlot: request.needsSlot) }
        return request
    }

    // MARK: Running

    /// Starts or resumes the queue; requests wait while another suspension reason applies.
    public func start() { resume(for: .user) }

    /// Starts no further request until the queue is resumed for the same reason; loading requests continue.
    public func suspend(for reason: SuspensionReason = .user) { change { $0.state.suspend(for: reason) } }

    /// Ends a suspension; requests start when no reason is left.
    public func resume(for reason: SuspensionReason = .user) {
        change { driver in
            driver.isSuspensionReported = false
            driver.state.resume(for: reason)
        }
    }

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

    /// Waits until the queue is empty, including requests that are added meanwhile.
    ///
    /// Returns immediately if the queue is empty, and when the waiting task is cancelled. A suspended queue has to be
    /// started, or its requests cancelled, before this returns.
    public func waitUntilFinished() async {
        let emptiness: OneTimeValue<Void>? = driver.withLock { driver in
            if driver.state.count > 0, driver.emptiness == nil { driver.emptiness = OneTimeValue() }
            return driver.emptiness
        }
        if emptiness != nil { reportSuspension() }
        _ = await emptiness?.value()
    }

    /// Logs that a queue that a call has to start holds requests for which a task waits, once per suspension.
    func reportSuspension() {
        let waitingCount: Int? = driver.withLock { driver in
            guard driver.state.suspensionReasons.contains(.user), driver.state.waitingCount > 0,
                !driver.isSuspensionReported
            else { return nil }
            driver.isSuspensionReported = true
            return driver.state.waitingCount
        }
        guard let waitingCount else { return }
        let queue = name.map { "the queue '\($0)'" } ?? "a queue"
        LogMessage.log(
            .requestQueue, .warning,
            "\(queue) is suspended and holds \(waitingCount) \(waitingCount == 1 ? "request" : "requests"); "
                + "call start() to send \(waitingCount == 1 ? "it" : "them")")
    }

    // MARK: Cancelling

    /// Cancels a request if it is waiting or loading in this queue.
    public func cancel(_ request: QueuedRequest) { change { $0.state.cancel(request.id) } }

    /// Cancels all waiting and loading requests.
    ///
    /// When this or a similar function returns, the cancelled requests have their outcome, and their slots are free. The
    /// server may already have processed them.
    public func cancelAllRequests() {
        cancelAnnounced { _ in true }
        cancel { _ in true }
    }

    /// Cancels the requests that were added with an owner that is equal to a value.
    public func cancelRequests(ownedBy owner: any Hashable & Sendable) { cancel(ownedBy: RequestOwner(owner)) }

    /// Cancels the requests that an object owns.
    @_disfavoredOverload
    public func cancelRequests(ownedBy owner: AnyObject) { cancel(ownedBy: RequestOwner(owner)) }

    private func cancel(ownedBy owner: RequestOwner) {
        cancelAnnounced { $0?.isEqual(owner) == true }
        cancel { $0.owner?.isEqual(owner) == true }
    }

    /// Cancels the requests whose ``RESTRequest/tag`` is equal to a string.
    public func cancelRequests(tagged tag: String) { cancel { $0.request.tag == tag } }

    /// Cancels the requests whose URL path matches a pattern.
    ///
    /// The query is ignored, a trailing slash is significant, and paths are compared after percent-decoding.
    ///
    /// - Parameters:
    ///   - method: The method of the requests. Defaults to `nil`, which matches any method.
    ///   - path: A pattern such as `/v1/tasks/:id`, in which `:name` matches any characters except a slash, and a trailing `*`
    ///     matches the rest of the path. Several names in a segment are separated by text. A backslash escapes a colon. A
    ///     pattern with a leading slash matches the complete path, including that of the client's base URL; any other
    ///     pattern matches the end of the path, such as `tasks/:id` for any base URL.
    public func cancelRequests(_ method: HTTPMethod? = nil, path: String) {
        let template = PathTemplate(path)
        if let defect = template.defect {
            LogMessage.log(.requestQueue, .warning, "cancelRequests(path:): invalid pattern '\(path)': \(defect)")
        }
        cancel { queued in
            (method ?? queued.request.method) == queued.request.method
                && queued.request.url.flatMap(template.match) != nil
        }
    }

    private func cancel(where isSelected: (QueuedRequest) -> Bool) {
        // Owners are compared by user code, which must not run while the lock is held.
        let selected = Set(driver.withLock { $0.state.requests }.filter(isSelected).map(\.id))
        change { $0.state.cancel { selected.contains($0.id) } }
    }

    // MARK: Effects

    /// Changes the state and performs the effects: events are posted under the lock, which determines their order; all other
    /// effects are performed after it.
    func change(_ change: (inout QueueDriver) -> Void) {
        let work = driver.withLock { driver in
            change(&driver)
            driver.retainedQueue = driver.state.resumesAutomatically ? self : nil
            return driver.takeDeferredWork(postingTo: dispatcher, makeExchange: exchange)
        }
        work.steps?.drain()
        deliverEvents(isUrgent: true)
        work.timers.forEach(set)
        // Last, because a resumed task may need the lock.
        for (request, outcome, _) in work.outcomes { request.finish(outcome) }
        work.emptiness?.set(())
    }

    /// Delivers the posted events, once for all events that this thread processes in a batch.
    private func deliverEvents(isUrgent: Bool) {
        if EventBatch.postpone(for: self, isUrgent: isUrgent, { self.dispatcher.deliver(from: self) }) { return }
        if isUrgent { dispatcher.deliver(from: self) } else { dispatcher.deliverSoon(from: self) }
    }

    /// Creates the exchange of an attempt; its closures retain the queue, and the queue retains it, until it ends.
    private func exchange(
        of queued: QueuedRequest, attempt: Int, observer: ReachabilityObserver?
    ) -> Exchange {
        var request = queued.request
        if request.reachabilityObserver == nil { request.reachabilityObserver = observer }
        request.lifecycle = lifecycle
        return Exchange(
            request, delivery: queued.sink.map { .stream($0) }, followsLifecycle: true, sender: queued.sender,
            queue: { call in
                self.change { driver in
                    switch call {
                    case .awaitTurn: driver.state.endBackoff(queued.id, attempt: attempt)
                    case .putBack: driver.state.putBack(queued.id, attempt: attempt)
                    }
                }
            },
            isListening: { self.dispatcher.isListening(to: queued) },
            observer: { event in
                self.dispatcher.post(Event(queued, event), attempt: attempt)
                if case .willRetry = event {
                    self.change { $0.state.beginBackoff(queued.id, attempt: attempt) }
                } else {
                    self.deliverEvents(isUrgent: false)
                }
            },
            completion: { outcome in
                let isUnsent = outcome.isUnsent(queued.request)
                self.change { $0.state.finish(queued.id, attempt: attempt, outcome, isUnsent: isUnsent) }
            })
    }
}
