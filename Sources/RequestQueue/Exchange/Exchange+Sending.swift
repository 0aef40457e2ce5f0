import Synchronization

extension Exchange {
    /// Sends to one URL.
    ///
    /// - Parameter isLookedUp: Whether the cache was asked before, which else it is.
    func send(_ hop: TransportRequest, at now: Duration, isLookedUp: Bool = false) {
        if !isLookedUp, let cache = request.cache, asksCache(cache, before: hop, at: now) { return }
        var message = hop
        addCookies(to: &message)
        if request.cache != nil { addConditions(to: &message) }
        if case .notReachable(let cause)? = request.reachabilityObserver?.state {
            return fail(TransportFailure(.offline, "\(cause)"))
        }
        if let body = hop.body { message.body?.open = { [self] in try open(body) } }
        let number: Int? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.beginHop(hop, at: now)
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
    }

    /// Adds the cookies of the store, unless the caller sends some: those are all then.
    func addCookies(to hop: inout TransportRequest) {
        guard let cookies = request.cookies, hop.headers["Cookie"] == nil else { return }
        if let cookie = cookies.header(for: hop.url) { hop.headers.add(cookie, for: "Cookie") }
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
