extension Exchange {
    /// Validates the request, and waits for an identical request or sends it.
    func begin() {
        let hop: TransportRequest
        var file: DownloadFile?
        do throws(TransportFailure) {
            hop = try TransportRequest(checking: request)
            // A destination that is not writable is reported before the request is sent.
            if case .file(let url) = delivery { file = try DownloadFile(for: url) }
        } catch { return fail(error) }
        let now = Watchdog.shared.now
        let key = coalescingKey(of: hop)
        // The resources of an earlier start are released outside the lock.
        var unused: (file: DownloadFile?, transfer: Exchange?) = (file, nil)
        apply(at: now) { state in
            guard !state.machine.isEnded else { return nil }
            guard request.activeRequests?.add(self) != false else {
                return .failed(TransportFailure(.clientShutDown, "create another client for later requests"))
            }
            unused = (state.file, state.transfer)
            (state.file, state.transfer) = (file, nil)
            (state.hop, state.original, state.coalescingKey) = (hop, nil, key)
            if let watch = state.watch { Watchdog.shared.remove(watch) }
            let due = Deadlines(request.timeouts, start: now).nextCheck(after: now)
            state.watch = due.map { Watchdog.shared.add(self, due: $0) }
            return .begun(ExchangeMachine.Message(hop), joins: key != nil)
        }
        unused.file?.discard {}
    }

    /// Sends a hop, with the stored credentials for it; ends the request if the server is not reachable.
    ///
    /// - Parameter isAnswer: Whether the credentials answer a challenge.
    func authorize(isAnswer: Bool) {
        let (hop, answer) = state.withLock { state in
            (state.machine.isEnded ? nil : state.hop, isAnswer ? state.credentials.take() : nil)
        }
        guard let hop else { return }
        // Without a network, new credentials cannot be requested either.
        if let failure = offline(hop) { return fail(failure) }
        let authentication = authentication(for: hop)
        do throws(TransportFailure) {
            switch try isAnswer ? answer : authentication?.opening(for: hop) {
            case nil: authorized(by: nil, mayBeRefused: authentication != nil)
            case .send(let authorization): authorized(by: authorization)
            case .takeToken(let token, let refused):
                token.take(refused: refused, within: refreshed) { [self] taken in
                    switch taken {
                    case .success(let (token, refreshes)):
                        // The network may have become unreachable in the meantime.
                        if let failure = offline(hop) { return fail(failure) }
                        authorized(
                            by: Authorization(value: "Bearer " + token, origin: .token(refreshes: refreshes)))
                    case .failure(let failure): fail(failure)
                    }
                }
            }
        } catch { fail(error) }
    }

    private func authorized(by authorization: Authorization?, mayBeRefused: Bool = false) {
        apply { state in
            (state.authorization, state.mayBeRefused) = (authorization, mayBeRefused)
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
    func transmit(_ number: Int) {
        // Released outside the lock, because their deinitializers can run user code.
        let (sent, _) = state.withLock { state -> ((TransportRequest, Authorization?, Bool)?, ExchangeResources?) in
            guard !state.machine.isEnded, let hop = state.hop else { return (nil, nil) }
            return ((hop, state.authorization, state.mayBeRefused), state.beginTransfer())
        }
        guard let (hop, authorization, mayBeRefused) = sent else { return register(nil, number) }
        var message = hop
        message.headers = withCookies(hop)
        if let authorization { message.headers.add(authorization.value, for: "Authorization") }
        if request.cache != nil { addConditions(to: &message.headers, of: hop) }
        message.mayBeRefused = mayBeRefused
        if let body = hop.body { message.body?.open = { [self] in try open(body) } }
        register(request.transport.start(message, handler: self), number)
    }

    /// Returns the header fields with the cookies of the store, unless the caller has set cookies.
    func withCookies(_ hop: TransportRequest) -> HTTPHeaders {
        var headers = hop.headers
        if let cookies = request.cookies, request.headers["Cookie"] == nil, let cookie = cookies.header(for: hop.url) {
            headers.add(cookie, for: "Cookie")
        }
        return headers
    }

    // MARK: The body

    private func open(_ body: TransportRequest.Body) throws -> any BodyStream {
        do {
            let stream = SendingBody(try body.open(), length: body.length, exchange: self)
            // An earlier body is released outside the lock, because its deinitializer can run user code.
            var (earlier, hasEnded): (SendingBody?, Bool) = (nil, true)
            apply { state in
                guard state.machine.stage == .transferring else { return nil }
                (earlier, hasEnded, state.body) = (state.body, false, stream)
                return .bodyOpened
            }
            withExtendedLifetime(earlier) {}
            if hasEnded { throw TransportFailure(.cancelled, "the request has already ended") }
            return stream
        } catch {
            let failure = TransportFailure(bodyError: error)
            fail(failure)
            throw failure
        }
    }

    /// Pauses the idle timeout while the body has no bytes available, because the server is not slow.
    func bodyWaits(_ body: SendingBody) { apply { $0.body === body ? .bodyWaits : nil } }

    func bodyResumes(_ body: SendingBody) { apply { $0.body === body ? .bodyResumes : nil } }

    /// Opens the body again for the next attempt.
    ///
    /// - Parameter isBlocking: Whether the caller waits for the body.
    func reopenBody(isBlocking: Bool) {
        let body = state.withLock { ($0.original ?? $0.hop)?.body }
        @Sendable func reopen() {
            let body = body?.reopened()
            apply { state in
                if !state.machine.isEnded { state.readyBody = body }
                return .reopened(body != nil)
            }
        }
        if isBlocking { reopen() } else { DispatchQueue.global().async(execute: reopen) }
    }

    // MARK: Another hop

    /// Creates the request to the target of a redirect.
    func redirect() {
        let (redirect, hop) = state.withLock { ($0.redirect.take(), $0.original ?? $0.hop) }
        guard let redirect, let hop else { return }
        do throws(TransportFailure) {
            let next = try redirect.request(after: hop)
            apply { state in
                (state.hop, state.original) = (next, nil)
                return .redirected(ExchangeMachine.Message(next))
            }
        } catch { fail(error) }
    }

    /// Prepares the next attempt; until it begins there is no connection.
    func backOff(_ retry: ExchangeMachine.Retry) {
        let notice = notice(of: retry)
        let hop = state.withLock { state -> TransportRequest? in
            guard state.machine.stage == .backingOff else { return nil }
            state.hop = state.original ?? state.hop
            state.hop?.body = state.readyBody.take()
            state.hop?.usesNewConnection = retry.reason.isStaleConnection
            state.original = nil
            state.alarm = Alarm.set(at: retry.instant) { [self] in
                DispatchQueue.global().async { self.apply(.alarm) }
            }
            return state.hop
        }
        if let hop { LogMessage.log(.requestQueue, .info, "\(hop.method) \(hop.url.shown): \(notice)") }
    }
}

extension ExchangeMachine.Message {
    init(_ request: TransportRequest) {
        self.init(
            hasBody: request.body != nil, isIdempotent: request.isIdempotent, isSafe: request.method.isSafe)
    }
}

extension ExchangeMachine.Retry.Reason {
    fileprivate var isStaleConnection: Bool {
        if case .failure(let failure) = self { failure.isOfStaleConnection } else { false }
    }
}
