import Synchronization

extension Exchange {
    /// Sends to one URL, after its adapters have changed the request.
    func send(_ hop: TransportRequest, at now: Duration) {
        let adapters = adapters(for: hop)
        if !adapters.isEmpty { return adapt(hop, by: adapters, at: now) }
        if !request.adapters.isEmpty { state.withLock { $0.original = nil } }
        sendAdapted(hop, at: now)
    }

    /// Sends to one URL, unless the cache has the answer.
    func sendAdapted(_ hop: TransportRequest, at now: Duration) {
        if let cache = request.cache, asksCache(cache, before: hop, at: now) { return }
        sendToServer(hop, at: now)
    }

    /// Sends to one URL, with the credentials that are known for it.
    func sendToServer(_ hop: TransportRequest, at now: Duration) {
        // Without a network there are no new credentials either.
        if endsOffline(hop, at: now) { return }
        let isOver = state.withLock { state in
            state.answers = 0
            return state.outcome != nil
        }
        guard !isOver, let authentication = authentication(for: hop) else { return transmit(hop, nil, at: now) }
        do throws(TransportFailure) {
            guard let step = try authentication.opening(for: hop) else {
                return transmit(hop, nil, mayBeAsked: true, at: now)
            }
            authorize(hop, by: step, at: now)
        } catch { fail(error) }
    }

    /// Ends the request if its observer says that the network is away.
    func endsOffline(_ hop: TransportRequest, at now: Duration) -> Bool {
        // A redirect may lead to another host, of which the observer knows nothing.
        guard case .notReachable(let cause)? = request.reachabilityObserver?.state,
            let url = request.url?.absoluteURL, hop.url.isSameHost(as: url)
        else { return false }
        state.withLock { state in
            guard state.outcome == nil else { return }
            // What was told of an earlier hop is not told of this one.
            state.beginHop(hop, nil, at: now)
            state.phase = .preparing
        }
        fail(TransportFailure(.offline, "\(cause)"))
        return true
    }

    /// Sends to one URL, with credentials or without.
    ///
    /// - Parameter mayBeAsked: Whether the server may ask for credentials that are there.
    func transmit(
        _ hop: TransportRequest, _ authorization: Authorization?, mayBeAsked: Bool = false, at now: Duration
    ) {
        var message = hop
        message.headers = withCookies(hop)
        if let authorization { message.headers.add(authorization.value, for: "Authorization") }
        if request.cache != nil { addConditions(to: &message.headers, of: hop) }
        message.mayBeRefused = mayBeAsked
        if let body = hop.body { message.body?.open = { [self] in try open(body) } }
        let number: Int? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.beginHop(hop, authorization, at: now)
            // Who is told an outcome may begin another request: this one has to be out of the transport first.
            state.deliveryHolds += 1
            return state.hops
        }
        guard let number else { return }
        let task = request.transport.start(message, handler: self)
        let (isUnwanted, resumes) = state.withLock { state in
            // The hop may be over by now, and even a later one under way.
            guard state.hops == number, !state.isTaskOver else { return (false, 0) }
            if state.outcome == nil { state.task = task }
            return (state.isTaskUnwanted, state.resumesOfTask)
        }
        if isUnwanted { task.cancel() } else { for _ in 0..<resumes { task.resume() } }
        deliver(releasing: true)
    }

    /// The header fields of a request with the cookies of the store; the caller's own cookies are all that is sent.
    func withCookies(_ hop: TransportRequest) -> HTTPHeaders {
        var headers = hop.headers
        if let cookies = request.cookies, request.headers["Cookie"] == nil, let cookie = cookies.header(for: hop.url) {
            headers.add(cookie, for: "Cookie")
        }
        return headers
    }

    private func open(_ body: TransportRequest.Body) throws -> any BodyStream {
        do {
            let stream = SendingBody(try body.open(), length: body.length, exchange: self)
            // An earlier body goes outside the lock: its end may run code that is not ours.
            let (isOver, _) = state.withLock { state -> (Bool, SendingBody?) in
                guard state.outcome == nil else { return (true, nil) }
                let earlier = state.body
                state.body = stream
                state.bytesSent = 0
                state.deadlines.dropHolds()
                return (false, earlier)
            }
            if isOver { throw TransportFailure(.cancelled, "the request has its outcome") }
            return stream
        } catch {
            let failure = TransportFailure(bodyError: error)
            fail(failure)
            throw failure
        }
    }

    /// The body has no byte to give: it is not the server that is slow.
    func bodyWaits(_ body: SendingBody) {
        let now = Watchdog.shared.now
        state.withLock { state in if state.body === body { state.deadlines.hold(at: now) } }
    }

    func bodyGoesOn(_ body: SendingBody) {
        let now = Watchdog.shared.now
        state.withLock { state in if state.body === body { state.deadlines.release(at: now) } }
    }

    package func transportIsWaiting(_ isWaiting: Bool) {
        let now = Watchdog.shared.now
        state.withLock { state in
            if isWaiting { state.deadlines.endHop(at: now) } else { state.deadlines.beginHop(at: now) }
        }
    }

    package func transportDidConnect() {
        let now = Watchdog.shared.now
        let isSent = state.withLock { state in
            state.deadlines.touch(at: now)
            state.phase = state.isBodySent ? .waiting : .sending
            return state.isBodySent
        }
        if isSent { tellSent() }
    }

    package func transportDidSend(_ bytes: Int64) {
        let now = Watchdog.shared.now
        let isSent = state.withLock { state in
            state.deadlines.touch(at: now)
            state.bytesSent = bytes
            guard state.isBodySent else { return false }
            if state.phase == .sending { state.phase = .waiting }
            return true
        }
        tellProgress()
        if isSent { tellSent() }
    }
}
