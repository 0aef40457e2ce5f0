import Synchronization

/// One request from its start to its one outcome: redirects, time-outs, content codings and limits, over any transport.
///
/// The transport holds it while it runs. Whatever ends it first, a finish, a time-out or a cancellation, decides the
/// outcome under the lock; what comes later is passed over. Neither transport nor observer nor completion is called while
/// the lock is held.
package final class Exchange: TransportHandler {
    /// Where the body of the response goes.
    package enum Delivery: Sendable {
        case memory
        /// A file that is there, whole, only after success.
        ///
        /// A response that is no success has its body in memory, and there is no file.
        case file(URL)
        /// Who takes it while it comes.
        case stream(StreamSink)
    }

    let request: RESTRequest
    let delivery: Delivery
    let isObserved: Bool
    /// Whether the observer decides when the next attempt begins.
    let awaitsTurn: Bool
    /// The token that is being refreshed by the task that sends the request.
    let refreshed: ObjectIdentifier?
    let state: Mutex<ExchangeState>

    /// - Parameters:
    ///   - delivery: Receives the body of the response. Defaults to the destination of the request.
    ///   - awaitsTurn: Whether the observer decides when the next attempt begins. Defaults to `false`.
    ///   - observer: Told of what happens, in order, by the transport's thread; it must not block.
    ///   - completion: Told of the outcome, once, on any thread; nothing is told to the observer afterwards.
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

    /// Begins; nothing happens if it has been cancelled.
    package func start() {
        let hop: TransportRequest
        var file: DownloadFile?
        do throws(TransportFailure) {
            hop = try TransportRequest(checking: request)
            // A place that cannot be written to is told before the server does anything.
            if case .file(let url) = delivery { file = try DownloadFile(for: url) }
        } catch { return fail(error) }
        let now = Watchdog.shared.now
        let isRunning = state.withLock { [file] state in
            guard state.outcome == nil, state.hop == nil else { return false }
            state.hop = hop
            state.file = file
            state.deadlines = Deadlines(request.timeouts, start: now)
            if let due = state.deadlines.nextCheck(after: now) { state.watch = Watchdog.shared.add(self, due: due) }
            return true
        }
        guard isRunning else {
            file?.discard {}
            return
        }
        if !joinsTransfer(hop, at: now) { send(hop, at: now) }
    }

    /// Ends it as cancelled, unless it has its outcome.
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
