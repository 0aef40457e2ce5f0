/// A request from its start to its outcome: redirects, timeouts, content codings and limits, with any transport.
///
/// An ``ExchangeMachine`` decides, under a lock, what follows from each event; this class performs its effects outside of
/// the lock. The transport retains it while it runs. The transport, the observer and the completion are never called
/// while the lock is held.
package final class Exchange: TransportHandler {
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

    let request: RESTRequest
    let delivery: Delivery
    let isObserved: Bool
    /// The policy for the background; `none` if a queue applies it.
    let backgroundPolicy: BackgroundPolicy
    /// The token that is refreshed by the task that sends the request.
    let refreshed: ObjectIdentifier?
    let state: Mutex<ExchangeState>

    /// Creates a request that is not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - delivery: The destination of the response body. Defaults to the destination of the request.
    ///   - followsLifecycle: Whether the policy of the request for the background is applied. Defaults to `false`.
    ///   - refreshed: The token that the task of the sender refreshes. Defaults to that of the current task.
    ///   - awaitTurn: Called when the next attempt is due, which then begins with ``sendAgain()``. Defaults to `nil`, with
    ///     which it begins immediately.
    ///   - observer: Receives the events from `didSend` to `willRetry` in order, on the thread of the transport; it must not
    ///     block. Defaults to `nil`.
    ///   - completion: Receives the outcome once, on any thread; the observer receives no events afterwards.
    package init(
        _ request: RESTRequest, delivery: Delivery? = nil, followsLifecycle: Bool = false,
        refreshed: ObjectIdentifier? = BearerToken.refreshed, awaitTurn: (@Sendable () -> Void)? = nil,
        observer: (@Sendable (RequestEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        self.request = request
        self.delivery = delivery ?? request.destination.map { .file($0) } ?? .memory
        isObserved = observer != nil
        backgroundPolicy = followsLifecycle ? request.backgroundPolicy.applied(to: delivery) : .none
        self.refreshed = request.authentication == nil ? nil : refreshed
        var rules = ExchangeMachine.Rules(
            timeouts: request.timeouts, retryPolicy: request.retryPolicy, redirectLimit: request.redirectLimit,
            backgroundPolicy: backgroundPolicy, hasAdapters: !request.adapters.isEmpty,
            hasCache: request.cache != nil, isObserved: observer != nil, awaitsTurn: awaitTurn != nil)
        if case .stream = delivery { rules.isStreamed = true }
        if request.retryPolicy.attempts > 1 { rules.chance = .random(in: 0...1) }
        let callbacks = ExchangeState.Callbacks(awaitTurn: awaitTurn, observer: observer, completion: completion)
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

extension Exchange {
    /// Processes an event, and performs what follows from it.
    func apply(_ input: ExchangeMachine.Input, at now: Duration = Watchdog.shared.now) {
        apply(at: now) { _ in input }
    }

    /// Changes the resources together with an event; does nothing after the end, or if there is no event.
    func apply(
        at now: Duration = Watchdog.shared.now, _ change: (inout ExchangeState) -> ExchangeMachine.Input?
    ) {
        effects(at: now, change).forEach(perform)
    }

    func effects(
        at now: Duration, _ change: (inout ExchangeState) -> ExchangeMachine.Input?
    ) -> ExchangeMachine.Effects {
        state.withLock { state in
            var effects = ExchangeMachine.Effects()
            if let input = change(&state) { state.machine.handle(input, at: now, into: &effects) }
            return effects
        }
    }

    func perform(_ effect: ExchangeMachine.Effect) {
        switch effect {
        case .begin: begin()
        case .join(let number): join(number)
        case .adapt(let number): adapt(number)
        case .transmit(let number): transmit(number)
        case .cancelTask:
            let task = state.withLock { $0.task.take() }
            task?.cancel()
            // The end of the identical request is not reported to a request that no longer waits for it.
            if task is CoalescedTask { apply(.joinedEnded) }
        case .resume(let count):
            let task = state.withLock { $0.task }
            for _ in 0..<count { task?.resume() }
        case .lookUp: lookUp()
        case .authorize(let isAnswer): authorize(isAnswer: isAnswer)
        case .redirect: redirect()
        case .reopenBody(let isBlocking): reopenBody(isBlocking: isBlocking)
        case .backOff(let retry): backOff(retry)
        case .receiveBody: receiveBody()
        // Released outside the lock, because its deinitializer can run user code.
        case .dropBody: _ = state.withLock { $0.body.take() }
        // Performed by the function that has the bytes or the event.
        case .consume, .notifyJoined: break
        case .finishBody: finishBody()
        case .conclude: conclude()
        case .save: save()
        case .commit: commit()
        case .notifySent: notify(.didSend)
        case .notifyProgress: notify(.progress(progress))
        case .notifyRetry(let retry): notify(.willRetry(notice(of: retry)))
        case .awaitTurn: call { $0.awaitTurn?() }
        case .end(let ending): end(ending)
        case .deliver: deliver()
        case .report(let input, let stage): report(input, stage)
        }
    }

    /// Registers a task when its start has returned, unless it has ended.
    func register(_ task: (any TransportTask)?, _ number: Int) {
        apply { state in
            if state.machine.isRunning(number) { state.task = task }
            return .started(number)
        }
    }

    /// Reports a defect in debug builds.
    private func report(_ input: ExchangeMachine.Input, _ stage: ExchangeMachine.Stage) {
        #if DEBUG
            LogMessage.log(.requestQueue, .error, "unexpected event '\(input)' in the state '\(stage)'")
        #endif
    }
}
