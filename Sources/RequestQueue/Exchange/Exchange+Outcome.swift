extension Exchange {
    /// Stores the outcome, and releases the resources of the request.
    func end(_ ending: ExchangeMachine.Ending) -> Effects {
        guard case .failure(let failure) = ending else { return end(with: nil) }
        closeTransfers(after: request.method)
        invalidateCacheIfSent()
        // A request that waits for an identical one has performed no cache lookup.
        let identical = state.withLock { $0.identical.request }
        let stored = identical?.storedResponse(insteadOf: failure) ?? storedResponse(insteadOf: failure)
        let error = error(failure)
        guard let stored, let cache = request.cache else { return end(with: .failure(error)) }
        cache.enqueue { self.run(self.end(with: stored().map { .success($0) } ?? .failure(error))) }
        return Effects()
    }

    /// - Parameter outcome: The outcome; `nil` if it is already stored.
    private func end(with outcome: Result<RESTResponse, RequestError>?) -> Effects {
        let now = Watchdog.shared.now
        let (file, resources, effects) = state.withLock { state in
            if let outcome { state.outcome = outcome }
            if let watch = state.registrations.watch.take() { Watchdog.shared.remove(watch) }
            // A body that was opened for the next attempt is not sent.
            let body = state.hop?.body.take()
            state.identical.request = nil
            let (file, resources) = (state.download.file.take(), (state.takeResources(), body))
            // A file is removed before the outcome is delivered.
            return (file, resources, file == nil ? state.handle(.released, at: now) : Effects())
        }
        withExtendedLifetime(resources) {}
        file?.discard { self.apply(.released) }
        return effects
    }

    /// Delivers the outcome.
    func deliver() {
        let (outcome, callbacks, listener) = state.withLock { state in
            (state.outcome.take(), state.callbacks.take(), state.registrations.listener.take())
        }
        if let listener { request.lifecycle.remove(listener) }
        guard var outcome, let callbacks else { return }
        if case .success(var response) = outcome {
            // Always, because an identical request can have others.
            response.values = request.settings.values
            outcome = .success(response)
        }
        log(outcome)
        withExtendedLifetime(callbacks) { callbacks.completion(outcome) }
        endContinuing()
        request.activeRequests?.remove(self)
    }

    private func log(_ outcome: Result<RESTResponse, RequestError>) {
        switch outcome {
        case .success(let response):
            LogMessage.log(.requestQueue, .debug, "\(response.summary), in \(response.metrics.total)")
        case .failure(let error):
            LogMessage.log(.requestQueue, error.kind == .cancelled ? .debug : .error, error.description)
        }
    }

    /// Flushes a complete download to the disk, on the thread of the file.
    func save() {
        state.withLock { $0.download.file }?.finish { [self] finished in
            switch finished {
            case .success(let staged):
                apply { state in
                    state.download.staged = staged
                    return .saved
                }
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// Moves a complete download to its destination.
    func commit() -> Effects {
        let staged = state.withLock { state in
            state.download.file = nil
            return state.download.staged.take()
        }
        var failure: TransportFailure?
        do throws(TransportFailure) { try staged?.commit() } catch {
            failure = error
            staged?.discard()
        }
        return effects(.committed(failure))
    }

    /// Notifies the observer, unless the outcome is decided.
    func notify(_ event: RequestEvent) -> Effects { call { $0.observer?(event) } }

    /// Calls a closure of the sender, unless the outcome is decided.
    func call(_ body: (ExchangeState.Callbacks) -> Void) -> Effects {
        let callbacks = state.withLock { $0.machine.isEnded ? nil : $0.callbacks }
        if let callbacks { body(callbacks) }
        return effects(.released)
    }

    var progress: RequestProgress {
        let (progress, body) = state.withLock { state -> (RequestProgress, SendingBody?) in
            if let joined = state.identical.progress { return (joined, nil) }
            let transfer = state.machine.transfer
            // The outcome has released the body of the hop.
            let body = state.machine.message.hasBody && state.machine.isEnded ? request.body?.length : 0
            let progress = RequestProgress(
                bytesSent: transfer.bytesSent, bytesExpectedToSend: state.hop?.body.map(\.length) ?? body,
                bytesReceived: transfer.bytesReceived, bytesExpectedToReceive: state.received.framing?.length)
            return (progress, state.body)
        }
        guard let body else { return progress }
        var withParts = progress
        // The body stream can be user code.
        withParts.parts = body.parts(whenSent: progress.bytesSent)
        return withParts
    }

    func notice(of retry: ExchangeMachine.Retry) -> RequestRetry {
        let attempt = state.withLock { $0.machine.course.attempts } + 1
        let reason: RequestRetry.Reason =
            switch retry.reason {
            case .status(let status): .status(status)
            case .failure(let failure): .failure(error(failure))
            }
        return RequestRetry(attempt: attempt, delay: retry.delay, reason: reason)
    }
}
