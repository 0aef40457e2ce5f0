/// A request from its start to its outcome: redirects, timeouts, content codings and limits, with any transport.
///
/// An ``ExchangeMachine`` decides, under a lock, what follows from each event; this class performs its effects outside of
/// the lock, in one loop: the end of a step that returns immediately is the next event. The transport retains it while it
/// runs. The transport, the observer and the completion are never called
/// while the lock is held.
package final class Exchange: TransportHandler, RunningRequest {
    /// The destination of the response body.
    package enum Delivery: Sendable {
        case memory
        /// A file that exists only after success, with the complete body.
        ///
        /// The body of an unsuccessful response is stored in memory, and no file is created.
        case file(URL)
        /// A stream that is read while the body is received.
        case stream(StreamSink)
    }

    /// What an exchange asks of the queue of its request.
    package enum QueueCall: Sendable {
        /// The next attempt is due, which begins with ``sendAgain()``.
        case awaitTurn
        /// The request waits for the foreground and is then sent by another exchange; this one is to be cancelled.
        case putBack
    }

    let request: RESTRequest
    let delivery: Delivery
    let isObserved: Bool
    /// The policy for the background.
    let backgroundPolicy: BackgroundPolicy
    /// The calls of the task that sends the request.
    let sender: UserCalls
    let state: Mutex<ExchangeState>

    /// Creates a request that is not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - delivery: The destination of the response body. Defaults to the destination of the request.
    ///   - followsLifecycle: Whether the policy of the request for the background is applied. Defaults to `false`.
    ///   - sender: The calls of the task that sends the request. Defaults to those of the current task.
    ///   - queue: Called when the queue of the request has to decide. Defaults to `nil`, for a request without a queue: its
    ///     attempts begin when they are due.
    ///   - isListening: Whether the observer uses the events `didSend` and `progress` now; called with a lock held. Defaults to
    ///     `nil`: it always does.
    ///   - observer: Receives the events from `didSend` to `willRetry` in order, on the thread of the transport; it must not
    ///     block. Defaults to `nil`.
    ///   - completion: Receives the outcome once, on any thread; the observer receives no events afterwards.
    package init(
        _ request: RESTRequest, delivery: Delivery? = nil, followsLifecycle: Bool = false,
        sender: UserCalls? = nil, queue: (@Sendable (QueueCall) -> Void)? = nil,
        isListening: (@Sendable () -> Bool)? = nil, observer: (@Sendable (RequestEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        self.request = request
        self.delivery = delivery ?? request.destination.map { .file($0) } ?? .memory
        isObserved = observer != nil
        backgroundPolicy = followsLifecycle ? request.backgroundPolicy.applied(to: delivery) : .none
        self.sender = sender ?? .current
        var rules = ExchangeMachine.Rules(
            timeouts: request.timeouts, retryPolicy: request.retryPolicy, redirectLimit: request.redirectLimit,
            backgroundPolicy: backgroundPolicy, hasAdapters: !request.adapters.isEmpty,
            hasCache: request.cache != nil,
            awaitsCredentials: request.authentication != nil || request.reachabilityObserver != nil,
            isObserved: observer != nil, isQueued: queue != nil)
        if case .stream = delivery { rules.isStreamed = true }
        if request.retryPolicy.attempts > 1 { rules.chance = .random(in: 0...1) }
        let callbacks = ExchangeState.Callbacks(
            queue: queue, isListening: isListening, observer: observer, completion: completion)
        state = Mutex(ExchangeState(machine: ExchangeMachine(rules), callbacks: callbacks))
    }

    /// Starts the request, unless it was cancelled.
    package func start() {
        if backgroundPolicy != .none { followLifecycle() }
        apply(.start)
    }

    /// Cancels the request, unless it has ended.
    package func cancel() { apply(.cancel) }

    /// Starts the next attempt when it is due.
    func sendAgain() { apply(.turn) }

    /// Ends the request with a failure, unless it has ended or a stored response replaces the failure.
    func fail(_ failure: TransportFailure) { apply(.failed(failure)) }

    /// Returns the error of a failure, with the details of the request.
    func error(_ failure: TransportFailure) -> RequestError { state.withLock { $0.error(failure, request) } }
}

extension Exchange: Watched {
    func check(at now: Duration) -> Duration? {
        apply(.check, at: now)
        return state.withLock { $0.machine.nextCheck(after: now) }
    }
}
