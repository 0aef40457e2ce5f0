import Synchronization

extension Exchange {
    /// Ends the request with a failure, unless it has ended or a stored response replaces the failure.
    func fail(_ failure: TransportFailure) {
        closeTransfers(after: request.method)
        invalidateCacheIfSent()
        // A request that waits for an identical one has performed no cache lookup.
        let transfer = state.withLock { ($0.task as? CoalescedTask)?.exchange }
        let standIn = transfer?.state.withLock { $0.standIn(for: failure) }
        end { state in
            (standIn ?? state.standIn(for: failure)).map { .success($0) }
                ?? .failure(state.error(failure, self.request))
        }
    }

    /// Returns the error of a failure, with the details of the request.
    func error(_ failure: TransportFailure) -> RequestError { state.withLock { $0.error(failure, request) } }

    /// Decides the outcome, unless it is decided, and delivers it when the transport permits.
    func end(with outcome: (ExchangeState) -> Result<RESTResponse, RequestError>) {
        let (remains, file) = state.withLock { state -> (ExchangeRemains?, DownloadFile?) in
            guard state.outcome == nil else { return (nil, nil) }
            // The file is removed before the outcome is delivered.
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

    /// Delivers the outcome if nothing holds its delivery.
    func deliver(releasing isHolder: Bool = false) {
        let delivery = state.withLock { state in
            if isHolder { state.deliveryHolds -= 1 }
            return state.takeDelivery()
        }
        guard let delivery else { return }
        delivery.log()
        delivery()
        request.activeRequests?.remove(self)
    }

    /// Moves a complete download to its destination, on the thread of the file.
    func commit(_ file: DownloadFile, _ response: RESTResponse) {
        let now = Watchdog.shared.now
        state.withLock { $0.deadlines.hold(at: now) }
        file.finish { [self] finished in
            let file: StagedDownload
            do throws(TransportFailure) { file = try finished.get() } catch { return fail(error) }
            // After this point, the request can no longer be cancelled.
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

    /// Notifies the observer, unless the outcome is decided.
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

    /// Notifies the observer that the request was sent completely, the first time.
    func tellSent() {
        guard isObserved else { return }
        let isFirst = state.withLock { state in
            defer { state.isSentTold = true }
            return !state.isSentTold
        }
        if isFirst { tell(.didSend) }
    }

    /// Notifies the observer of the progress.
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
        // The body stream can be user code.
        withParts.parts = body?.parts(whenSent: progress.bytesSent) ?? []
        tell(.progress(withParts))
    }
}

extension ExchangeState {
    /// Returns the error of a failure, with the details of the request.
    func error(_ failure: TransportFailure, _ request: RESTRequest) -> RequestError {
        RequestError(
            failure.kind, failure.cause, method: hop?.method ?? request.method,
            url: hop?.url ?? request.url ?? request.mistake?.url, phase: phase, bytesSent: bytesSent,
            bytesReceived: bytesReceived, attempts: attempts, underlying: failure.underlying)
    }
}

extension TransportFailure {
    /// Creates the failure of an expired timeout.
    init(timeout kind: RequestError.Kind, limit: Duration, phase: RequestError.Phase) {
        let (name, what) =
            switch kind {
            case .connectTimedOut where phase == .preparing:
                ("connect", "the adapters returned no request after \(limit.inWords)")
            case .connectTimedOut: ("connect", "no connection after \(limit.inWords)")
            case .idleTimedOut: ("idle", "no byte for \(limit.inWords) \(phase.inWords)")
            default: ("total", "not completed after \(limit.inWords)")
            }
        self.init(kind, "\(what); Timeouts.\(name) is \(limit.inSeconds) s")
    }
}

extension RequestError.Phase {
    fileprivate var inWords: String {
        switch self {
        case .preparing, .connecting: "while connecting"
        case .sending: "while sending the body"
        case .waiting: "while waiting for the response"
        case .receiving: "while receiving the response"
        }
    }
}

extension Duration {
    fileprivate var inWords: String { self == .seconds(1) ? "1 second" : "\(inSeconds) seconds" }

    /// The number of seconds, such as `2` or `0.25`.
    fileprivate var inSeconds: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let seconds = Double(milliseconds) / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(seconds)"
    }
}
