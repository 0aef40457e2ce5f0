import Synchronization

extension Exchange {
    /// The maximum size of an unused body that is read so that its connection can be reused.
    private static let drainLimit: Int64 = 64 << 10

    package func transportDidReceiveHeadBytes() {
        let now = Watchdog.shared.now
        state.withLock { $0.deadlines.touch(at: now) }
    }

    package func transportDidReceive(_ head: ResponseHead) {
        let now = Watchdog.shared.now
        let (hop, redirects) = state.withLock { state in
            state.deadlines.touch(at: now)
            state.phase = .receiving
            // Data of an abandoned hop is ignored.
            return (state.outcome == nil && state.followUp == nil ? state.hop : nil, state.redirects)
        }
        guard let hop else { return }
        request.cookies?.receive(head.headers, from: hop.url)
        invalidateCache(by: head, to: hop)
        closeTransfers(after: hop.method)
        do throws(TransportFailure) {
            let framing = try ResponseFraming(head, method: hop.method, isDecoded: request.isDecoded)
            let followUp = try followUp(after: head, to: hop, redirects, at: now)
            let sink = followUp == nil ? try makeSink(head, framing, hop.url, redirects) : nil
            let (unwanted, _) = state.withLock { state -> ((any TransportTask)?, SendingBody?) in
                state.head = head
                state.framing = framing
                state.sink = sink
                state.followUp = followUp
                let isDrainable = state.isDrainable(Self.drainLimit)
                // The remaining body is not needed; it is released outside the lock.
                let isRefused = head.status >= 300 && !state.isBodySent
                if isRefused { state.deadlines.dropHolds() }
                let body = isRefused ? state.body.take() : nil
                return (followUp == nil || isDrainable ? nil : state.giveUpHop(), body)
            }
            unwanted?.cancel()
        } catch { fail(error) }
    }

    package func transportDidReceive(_ bytes: RawSpan) -> Bool {
        let now = Watchdog.shared.now
        let (sink, unwanted, isTooLong) = state.withLock {
            state -> ((any ResponseSink)?, (any TransportTask)?, Bool) in
            guard state.outcome == nil else { return (nil, nil, false) }
            state.deadlines.touch(at: now)
            state.bytesReceived += Int64(bytes.byteCount)
            guard state.followUp == nil else {
                return (nil, state.isDrainable(Self.drainLimit) ? nil : state.giveUpHop(), false)
            }
            guard let framing = state.framing, framing.hasBody else { return (nil, nil, false) }
            return (state.sink, nil, framing.length.map { state.bytesReceived > $0 } ?? false)
        }
        unwanted?.cancel()
        guard let sink else { return true }
        guard !isTooLong else {
            fail(TransportFailure(.malformedResponse, "the body of the response is longer than its declared length"))
            return true
        }
        do throws(TransportFailure) {
            let mayGoOn = try sink.receive(bytes)
            if !mayGoOn { state.withLock { $0.deadlines.hold(at: now) } }
            tellProgress()
            return mayGoOn
        } catch {
            fail(error)
            return true
        }
    }

    package func transportDidCollect(_ metrics: RequestMetrics) { state.withLock { $0.metrics = metrics } }

    package func transportDidFinish(_ failure: TransportFailure?) {
        // The task is released outside the lock, because its deinitializer can be user code.
        let (isDecided, followUp, hop, _) = state.withLock { state in
            state.isTaskOver = true
            return (state.outcome != nil, state.followUp, state.hop, state.task.take())
        }
        if isDecided { return }
        // The follow-up depends only on the head, not on the end of the body.
        if let followUp, let hop { return follow(followUp, from: hop) }
        do throws(TransportFailure) {
            if let failure { throw failure }
            try finish()
        } catch {
            if let hop, let retry = retry(after: error) { follow(retry, from: hop) } else { fail(error) }
        }
    }

    /// Resumes the transfer after the reader of a stream has consumed the buffered bytes.
    ///
    /// - Parameter refusals: The number of times that the transport was paused. Defaults to 1.
    func resumeReceiving(after refusals: Int = 1) {
        let now = Watchdog.shared.now
        let task = state.withLock { state in
            for _ in 0..<refusals { state.deadlines.release(at: now) }
            if state.task == nil { state.resumesOfTask += refusals }
            return state.task
        }
        for _ in 0..<refusals { task?.resume() }
    }

