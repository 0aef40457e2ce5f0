/// The state of a queue with the exchanges of its requests; it belongs behind a lock.
struct QueueDriver: Sendable {
    /// What is left to be done for requests that are over, once the lock is free.
    struct Ends {
        var outcomes: [(request: QueuedRequest, outcome: Result<RESTResponse, RequestError>)] = []
        var emptiness: OneTimeValue<Void>?
    }

    /// What is done with an exchange while the lock is free.
    enum Step {
        case start(Exchange)
        case cancel(Exchange)
    }

    var state: QueueState<QueuedRequest>
    /// Comes when no request is in the queue.
    var emptiness: OneTimeValue<Void>?
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
    mutating func takeEnds(telling teller: EventTeller, makeExchange: (QueuedRequest) -> Exchange) -> Ends {
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
            case .start(let request):
                let exchange = makeExchange(request)
                exchanges[request.id] = exchange
                steps.append(.start(exchange))
                teller.tell(.willSend(request))
            case .finish(let request, let outcome):
                exchanges[request.id] = nil
                teller.tell(RequestQueue.Event(request, outcome))
                ends.outcomes.append((request, outcome))
            case .cancel(let request, let wasLoading):
                if let exchange = exchanges.removeValue(forKey: request.id) { steps.append(.cancel(exchange)) }
                let place = wasLoading ? "it was loading" : "it waited in its queue"
                let error = request.error(.cancelled, "the request was cancelled while \(place)")
                teller.tell(.didCancel(request, error))
                ends.outcomes.append((request, .failure(error)))
            }
        }
        if state.count == 0 {
            ends.emptiness = emptiness
            emptiness = nil
        }
        return ends
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
