/// The state of a queue with the exchanges of its requests; it belongs behind a lock.
struct QueueDriver: Sendable {
    /// What is left to be done for requests that are over, once the lock is free.
    struct Ends {
        var stopped: [Exchange] = []
        var outcomes: [(request: QueuedRequest, outcome: Result<RESTResponse, RequestError>)] = []
        var emptiness: OneTimeValue<Void>?
    }

    var state: QueueState<QueuedRequest>
    /// Comes when no request is in the queue.
    var emptiness: OneTimeValue<Void>?
    private let activity: NetworkActivity
    private var exchanges: [QueuedRequest.ID: Exchange] = [:]
    private var starts: [Exchange] = []
    private var isStarting = false

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

    /// Tells what happened and prepares what is to be started.
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
                starts.append(exchange)
                teller.tell(.willSend(request))
            case .finish(let request, let outcome):
                exchanges[request.id] = nil
                teller.tell(RequestQueue.Event(request, outcome))
                ends.outcomes.append((request, outcome))
            case .cancel(let request, let wasLoading):
                if let exchange = exchanges.removeValue(forKey: request.id) { ends.stopped.append(exchange) }
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

    /// What the caller has to start; nothing if another thread is about to.
    mutating func takeStarts() -> [Exchange] { isStarting ? [] : takeMoreStarts() }

    /// What is to be started since the caller took some; after nothing, anyone may.
    mutating func takeMoreStarts() -> [Exchange] {
        defer { starts = [] }
        isStarting = !starts.isEmpty
        return starts
    }
}
