import Synchronization

extension Exchange {
    /// Ends it without a response, unless it has its outcome.
    func fail(_ failure: TransportFailure) {
        end { state in
            .failure(
                RequestError(
                    failure.kind, failure.cause, method: state.hop?.method ?? self.request.method,
                    url: state.hop?.url ?? self.request.url, phase: state.phase, bytesSent: state.bytesSent,
                    bytesReceived: state.bytesReceived))
        }
    }

    /// Decides the outcome, unless it is decided, and delivers it; the transport is cleaned up behind.
    func end(with outcome: (inout ExchangeState) -> Result<RESTResponse, RequestError>) {
        let (delivery, task) = state.withLock { state -> (OutcomeDelivery?, (any TransportTask)?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome(&state)
            if let watch = state.watch { Watchdog.shared.remove(watch) }
            state.watch = nil
            let task = state.task
            state.task = nil
            state.isTaskUnwanted = true
            return (state.takeDelivery(), task)
        }
        delivery?()
        task?.cancel()
    }

    /// Tells the observer, unless the outcome is decided.
    func tell(_ event: ExchangeEvent) {
        let observer = state.withLock { state -> (@Sendable (ExchangeEvent) -> Void)? in
            guard state.outcome == nil, let observer = state.observer else { return nil }
            state.isTelling = true
            return observer
        }
        guard let observer else { return }
        observer(event)
        let delivery = state.withLock { state in
            state.isTelling = false
            return state.takeDelivery()
        }
        delivery?()
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

extension TransportFailure {
    /// A time-out that is over.
    init(timeout kind: RequestError.Kind, limit: Duration, phase: RequestError.Phase) {
        let (name, what) =
            switch kind {
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
