import Synchronization

extension Exchange {
    /// Sends a hop, after the adapters have changed it.
    func send(_ hop: TransportRequest, at now: Duration) {
        let adapters = adapters(for: hop)
        if !adapters.isEmpty { return adapt(hop, by: adapters, at: now) }
        if !request.adapters.isEmpty { state.withLock { $0.original = nil } }
        sendAdapted(hop, at: now)
    }

    /// Sends a hop, unless a stored response can be used.
    func sendAdapted(_ hop: TransportRequest, at now: Duration) {
        if let cache = request.cache, asksCache(cache, before: hop, at: now) { return }
        sendToServer(hop, at: now)
    }

    /// Sends a hop, with the stored credentials for it.
    func sendToServer(_ hop: TransportRequest, at now: Duration) {
        // Without a network, new credentials cannot be requested either.
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

    /// Ends the request if its reachability observer reports that the server is not reachable.
    ///
    /// - Returns: Whether the request was ended.
    func endsOffline(_ hop: TransportRequest, at now: Duration) -> Bool {
        // A redirect can lead to another host, to which the observer does not apply.
        guard case .notReachable(let cause)? = request.reachabilityObserver?.state,
            let url = request.url?.absoluteURL, hop.url.isSameHost(as: url)
        else { return false }
        state.withLock { state in
            guard state.outcome == nil else { return }
            // The progress of an earlier hop does not apply to this one.
            state.beginHop(hop, nil, at: now)
            state.phase = .preparing
        }
        fail(TransportFailure(.offline, "\(cause)"))
        return true
    }

    /// Sends a hop, with or without credentials.
    ///
    /// - Parameters:
    ///   - hop: The request.
    ///   - authorization: The credentials.
    ///   - mayBeAsked: Whether a challenge of the server can be answered. Defaults to `false`.
    ///   - now: The current instant.
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
            // The receiver of the outcome can start another request, so this one must have left the transport first.
            state.deliveryHolds += 1
            return state.hops
        }
        guard let number else { return }
        let task = request.transport.start(message, handler: self)
        let (isUnwanted, resumes) = state.withLock { state in
            // The hop may have ended, and a later one may have started.
            guard state.hops == number, !state.isTaskOver else { return (false, 0) }
            if state.outcome == nil { state.task = task }
            return (state.isTaskUnwanted, state.resumesOfTask)
        }
        if isUnwanted { task.cancel() } else { for _ in 0..<resumes { task.resume() } }
        deliver(releasing: true)
    }

    /// Returns the header fields with the cookies of the store, unless the caller has set cookies.
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
            // An earlier body is released outside the lock, because its deinitializer can run user code.
            let (isOver, _) = state.withLock { state -> (Bool, SendingBody?) in
                guard state.outcome == nil else { return (true, nil) }
                let earlier = state.body
                state.body = stream
                state.bytesSent = 0
                state.deadlines.dropHolds()
                return (false, earlier)
            }
            if isOver { throw TransportFailure(.cancelled, "the request has already ended") }
            return stream
        } catch {
            let failure = TransportFailure(bodyError: error)
            fail(failure)
            throw failure
        }
    }

    /// Pauses the idle timeout while the body has no bytes available, because the server is not slow.
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