    /// Ends the request with a complete response.
    private func finish() throws(TransportFailure) {
        let now = Watchdog.shared.now
        let received = state.withLock { state in
            // A request that has ended has no body, so the result is ignored.
            state.outcome != nil
                ? nil
                : (
                    state.head, state.framing, state.sink, state.bytesReceived, state.isBodySent, state.hop,
                    state.redirects, state.attempts, state.metrics(at: now)
                )
        }
        guard let (head, framing, sink, count, isBodySent, hop, redirects, attempts, metrics) = received else { return }
        guard let head, let framing, let hop else {
            throw TransportFailure(.malformedResponse, "the connection ended without a response")
        }
        if framing.hasBody, let length = framing.length, count < length {
            throw TransportFailure(
                .truncatedResponse, "the response declared \(length) bytes and ended after \(count)")
        }
        guard isBodySent || !(200..<300).contains(head.status) else {
            throw TransportFailure(
                .bodyNotSent, "the server answered \(head.status) before it received the complete body")
        }
        let body = try sink?.finish() ?? Data()
        let response = RESTResponse(
            status: head.status, headers: head.headers, body: body, url: hop.url, redirects: redirects,
            attempts: attempts, method: hop.method, metrics: metrics)
        tellSent()
        if let file = sink?.file { commit(file, response) } else { conclude(response, to: hop) }
    }

    private func followUp(
        after head: ResponseHead, to hop: TransportRequest, _ redirects: Int, at now: Duration
    ) throws(TransportFailure) -> FollowUp? {
        if let authorizing = try authorizing(after: head, to: hop) { return authorizing }
        if request.redirectLimit > 0, let redirect = try Redirect(head, to: hop, policy: request.redirectPolicy) {
            guard redirects < request.redirectLimit else {
                throw TransportFailure(
                    .tooManyRedirects, "more than \(redirects) redirects; RESTRequest.redirectLimit allows no more")
            }
            return .redirect(redirect)
        }
        return retry(after: head, of: hop, at: now)
    }

    private func follow(_ followUp: FollowUp, from hop: TransportRequest) {
        let now = Watchdog.shared.now
        let (_, original) = state.withLock { ($0.endHop(at: now), $0.original ?? hop) }
        switch followUp {
        case .authorize(let step):
            // Without a network, new credentials cannot be requested either.
            if !endsOffline(hop, at: now) { authorize(hop, by: step, isAnswer: true, at: now) }
        case .redirect(let redirect):
            let next: TransportRequest
            do throws(TransportFailure) { next = try redirect.request(after: original) } catch { return fail(error) }
            state.withLock { $0.redirects += 1 }
            send(next, at: now)
        case .retry(let retry): repeatHop(original, by: retry)
        }
    }

    private func makeSink(
        _ head: ResponseHead, _ framing: ResponseFraming, _ url: URL, _ redirects: Int
    ) throws(TransportFailure) -> any ResponseSink {
        switch delivery {
        case .memory: break
        case .file:
            let (file, attempts) = state.withLock { ($0.file, $0.attempts) }
            guard (200..<300).contains(head.status), let file else { break }
            if attempts > 1 { file.empty() }
            return FileSink(file, framing, limits: request.limits) { [weak self] in self?.resumeReceiving() }
        case .stream(let sink):
            let response = RESTResponse(
                status: head.status, headers: head.headers, body: Data(), url: url, redirects: redirects,
                attempts: state.withLock { $0.attempts })
            sink.begin(StreamSink.Head(response: response, framing: framing))
            return sink
        }
        return try MemorySink(framing, limits: request.limits)
    }
}

extension ExchangeState {
    /// Whether the rest of an unused body is short enough to read it and keep the connection.
    fileprivate func isDrainable(_ limit: Int64) -> Bool {
        isBodySent && bytesReceived <= limit && (framing?.length ?? 0) <= limit
    }

    /// Returns the durations of the request until now.
    fileprivate func metrics(at now: Duration) -> RequestMetrics {
        var metrics = metrics
        metrics.total = deadlines.elapsed(at: now)
        (metrics.bytesSent, metrics.bytesReceived) = (bytesSent, bytesReceived)
        return metrics
    }
}
