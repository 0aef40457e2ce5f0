import Synchronization

/// A request that is sent without a queue and obeys its ``BackgroundPolicy``: each time it is put back, the next exchange
/// carries it.
///
/// Its life cycle keeps it until it has its outcome.
final class UnqueuedRequest: RequestCarrier {
    private enum Stage {
        case running
        /// It is being put back: another exchange follows when this one has ended.
        case stopping
        /// It waits for its start, or for the foreground.
        case waiting
        case over
    }

    private typealias Completion = @Sendable (Result<RESTResponse, RequestError>) -> Void

    private struct State {
        var stage = Stage.waiting
        /// Who is told; nobody after the outcome, so that they may hold the request's handle.
        var observer: (@Sendable (ExchangeEvent) -> Void)?
        var completion: Completion?
        /// The last one that was made.
        var exchange: Exchange?
        /// Its number at the life cycle.
        var number: Int?
        var isInBackground = false
        var isCancelled = false
        var isContinuing = false
    }

    private let request: RESTRequest
    private let policy: BackgroundPolicy
    private let delivery: Exchange.Delivery?
    private let state: Mutex<State>

    init(
        _ request: RESTRequest, delivery: Exchange.Delivery?, observer: (@Sendable (ExchangeEvent) -> Void)?,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        self.request = request
        self.delivery = delivery
        state = Mutex(State(observer: observer, completion: completion))
        policy = request.backgroundPolicy(for: delivery)
    }

    var exchange: Exchange { state.withLock { $0.exchange ?? makeExchange(&$0) } }

    func start() {
        state.withLock { state in
            guard policy == .continue, state.stage != .over else { return }
            state.isContinuing = true
            request.lifecycle.beginContinuing()
        }
        // Who is sent in the background is not cancelled for being there.
        let number = request.lifecycle.add(catchingUp: policy == .requeue) { self.receive($0) }
        let isOver = state.withLock { state in
            state.number = number
            return state.stage == .over
        }
        if isOver { request.lifecycle.remove(number) } else { startExchange() }
    }

    func cancel() {
        let exchange = state.withLock { state in
            state.isCancelled = true
            return state.stage == .waiting ? makeExchange(&state) : state.exchange
        }
        exchange?.cancel()
    }

    private func receive(_ event: ApplicationLifecycle.Event) {
        let exchange = state.withLock { state -> Exchange? in
            switch event {
            case .didEnterBackground: state.isInBackground = true
            case .willEnterForeground: state.isInBackground = false
            case .backgroundTimeExpired: break
            }
            guard state.stage == .running else { return nil }
            if event == .didEnterBackground, policy == .requeue { state.stage = .stopping }
            return state.exchange
        }
        switch (event, policy) {
        case (.didEnterBackground, .cancel), (.didEnterBackground, .requeue): exchange?.cancel()
        case (.backgroundTimeExpired, .continue): exchange?.fail(.backgroundTimedOut)
        case (.willEnterForeground, .requeue): startExchange()
        default: break
        }
    }

    /// Starts the next exchange, if it is its time.
    private func startExchange() {
        let exchange = state.withLock { state -> Exchange? in
            guard state.stage == .waiting, !state.isCancelled, policy != .requeue || !state.isInBackground else {
                return nil
            }
            state.stage = .running
            return makeExchange(&state)
        }
        exchange?.start()
    }

    private func makeExchange(_ state: inout State) -> Exchange {
        let exchange = Exchange(request, delivery: delivery, observer: state.observer) { self.receive($0) }
        state.exchange = exchange
        return exchange
    }

    /// The end of an exchange: the outcome, unless it was stopped to be followed by another, and no response came first.
    private func receive(_ outcome: Result<RESTResponse, RequestError>) {
        if isPutBack(after: outcome) { startExchange() } else { finish(outcome) }
    }

    private func isPutBack(after outcome: Result<RESTResponse, RequestError>) -> Bool {
        guard case .failure = outcome else { return false }
        return state.withLock { state in
            guard state.stage == .stopping, !state.isCancelled else { return false }
            state.stage = .waiting
            return true
        }
    }

    private func finish(_ outcome: Result<RESTResponse, RequestError>) {
        // Completion and observer are let go of outside the lock: what they hold may run code of others.
        let (completion, observer, number, isContinuing) = state.withLock { state in
            state.stage = .over
            return (state.completion.take(), state.observer.take(), state.number, state.isContinuing)
        }
        guard let completion else { return }
        if let number { request.lifecycle.remove(number) }
        withExtendedLifetime(observer) { completion(outcome) }
        if isContinuing { request.lifecycle.endContinuing() }
    }
}

extension RESTRequest {
    /// The policy for the background: what a reader has received of a stream cannot be taken back.
    func backgroundPolicy(for delivery: Exchange.Delivery?) -> BackgroundPolicy {
        if case .stream = delivery, backgroundPolicy == .requeue { .cancel } else { backgroundPolicy }
    }
}

extension TransportFailure {
    /// That the system gives no more time in the background.
    static let backgroundTimedOut = TransportFailure(
        .backgroundTimedOut, "the system gives no more time in the background; its policy is BackgroundPolicy.continue")
}
