/// The state of a queue with the exchanges of its requests; it belongs behind a lock.
struct QueueDriver: Sendable {
    /// What is left to be done for requests that are over, once the lock is free.
    struct Ends {
        var alarms: [Alarm] = []
        var outcomes: [(request: QueuedRequest, outcome: Result<RESTResponse, RequestError>)] = []
        var emptiness: OneTimeValue<Void>?
        /// Let go of outside the lock: the end of a body may run code of others.
        var exchanges: [Exchange] = []
    }

    /// What the state is to be told later.
    enum Alarm {
        case settle(QueuedRequest, attempt: Int)
        case endUndetermined(change: Int, after: Duration)
    }

    /// Who tells of the way to the host.
    struct Reachability {
        let observer: ReachabilityObserver
        /// Whether requests wait while the host cannot be reached.
        let waits: Bool
        let undeterminedLimit: Duration
        /// Keeps the queue listening.
        var listener: ReachabilityListener?
    }

    /// What is done with an exchange while the lock is free.
    enum Step {
        case start(Exchange)
        case sendAgain(Exchange)
        case cancel(Exchange)
    }

    var state: QueueState<QueuedRequest>
    /// Comes when no request is in the queue.
    var emptiness: OneTimeValue<Void>?
    var reachability: Reachability?
    /// The queue, while others than its user will start what waits in it.
    var kept: RequestQueue?
    /// The queue's number at its life cycle.
    var lifecycleNumber: Int?
    /// How long a failure may wait for the news that the network is away: a little longer than systems take to tell.
    static let doubt = Duration.milliseconds(250)

    private let activity: NetworkActivity
    private var exchanges: [QueuedRequest.ID: Exchange] = [:]
    private var steps: [Step] = []
    private var isStepping = false

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

    /// Tells what happened and prepares the steps that follow.
    mutating func takeEnds(
        telling teller: EventTeller, makeExchange: (QueuedRequest, _ attempt: Int, ReachabilityObserver?) -> Exchange
    ) -> Ends {
        var ends = Ends()
        for effect in state.takeEffects() {
            switch effect {
            case .wasSuspended(let reason): teller.tell(.wasSuspended(reason))
            case .wasUnsuspended(let reason): teller.tell(.wasUnsuspended(reason))
            case .didBeginLoading:
                if showsNetworkActivity { activity.begin() }
                teller.tell(.didBeginLoading)
            case .didFinishLoading:
                if showsNetworkActivity { activity.end() }
                teller.tell(.didFinishLoading)
            case .start(let request, let attempt):
                let exchange = makeExchange(request, attempt, reachability?.observer)
                exchanges[request.id] = exchange
                if let earlier = request.carry(exchange) { ends.exchanges.append(earlier) }
                steps.append(.start(exchange))
                teller.tell(.willSend(request), attempt: attempt)
            case .sendAgain(let request):
                request.endBackoff()
                if let exchange = exchanges[request.id] { steps.append(.sendAgain(exchange)) }
            case .finish(let request, let outcome):
                if let exchange = exchanges.removeValue(forKey: request.id) { ends.exchanges.append(exchange) }
                teller.tell(RequestQueue.Event(request, outcome))
                ends.outcomes.append((request, outcome))
            case .cancel(let request, let wasLoading):
                if let exchange = exchanges.removeValue(forKey: request.id) { steps.append(.cancel(exchange)) }
                let place = wasLoading ? "it was loading" : "it waited in its queue"
                let error = request.error(.cancelled, "the request was cancelled while \(place)")
                teller.tell(.didCancel(request, error))
                ends.outcomes.append((request, .failure(error)))
            case .putBack(let request):
                if let exchange = exchanges.removeValue(forKey: request.id) { steps.append(.cancel(exchange)) }
                request.waitAgain()
            case .doubt(let request, let attempt): ends.alarms.append(.settle(request, attempt: attempt))
            case .awaitLink(let change):
                guard let limit = reachability?.undeterminedLimit else { break }
                ends.alarms.append(.endUndetermined(change: change, after: limit))
            }
        }
        if state.count == 0 {
            ends.emptiness = emptiness
            emptiness = nil
        }
        return ends
    }

    /// The exchanges of requests that are loading with a policy.
    func exchanges(with policy: BackgroundPolicy) -> [Exchange] {
        exchanges.sorted { $0.key < $1.key }.map(\.value).filter { $0.request.backgroundPolicy == policy }
    }

    /// The steps that the caller has to do; none if another thread does steps, which does these as well: one after the
    /// other, so that none is started before those were cancelled whose places it takes.
    mutating func takeSteps() -> [Step] { isStepping ? [] : takeMoreSteps() }

    /// The steps since the caller took some; after none, anyone may.
    mutating func takeMoreSteps() -> [Step] {
        defer { steps = [] }
        isStepping = !steps.isEmpty
        return steps
    }
}
