extension Exchange {
    /// Validates the request, and waits for an identical request or sends it.
    func begin() -> Effects {
        let hop: TransportRequest
        var file: DownloadFile?
        do throws(TransportFailure) {
            hop = try TransportRequest(checking: request)
            // A destination that is not writable is reported before the request is sent.
            if case .file(let url) = delivery { file = try DownloadFile(for: url) }
        } catch { return effects(.failed(error)) }
        let now = Watchdog.shared.now
        let key = coalescingKey(of: hop)
        // The resources of an earlier start are released outside the lock.
        var unused: (file: DownloadFile?, identical: (any RunningRequest)?, hops: [TransportRequest?]) = (file, nil, [])
        let next = effects(at: now) { state in
            guard !state.machine.isEnded else { return nil }
            guard request.activeRequests?.add(self) != false else {
                return .failed(TransportFailure(.clientShutDown, "create another client for later requests"))
            }
            // The body of an attempt that was not sent: its deinitializer can run user code.
            unused = (state.download.file, state.identical.request, [state.hop, state.original])
            (state.hop, state.original, state.identical, state.download.file) = (hop, nil, (key, nil, nil), file)
            if let watch = state.registrations.watch { Watchdog.shared.remove(watch) }
            let due = Deadlines(request.timeouts, start: now).nextCheck(after: now)
            state.registrations.watch = due.map { Watchdog.shared.add(self, due: $0) }
            return .begun(ExchangeMachine.Message(hop), joins: key != nil)
        }
        unused.file?.discard {}
        return next
    }

    /// Sends a hop, with the stored credentials for it; ends the request if the server is not reachable.
    ///
    /// - Parameter isAnswer: Whether the credentials answer a challenge.
    func authorize(isAnswer: Bool) -> Effects {
        let (hop, answer) = state.withLock { state in
            (state.machine.isEnded ? nil : state.hop, isAnswer ? state.received.answer.take() : nil)
        }
        guard let hop else { return Effects() }
        // Without a network, new credentials cannot be requested either.
        if let failure = offline(hop) { return effects(.failed(failure)) }
        let authentication = authentication(for: hop)
        do throws(TransportFailure) {
            switch try isAnswer ? answer : authentication?.opening(for: hop) {
            case nil: return authorized(by: nil, mayBeRefused: authentication != nil)
            case .send(let authorization): return authorized(by: authorization)
            case .takeToken(let token, let refused):
                token.take(refused: refused, from: sender) { [self] taken in
                    switch taken {
                    case .success(let (token, refreshes)):
                        // The network may have become unreachable in the meantime.
                        if let failure = offline(hop) { return fail(failure) }
                        run(
                            authorized(
                                by: Authorization(value: "Bearer " + token, origin: .token(refreshes: refreshes))))
                    case .failure(let failure): fail(failure)
                    }
                }
                return Effects()
            }
        } catch { return effects(.failed(error)) }
    }

    private func authorized(by authorization: Authorization?, mayBeRefused: Bool = false) -> Effects {
        effects { state in
            state.credentials = (authorization, mayBeRefused)
            return .authorized
        }
    }

    /// The failure of a hop whose server is not reachable according to the reachability observer of the request.
    private func offline(_ hop: TransportRequest) -> TransportFailure? {
        // A redirect can lead to another host, to which the observer does not apply.
        guard case .notReachable(let cause)? = request.reachabilityObserver?.state,
            let url = request.url?.absoluteURL, hop.url.isSameHost(as: url)
        else { return nil }
        return TransportFailure(.offline, "\(cause)")
    }

    /// Sends the hop.
    func transmit(_ number: Int) -> Effects {
        // Released outside the lock, because their deinitializers can run user code.
        let (hop, credentials, _) = state.withLock {
            state -> (TransportRequest?, ExchangeState.Credentials, ExchangeResources?) in
            guard !state.machine.isEnded, state.hop != nil else { return (nil, (nil, false), nil) }
            return (state.hop, state.credentials, state.beginTransfer())
        }
        guard let hop else { return register(nil, number) }
        var message = hop
        message.headers = withCookies(hop)
        if let authorization = credentials.authorization {
            message.headers.add(authorization.value, for: "Authorization")
        }
        if request.cache != nil { addConditions(to: &message.headers, of: hop) }
        message.mayBeRefused = credentials.mayBeRefused
        if let body = hop.body { message.body?.open = { [self] in try open(body) } }
        return register(request.transport.start(message, handler: self), number)
    }

    /// Returns the header fields with the cookies of the store, unless the caller has set cookies.
    func withCookies(_ hop: TransportRequest) -> HTTPHeaders {
        var headers = hop.headers
        if let cookies = request.cookies, request.headers["Cookie"] == nil, let cookie = cookies.header(for: hop.url) {
            headers.add(cookie, for: "Cookie")
        }
        return headers
    }
}

extension ExchangeMachine.Message {
    init(_ request: TransportRequest) {
        self.init(
            hasBody: request.body != nil, isIdempotent: request.isIdempotent, isSafe: request.method.isSafe)
    }
}
