/// The state of a queue and the exchanges of its requests; protected by the lock of the queue.
struct QueueDriver: Sendable {
    /// The work that a change causes and that is done after the lock is released.
    struct DeferredWork {
        var timers: [Timer] = []
        /// The steps, if this thread performs them.
        var steps: Mailbox<Step>?
        var outcomes: [(request: QueuedRequest, outcome: Result<RESTResponse, RequestError>, exchange: Exchange?)] = []
        var emptiness: OneTimeValue<Void>?
        /// Released outside the lock: the deinitializer of a body may run user code.
        var exchanges: [Exchange] = []
    }

    /// A timer whose expiry changes the state.
    enum Timer {
        case settle(QueuedRequest, attempt: Int)
        case endUndetermined(change: Int, after: Duration)
    }

    /// The observer of the host, and what the queue does while the host is unreachable.
    struct Reachability {
        let observer: ReachabilityObserver
        /// Whether requests wait while the host cannot be reached.
        let waits: Bool
        let undeterminedLimit: Duration
        /// Receives the observer's changes until it is released.
        var listener: ReachabilityListener?
    }

    /// An operation on an exchange, done without the lock.
    enum Step: Sendable {
        case start(Exchange)
        case sendAgain(Exchange)
        case cancel(Exchange)
        case notify(Exchange, ApplicationLifecycle.Event)
    }

    var state: QueueState<QueuedRequest>
    /// Whether the log reports that the queue is suspended and holds requests.
    var isSuspensionReported = false
    /// Set when the queue contains no request; `nil` if no task waits for that.
    var emptiness: OneTimeValue<Void>?
    var reachability: Reachability?
    /// The queue, retained while requests wait for an event other than a call of the user.
    var retainedQueue: RequestQueue?
    /// The number of the queue as a listener of its life cycle.
    var lifecycleNumber: Int?
    /// How long a failed connection waits for a report that the network is unavailable; systems report it slightly later.
    static let failureGracePeriod = Duration.milliseconds(250)

    private let activity: NetworkActivity
    private var exchanges: [QueuedRequest.ID: Exchange] = [:]
    /// Performs the steps, one thread at a time.
    ///
    /// A request is not started before the request whose slot it takes is cancelled. A request that fails as it starts,
    /// such as an invalid one, starts the next one in a loop and not recursively.
    private let steps = Mailbox<Step> { step in
        switch step {
        case .start(let exchange): exchange.start()
        case .sendAgain(let exchange): exchange.sendAgain()
        case .cancel(let exchange): exchange.cancel()
        case .notify(let exchange, let event): exchange.receive(event)
        }
    }

    init(state: QueueState<QueuedRequest>, activity: NetworkActivity) {
        self.state = state
        self.activity = activity
    }

    /// Whether loading counts as activity.
    var showsNetworkActivity = false {
        didSet {
            guard showsNetworkActivity != oldValue, state.loadingCount > 0 else { return }
            showsNetworkActivity ? activity.begin() : activity.end()
        }
    }

    /// Posts the events of the changes, and returns the work that follows from them.
    mutating func takeDeferredWork(
        postingTo dispatcher: EventDispatcher,
        makeExchange: (QueuedRequest, _ attempt: Int, ReachabilityObserver?) -> Exchange
    ) -> DeferredWork {
        var work = DeferredWork()
        func addStep(_ step: Step) { if steps.append(step) { work.steps = steps } }
        let effects = state.takeEffects()
        for effect in effects {
            switch effect {
            case .wasSuspended(let reason): dispatcher.post(.wasSuspended(reason))
            case .wasUnsuspended(let reason): dispatcher.post(.wasUnsuspended(reason))
            case .didBeginLoading:
                if showsNetworkActivity { activity.begin() }
                dispatcher.post(.didBeginLoading)
            case .didFinishLoading:
                if showsNetworkActivity { activity.end() }
                dispatcher.post(.didFinishLoading)
            case .start(let request, let attempt):
                let exchange = makeExchange(request, attempt, reachability?.observer)
                exchanges[request.id] = exchange
                if let earlier = request.attach(exchange) { work.exchanges.append(earlier) }
                addStep(.start(exchange))
                dispatcher.post(.willSend(request), attempt: attempt)
            case .sendAgain(let request):
                request.endBackoff()
                if let exchange = exchanges[request.id] { addStep(.sendAgain(exchange)) }
            case .finish(let request, let outcome):
                let exchange = exchanges.removeValue(forKey: request.id)
                dispatcher.post(RequestQueue.Event(request, .didFinish(outcome)))
                work.outcomes.append((request, outcome, exchange))
            case .cancel(let request, let wasLoading):
                if let exchange = exchanges.removeValue(forKey: request.id) { addStep(.cancel(exchange)) }
                let place = wasLoading ? "it was loading" : "it waited in its queue"
                let error = request.error(.cancelled, "the request was cancelled while \(place)")
                dispatcher.post(.didCancel(request, error))
                work.outcomes.append((request, .failure(error), nil))
            case .putBack(let request):
                if let exchange = exchanges.removeValue(forKey: request.id) { addStep(.cancel(exchange)) }
                if let earlier = request.requeue() { work.exchanges.append(earlier) }
            case .holdFailure(let request, let attempt): work.timers.append(.settle(request, attempt: attempt))
            case .awaitLink(let change):
                guard let limit = reachability?.undeterminedLimit else { break }
                work.timers.append(.endUndetermined(change: change, after: limit))
            }
        }
        state.reuse(consume effects)
        if state.count == 0 { work.emptiness = emptiness.take() }
        return work
    }

    /// Notifies the loading requests of an event, in the order of their identifiers.
    ///
    /// - Returns: The steps, if this thread performs them.
    func addSteps(for event: ApplicationLifecycle.Event) -> Mailbox<Step>? {
        var isFirst = false
        for (_, exchange) in exchanges.sorted(by: { $0.key < $1.key }) where exchange.backgroundPolicy != .none {
            if steps.append(.notify(exchange, event)) { isFirst = true }
        }
        return isFirst ? steps : nil
    }
}
