import Synchronization

/// A request from its start to its outcome: redirects, timeouts, content codings and limits, with any transport.
///
/// The transport retains it while it runs. The first of completion, timeout and cancellation decides the outcome under
/// the lock; later events are ignored. The transport, the observer and the completion are never called while the lock
/// is held.
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
    /// Whether the observer decides when the next attempt begins.
    let awaitsTurn: Bool
    /// The token that is refreshed by the task that sends the request.
    let refreshed: ObjectIdentifier?
    let state: Mutex<ExchangeState>

    /// Creates a request that is not started.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - delivery: The destination of the response body. Defaults to the destination of the request.
    ///   - awaitsTurn: Whether the observer decides when the next attempt begins. Defaults to `false`.
    ///   - observer: Receives events in order, on the thread of the transport; it must not block. Defaults to `nil`.
    ///   - completion: Receives the outcome once, on any thread; the observer receives no events afterwards.
    package init(
        _ request: RESTRequest, delivery: Delivery? = nil, awaitsTurn: Bool = false,
        observer: (@Sendable (ExchangeEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) {
        self.request = request
        self.delivery = delivery ?? request.destination.map { .file($0) } ?? .memory
        isObserved = observer != nil
        self.awaitsTurn = awaitsTurn
        refreshed = request.authentication == nil ? nil : BearerToken.refreshed
        state = Mutex(ExchangeState(observer: observer, completion: completion))
    }

    /// Starts the request, unless it was cancelled.
    package func start() {
        let hop: TransportRequest
        var file: DownloadFile?
        do throws(TransportFailure) {
            hop = try TransportRequest(checking: request)
            // A destination that is not writable is reported before the request is sent.
            if case .file(let url) = delivery { file = try DownloadFile(for: url) }
        } catch { return fail(error) }
        let now = Watchdog.shared.now
        let isRunning = state.withLock { [file] state -> Bool? in
            guard state.outcome == nil, state.hop == nil else { return false }
            if request.activeRequests?.add(self) == false { return nil }
            state.hop = hop
            state.file = file
            state.deadlines = Deadlines(request.timeouts, start: now)
            if let due = state.deadlines.nextCheck(after: now) { state.watch = Watchdog.shared.add(self, due: due) }
            return true
        }
        guard isRunning == true else {
            file?.discard {}
            if isRunning == nil { fail(TransportFailure(.clientShutDown, "create another client for later requests")) }
            return
        }
        if !joinsTransfer(hop, at: now) { send(hop, at: now) }
    }

    /// Cancels the request, unless it has ended.
    package func cancel() { fail(TransportFailure(.cancelled, "the request was cancelled")) }
}

extension Exchange: Watched {
    func check(at now: Duration) -> Duration? {
        let (next, failure) = state.withLock { state -> (Duration?, TransportFailure?) in
            guard state.outcome == nil else { return (nil, nil) }
            guard let (kind, limit) = state.deadlines.expired(at: now) else {
                return (state.deadlines.nextCheck(after: now), nil)
            }
            return (nil, TransportFailure(timeout: kind, limit: limit, phase: state.phase))
        }
        guard let failure else { return next }
        if failure.kind != .timedOut, giveUpHop(for: failure, at: now) {
            return state.withLock { $0.deadlines.nextCheck(after: now) }
        }
        fail(failure)
        return nil
    }
}
