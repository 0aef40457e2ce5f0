extension Exchange {
    package func transportIsWaiting(_ isWaiting: Bool) { apply(.queued(isWaiting)) }

    package func transportDidConnect() { apply { .connected(isBodySent: $0.isBodySent) } }

    package func transportDidSend(_ bytes: Int64) { apply { .sent(bytes, isBodySent: $0.isBodySent(bytes)) } }

    package func transportDidReceiveHeadBytes() { apply(.headBytes) }

    package func transportDidReceive(_ head: ResponseHead) {
        let now = Watchdog.shared.now
        let (effects, hop) = state.withLock { state in
            let effects = state.handle(.headReceived, at: now)
            // Data of an abandoned hop is ignored.
            return (effects, state.machine.isReadingHead ? state.hop : nil)
        }
        run(effects)
        guard let hop else { return }
        request.cookies?.receive(head.headers, from: hop.url)
        invalidateCache(by: head, to: hop)
        closeTransfers(after: hop.method)
        do throws(TransportFailure) {
            let framing = try ResponseFraming(head, method: hop.method, isDecoded: request.isDecoded)
            let answer = try challengeAnswer(to: head, hop)
            let redirect = try answer == nil ? redirect(to: head, hop) : nil
            let mayRetry = request.retryPolicy.attempts > 1
            let retryAfter = mayRetry ? head.retryAfter(now: Date()) : nil
            let decision = mayRetry ? request.retryPolicy.decision(after: head) : .standard
            apply(at: now) { state in
                state.received = ExchangeState.Received(
                    head: head, framing: framing, answer: answer, redirect: redirect, metrics: state.received.metrics)
                return .head(
                    ExchangeMachine.Head(
                        status: head.status, hasBody: framing.hasBody, length: framing.length,
                        offer: answer != nil ? .credentials : redirect != nil ? .redirect : nil,
                        retryAfter: retryAfter, decision: decision, isBodySent: state.isBodySent))
            }
        } catch { fail(error) }
    }

    package func transportDidReceive(_ bytes: RawSpan) -> Bool {
        let now = Watchdog.shared.now
        let count = Int64(bytes.byteCount)
        let (effects, sink, isListening) = state.withLock { state in
            (state.handle(.bytes(count), at: now), state.sink, isObserved && state.machine.isListening)
        }
        guard effects.isConsumption else {
            run(effects)
            return true
        }
        guard let sink else { return true }
        do throws(TransportFailure) {
            let mayContinue = try sink.receive(bytes)
            if !mayContinue || isListening { apply(.consumed(isFull: !mayContinue), at: now) }
            return mayContinue
        } catch {
            fail(error)
            return true
        }
    }

    package func transportDidCollect(_ metrics: RequestMetrics) { state.withLock { $0.received.metrics = metrics } }

    package func transportDidFinish(_ failure: TransportFailure?) {
        var (task, body): ((any TransportTask)?, SendingBody?)
        let effects = effects(at: Watchdog.shared.now) { state in
            let isBodySent = state.isBodySent
            task = state.task.take()
            if state.machine.transfer.next != nil { body = state.body.take() }
            return .finished(failure, isBodySent: isBodySent)
        }
        // Released outside the lock, and before the request is sent again: their deinitializers can cancel it.
        withExtendedLifetime((task, body)) { (task, body) = (nil, nil) }
        run(effects)
    }

    /// Resumes the transfer after the reader of a stream has consumed the buffered bytes.
    ///
    /// - Parameter refusals: The number of times that the transport was paused.
    func resumeReceiving(after refusals: Int) { apply(.resumed(refusals)) }

    private func redirect(to head: ResponseHead, _ hop: TransportRequest) throws(TransportFailure) -> Redirect? {
        request.redirectLimit > 0 ? try Redirect(head, to: hop, policy: request.redirectPolicy) : nil
    }

    /// Prepares the destination of the body.
    func receiveBody() -> Effects {
        do throws(TransportFailure) {
            if case .memory = delivery {
                try state.withLock { state throws(TransportFailure) in try state.receiveInMemory(request.limits) }
            } else {
                try receiveElsewhere()
            }
            return Effects()
        } catch { return effects(.failed(error)) }
    }

    private func receiveElsewhere() throws(TransportFailure) {
        let (response, framing, file) = state.withLock { state in
            (state.response(body: Data()), state.received.framing, state.download.file)
        }
        guard let response, let framing else { return }
        let sink: any ResponseSink
        // A response without content does not replace the file.
        if response.isSuccessful, framing.hasBody, response.status != 205, let file {
            if response.attempts > 1 { file.empty() }
            sink = FileSink(file, framing, limits: request.limits) { [weak self] sink, refusals in
                // The bytes of an earlier attempt do not pause this one.
                self?.apply { $0.sink === sink ? .resumed(refusals) : nil }
            }
        } else if case .stream(let stream) = delivery {
            stream.begin(StreamSink.Head(response: response, framing: framing))
            sink = stream
        } else {
            return try state.withLock { state throws(TransportFailure) in try state.receiveInMemory(request.limits) }
        }
        state.withLock { if !$0.machine.isEnded { $0.sink = sink } }
    }

    /// Completes the body, and creates the response.
    func finishBody() -> Effects {
        let now = Watchdog.shared.now
        return effects(at: now) { state in
            guard !state.machine.isEnded else { return nil }
            do throws(TransportFailure) {
                let body = try state.sink?.finish() ?? Data()
                state.received.metrics.total = state.machine.deadlines.elapsed(at: now)
                state.outcome = state.response(body: body).map { .success($0) }
                return .received(isFile: state.sink is FileSink)
            } catch { return .failed(error) }
        }
    }

    /// Returns the authentication for a hop.
    ///
    /// It applies only to the origin of the request, and only if the request has no credentials itself.
    func authentication(for hop: TransportRequest) -> Authentication? {
        guard let authentication = request.authentication, hop.headers["Authorization"] == nil,
            // A request that is redirected back to its origin has lost its own field, and must not receive other
            // credentials.
            request.headers["Authorization"] == nil, let origin = request.url?.absoluteURL,
            origin.user(percentEncoded: true) == nil, hop.url.isSameOrigin(as: origin)
        else { return nil }
        return authentication
    }

    /// Returns the step that answers the challenge in a response; `nil` if it requires no answer.
    func challengeAnswer(
        to head: ResponseHead, _ hop: TransportRequest
    ) throws(TransportFailure) -> Authentication.Step? {
        guard let authentication = authentication(for: hop) else { return nil }
        let (sent, answers) = state.withLock { ($0.credentials.authorization, $0.machine.course.answers) }
        guard head.status == 401 else {
            if let sent { authentication.accept(sent, head) }
            return nil
        }
        return try authentication.answer(to: head, hop, sent: sent, answers: answers)
    }
}
