import Synchronization

extension Exchange {
    /// Ends it without a response, unless it has its outcome or the cache has one instead.
    func fail(_ failure: TransportFailure) {
        closeTransfers(after: request.method)
        invalidateCacheIfSent()
        // Who waits for an identical request has not asked the cache itself.
        let transfer = state.withLock { ($0.task as? CoalescedTask)?.exchange }
        let standIn = transfer?.state.withLock { $0.standIn(for: failure) }
        end { state in
            (standIn ?? state.standIn(for: failure)).map { .success($0) }
                ?? .failure(state.error(failure, self.request))
        }
    }

    /// A failure with all that is known around it.
    func error(_ failure: TransportFailure) -> RequestError { state.withLock { $0.error(failure, request) } }

    /// Decides the outcome, unless it is decided, and delivers it when the transport was told.
    func end(with outcome: (ExchangeState) -> Result<RESTResponse, RequestError>) {
        let (remains, file) = state.withLock { state -> (ExchangeRemains?, DownloadFile?) in
            guard state.outcome == nil else { return (nil, nil) }
            // The file is gone before anyone hears of the outcome.
            if state.file != nil { state.deliveryHolds += 1 }
            return (state.decide(outcome(state)), state.file.take())
        }
        guard let remains else { return }
        remains.task?.cancel()
        if let file {
            file.discard { self.deliver(releasing: true) }
        } else {
            deliver()
        }
    }

    /// Delivers the outcome, unless somebody has something to do before.
    func deliver(releasing isHolder: Bool = false) {
        let delivery = state.withLock { state in
            if isHolder { state.deliveryHolds -= 1 }
            return state.takeDelivery()
        }
        delivery?()
    }

    /// Puts a download that was received whole in its place, on the file's thread.
    func commit(_ file: DownloadFile, _ response: RESTResponse) {
        let now = Watchdog.shared.now
        state.withLock { $0.deadlines.hold(at: now) }
        file.finish { [self] finished in
            let file: StagedDownload
            do throws(TransportFailure) { file = try finished.get() } catch { return fail(error) }
            // From here on it is too late to cancel.
            let remains = state.withLock { state -> ExchangeRemains? in
                guard state.outcome == nil else { return nil }
                state.deliveryHolds += 1
                return state.decide(.success(response))
            }
            if remains == nil { return }
            var failure: TransportFailure?
            do throws(TransportFailure) { try file.commit() } catch { failure = error }
            if let failure {
                file.discard()
                state.withLock { $0.outcome = .failure($0.error(failure, request)) }
            }
            deliver(releasing: true)
        }
    }

    /// Tells the observer, unless the outcome is decided.
    func tell(_ event: ExchangeEvent) {
        let observer = state.withLock { state -> (@Sendable (ExchangeEvent) -> Void)? in
            guard state.outcome == nil, let observer = state.observer else { return nil }
            state.deliveryHolds += 1
            return observer
        }
        guard let observer else { return }
        observer(event)
        deliver(releasing: true)
    }

    /// Tells that the request went wholly, the first time.
    func tellSent() {
        guard isObserved else { return }
        let isFirst = state.withLock { state in
            defer { state.isSentTold = true }
            return !state.isSentTold
        }
        if isFirst { tell(.didSend) }
    }

    /// Tells how far it is.
    func tellProgress() {
        guard isObserved else { return }
        let (progress, body) = state.withLock { state in
            let progress = RequestProgress(
                bytesSent: state.bytesSent,
                bytesExpectedToSend: state.hop?.body.map(\.length) ?? 0,
                bytesReceived: state.bytesReceived, bytesExpectedToReceive: state.framing?.length)
            return (progress, state.body)
        }
        var withParts = progress
        // It asks code that is not ours.
        withParts.parts = body?.parts(whenSent: progress.bytesSent) ?? []
        tell(.progress(withParts))
    }
}

extension ExchangeState {
    /// A failure with all that is known around it.
    func error(_ failure: TransportFailure, _ request: RESTRequest) -> RequestError {
        RequestError(
            failure.kind, failure.cause, method: hop?.method ?? request.method,
            url: hop?.url ?? request.url ?? request.mistake?.url, phase: phase, bytesSent: bytesSent,
            bytesReceived: bytesReceived, attempts: attempts, underlying: failure.underlying)
    }
}

extension TransportFailure {
    /// A time-out that is over.
    init(timeout kind: RequestError.Kind, limit: Duration, phase: RequestError.Phase) {
        let (name, what) =
            switch kind {
            case .connectTimedOut where phase == .preparing:
                ("connect", "the adapters returned no request after \(limit.inWords)")
            case .connectTimedOut: ("connect", "no connection after \(limit.inWords)")
            case .idleTimedOut: ("idle", "no byte for \(limit.inWords) \(phase.inWords)")
            default: ("total", "no outcome after \(limit.inWords)")
            }
        self.init(kind, "\(what); Timeouts.\(name) is \(limit.inSeconds) s")
    }
}

extension RequestError.Phase {
    fileprivate var inWords: String {
        switch self {
        case .preparing, .connecting: "while the connection was made"
        case .sending: "while the body went"
        case .waiting: "while the response was waited for"
        case .receiving: "while the response came"
        }
    }
}

extension Duration {
    fileprivate var inWords: String { self == .seconds(1) ? "1 second" : "\(inSeconds) seconds" }

    /// As `2`, or `0.25`.
    fileprivate var inSeconds: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let seconds = Double(milliseconds) / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(seconds)"
    }
}
