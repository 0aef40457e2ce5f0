extension Exchange {
    package func transportIsWaiting(_ isWaiting: Bool) { apply(.queued(isWaiting)) }

    package func transportDidConnect() { apply { .connected(isBodySent: $0.isBodySent) } }

    package func transportDidSend(_ bytes: Int64) { apply { .sent(bytes, isBodySent: $0.isBodySent(bytes)) } }

    package func transportDidReceiveHeadBytes() { apply(.headBytes) }

    package func transportDidReceive(_ head: ResponseHead) {
        let now = Watchdog.shared.now
        apply(.headReceived, at: now)
        // Data of an abandoned hop is ignored.
        let hop = state.withLock { $0.machine.isReadingHead ? $0.hop : nil }
        guard let hop else { return }
        request.cookies?.receive(head.headers, from: hop.url)
        invalidateCache(by: head, to: hop)
        closeTransfers(after: hop.method)
        do throws(TransportFailure) {
            let framing = try ResponseFraming(head, method: hop.method, isDecoded: request.isDecoded)
            let credentials = try challengeAnswer(to: head, hop)
            let redirect = try credentials == nil ? redirect(to: head, hop) : nil
            let mayRetry = request.retryPolicy.attempts > 1
            let retryAfter = mayRetry ? head.retryAfter(now: Date()) : nil
            let decision = mayRetry ? request.retryPolicy.decision(after: head) : .standard
            apply(at: now) { state in
                (state.head, state.framing) = (head, framing)
                (state.credentials, state.redirect) = (credentials, redirect)
                return .head(
                    ExchangeMachine.Head(
                        status: head.status, hasBody: framing.hasBody, length: framing.length,
                        offer: credentials != nil ? .credentials : redirect != nil ? .redirect : nil,
                        retryAfter: retryAfter, decision: decision, isBodySent: state.isBodySent))
            }
        } catch { fail(error) }
    }

    package func transportDidReceive(_ bytes: RawSpan) -> Bool {
        let now = Watchdog.shared.now
        var mayContinue = true
        effects(at: now) { _ in .bytes(Int64(bytes.byteCount)) }.forEach { effect in
            guard effect == .consume else { return perform(effect) }
            guard let sink = state.withLock({ $0.sink }) else { return }
            do throws(TransportFailure) {
                mayContinue = try sink.receive(bytes)
                if !mayContinue || isObserved { apply(.consumed(isFull: !mayContinue), at: now) }
            } catch { fail(error) }
        }
        return mayContinue
    }

    package func transportDidCollect(_ metrics: RequestMetrics) { state.withLock { $0.metrics = metrics } }

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
        effects.forEach(perform)
    }

    /// Resumes the transfer after the reader of a stream has consumed the buffered bytes.
    ///
    /// - Parameter refusals: The number of times that the transport was paused. Defaults to 1.
    func resumeReceiving(after refusals: Int = 1) { apply(.resumed(refusals)) }

    private func redirect(to head: ResponseHead, _ hop: TransportRequest) throws(TransportFailure) -> Redirect? {
        request.redirectLimit > 0 ? try Redirect(head, to: hop, policy: request.redirectPolicy) : nil
    }

    /// Prepares the destination of the body.
    func receiveBody() {
        let (response, framing, file) = state.withLock { ($0.response(body: Data()), $0.framing, $0.file) }
        guard let response, let framing else { return }
        let sink: any ResponseSink
        do throws(TransportFailure) {
            // A response without content does not replace the file.
            if response.isSuccessful, framing.hasBody, response.status != 205, let file {
                if response.attempts > 1 { file.empty() }
                sink = FileSink(file, framing, limits: request.limits) { [weak self] in self?.resumeReceiving() }
            } else if case .stream(let stream) = delivery {
                stream.begin(StreamSink.Head(response: response, framing: framing))
                sink = stream
            } else {
                sink = try MemorySink(framing, limits: request.limits)
            }
        } catch { return fail(error) }
        state.withLock { if !$0.machine.isEnded { $0.sink = sink } }
    }

    /// Completes the body, and creates the response.
    func finishBody() {
        let now = Watchdog.shared.now
        let sink = state.withLock { $0.sink }
        do throws(TransportFailure) {
            let body = try sink?.finish() ?? Data()
            apply(at: now) { state in
                guard !state.machine.isEnded else { return nil }
                state.metrics.total = state.machine.deadlines.elapsed(at: now)
                state.outcome = state.response(body: body).map { .success($0) }
                return .received(isFile: sink is FileSink)
            }
        } catch { fail(error) }
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
        let (sent, answers) = state.withLock { ($0.authorization, $0.machine.answers) }
        guard head.status == 401 else {
            if let sent { authentication.accept(sent, head) }
            return nil
        }
        return try authentication.answer(to: head, hop, sent: sent, answers: answers)
    }
}
