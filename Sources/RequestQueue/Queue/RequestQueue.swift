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
/// more does what it can. Requests that wait in a suspended queue that nobody holds are cancelled, since nobody could
/// start them.
public actor RequestQueue {
    /// The queue of the process, which runs from the start, five requests at once.
    public static let shared = RequestQueue(concurrentRequestsLimit: 5, suspensionReasons: [], name: nil)

    /// The name under which ``named(_:)`` finds it.
    public nonisolated let name: String?

    private nonisolated let inbox = QueueInbox()
    private nonisolated let teller = EventTeller()
    private nonisolated let activity: NetworkActivity
    private var state: QueueState<QueuedRequest>
    private var exchanges: [QueuedRequest.ID: Exchange] = [:]
    private var emptiness: OneTimeValue<Void>?

    /// Whether its loading counts as ``NetworkActivity``; it does not unless told.
    public private(set) var showsNetworkActivity = false

    /// Makes a queue, suspended until it is started.
    ///
    /// - Parameter concurrentRequestsLimit: How many requests may be loading at once; below 1 it is 1.
    public init(concurrentRequestsLimit: Int = 5) {
        self.init(concurrentRequestsLimit: concurrentRequestsLimit, suspensionReasons: [.user], name: nil)
    }

    package init(
        concurrentRequestsLimit: Int, suspensionReasons: Set<SuspensionReason>, name: String?,
        activity: NetworkActivity = .shared
    ) {
        self.name = name
        self.activity = activity
        state = QueueState(limit: concurrentRequestsLimit, suspensionReasons: suspensionReasons)
        inbox.belong(to: self)
    }

    deinit {
        // Nothing is loading: that would have kept the queue.
        state.cancel { _ in true }
        for case .cancel(let request, _) in state.takeEffects() {
            let error = request.error(.cancelled, "its queue was suspended, and is no more")
            teller.tell(.didCancel(request, error), of: nil)
            request.outcome.set(.failure(error))
        }
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
        add(QueuedRequest(request, owner: nil, priority: priority, inbox: inbox, completion: nil))
    }

    /// Adds a request, which is sent when it is its turn, unless its owner cancels it before.
    ///
    /// The owner is whom ``cancelRequests(ownedBy:)`` names: a value, compared by equality, or an object, compared by
    /// identity and not kept alive.
    @discardableResult
    public func add(
        _ request: RESTRequest, owner: some Hashable & Sendable, priority: Priority = .normal
    ) -> QueuedRequest {
        add(QueuedRequest(request, owner: RequestOwner(owner), priority: priority, inbox: inbox, completion: nil))
    }

    /// Adds a request from code that is not asynchronous; what the queue does next, it knows of it.
    ///
    /// The completion is told the outcome, after the delegates and on no particular thread.
    @discardableResult
    public nonisolated func add(
        _ request: RESTRequest, priority: Priority = .normal,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> QueuedRequest {
        post(QueuedRequest(request, owner: nil, priority: priority, inbox: inbox, completion: completion))
    }

    /// Adds a request from code that is not asynchronous; what the queue does next, it knows of it.
    ///
    /// The owner is whom ``cancelRequests(ownedBy:)`` names: a value, compared by equality, or an object, compared by
    /// identity and not kept alive. The completion is told the outcome, after the delegates and on no particular thread.
    @discardableResult
    public nonisolated func add(
        _ request: RESTRequest, owner: some Hashable & Sendable, priority: Priority = .normal,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> QueuedRequest {
        let owner = RequestOwner(owner)
        return post(QueuedRequest(request, owner: owner, priority: priority, inbox: inbox, completion: completion))
    }

    private func add(_ request: QueuedRequest) -> QueuedRequest {
        change { $0.add(request, priority: request.priority) }
        return request
    }

    private nonisolated func post(_ request: QueuedRequest) -> QueuedRequest {
        inbox.post(.add(request))
        return request
    }

    // MARK: Running

    /// Lets requests start, unless the queue is suspended for another reason too.
    public func start() { resume(for: .user) }

    /// Starts no further request until it is resumed for the same reason; what is loading goes on.
    public func suspend(for reason: SuspensionReason = .user) { change { $0.suspend(for: reason) } }

    /// Takes back a suspension; requests start when no reason is left.
    public func resume(for reason: SuspensionReason = .user) { change { $0.resume(for: reason) } }

    /// Why no request starts; empty if the queue runs.
    public var suspensionReasons: Set<SuspensionReason> { current.suspensionReasons }

    /// Whether no request starts.
    public var isSuspended: Bool { current.isSuspended }

    /// How many requests may be loading at once.
    public var concurrentRequestsLimit: Int { current.limit }

    /// Changes how many requests may be loading at once; below 1 it is 1.
    ///
    /// What is loading above it goes on.
    public func setConcurrentRequestsLimit(_ limit: Int) { change { $0.setLimit(limit) } }

    /// Whether the loading of this queue counts as ``NetworkActivity``.
    public func setShowsNetworkActivity(_ shows: Bool) {
        catchUp()
        guard shows != showsNetworkActivity else { return }
        showsNetworkActivity = shows
        guard state.loadingCount > 0 else { return }
        shows ? activity.begin() : activity.end()
    }

    // MARK: Counts

    /// Requests that wait or are loading.
    public var count: Int { current.count }

    /// Requests whose turn it was not yet.
    public var waitingCount: Int { current.waitingCount }

    /// Requests that were sent and have no outcome yet.
    public var loadingCount: Int { current.loadingCount }

    /// Whether any request is loading.
    public var isLoading: Bool { loadingCount > 0 }

    /// Waits until no request is in the queue; those added meanwhile count too.
    ///
    /// With an empty queue it returns at once, with a suspended one only after it was started or its requests were
    /// cancelled. It returns, too, if the task that waits is cancelled.
    public func waitUntilFinished() async {
        guard count > 0 else { return }
        let emptiness = self.emptiness ?? OneTimeValue()
        self.emptiness = emptiness
        _ = await emptiness.value()
    }

    // MARK: Cancelling

    /// Cancels a request of this queue, wherever it is; without effect on one that is over or of another queue.
    public func cancel(_ request: QueuedRequest) { change { $0.cancel(request.id) } }

    /// Cancels all requests, those that wait and those that are loading.
    ///
    /// When this, or another of the kind, returns, the cancelled requests have their outcome, and those that were loading
    /// have left their places to the next. What a server did of them before, it did.
    public func cancelAllRequests() { change { $0.cancel { _ in true } } }

    /// Cancels the requests that were added with an owner.
    public func cancelRequests(ownedBy owner: some Hashable & Sendable) {
        change { $0.cancel { $0.owner?.isEqual(owner) == true } }
    }

    /// Cancels the requests with a ``RESTRequest/tag``.
    public func cancelRequests(tagged tag: String) { change { $0.cancel { $0.request.tag == tag } } }

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
        change { state in
            state.cancel { queued in
                (method ?? queued.request.method) == queued.request.method
                    && queued.request.url.map(pattern.matches) == true
            }
        }
    }

    // MARK: What is to be done

    /// The state, with all that was told so far.
    private var current: QueueState<QueuedRequest> {
        catchUp()
        return state
    }

    private func change(_ change: (inout QueueState<QueuedRequest>) -> Void) {
        catchUp()
        change(&state)
        perform(state.takeEffects())
    }

    /// Takes what was told from outside the actor, which is older than what is about to be done.
    func catchUp(endsTask: Bool = false) {
        for item in inbox.take(endsTask: endsTask) {
            switch item {
            case .add(let request): state.add(request, priority: request.priority)
            case .cancel(let request): state.cancel(request.id)
            case .finish(let request, let outcome): state.finish(request.id, outcome)
            }
        }
        perform(state.takeEffects())
    }

    private func perform(_ effects: [QueueState<QueuedRequest>.Effect]) {
        for effect in effects {
            switch effect {
            case .wasSuspended(let reason): teller.tell(.wasSuspended(reason), of: self)
            case .wasUnsuspended(let reason): teller.tell(.wasUnsuspended(reason), of: self)
            case .didBeginLoading:
                if showsNetworkActivity { activity.begin() }
                teller.tell(.didBeginLoading, of: self)
            case .didFinishLoading:
                if showsNetworkActivity { activity.end() }
                teller.tell(.didFinishLoading, of: self)
            case .start(let request): start(request)
            case .finish(let request, let outcome):
                exchanges[request.id] = nil
                end(request, outcome)
            case .cancel(let request, let wasLoading):
                exchanges.removeValue(forKey: request.id)?.cancel()
                let place = wasLoading ? "it was loading" : "it waited in its queue"
                end(request, .failure(request.error(.cancelled, "the request was cancelled while \(place)")))
            }
        }
        if state.count == 0, let emptiness {
            self.emptiness = nil
            emptiness.set(())
        }
        teller.wake()
    }

    /// The exchange keeps the queue by its closures, and the queue the exchange, until its end.
    private func start(_ request: QueuedRequest) {
        teller.tell(.willSend(request), of: self)
        let exchange = Exchange(request.request) { event in
            let isNews =
                switch event {
                case .didSend: self.teller.tell(.didSend(request), of: self)
                case .progress(let progress): self.teller.tell(.didProgress(request, progress), of: self)
                }
            // Not woken here: most often the outcome follows at once, and is news for them too.
            if isNews { self.inbox.post(nil) }
        } completion: { outcome in
            self.inbox.post(.finish(request, outcome))
        }
        exchanges[request.id] = exchange
        exchange.start()
    }

    private func end(_ request: QueuedRequest, _ outcome: Result<RESTResponse, RequestError>) {
        teller.tell(Event(request, outcome), of: self)
        request.outcome.set(outcome)
    }
}
