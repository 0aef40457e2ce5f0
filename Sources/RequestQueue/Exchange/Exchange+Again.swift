/// The steps between two transfers: the body is opened again, and the next hop or attempt is prepared.
extension Exchange {
    /// Opens the body at its beginning, when the transport sends it.
    func open(_ body: TransportRequest.Body) throws -> any BodyStream {
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
    func reopenBody(isBlocking: Bool) -> Effects {
        let body = state.withLock { ($0.original ?? $0.hop)?.body }
        @Sendable func reopen() -> Effects {
            let body = body?.reopened()
            return effects { state in
                if !state.machine.isEnded { state.readyBody = body }
                return .reopened(body != nil)
            }
        }
        if isBlocking { return reopen() }
        DispatchQueue.global().async { self.run(reopen()) }
        return Effects()
    }

    /// Creates the request to the target of a redirect.
    func redirect() -> Effects {
        let (redirect, hop) = state.withLock { ($0.received.redirect.take(), $0.original ?? $0.hop) }
        guard let redirect, let hop else { return Effects() }
        do throws(TransportFailure) {
            let next = try redirect.request(after: hop)
            return effects { state in
                (state.hop, state.original) = (next, nil)
                return .redirected(ExchangeMachine.Message(next))
            }
        } catch { return effects(.failed(error)) }
    }

    /// Prepares the next attempt; until it begins there is no connection.
    func backOff(_ retry: ExchangeMachine.Retry) {
        let notice = notice(of: retry)
        // The former hop is released outside the lock: the deinitializer of its body can run user code.
        let (hop, _) = state.withLock { state -> (TransportRequest?, TransportRequest?) in
            guard state.machine.stage == .backingOff else { return (nil, nil) }
            let former = state.hop
            state.hop = state.original ?? state.hop
            state.hop?.body = state.readyBody.take()
            state.hop?.usesNewConnection = retry.reason.isStaleConnection
            state.original = nil
            state.registrations.alarm = Alarm.set(at: retry.instant) { [self] in
                DispatchQueue.global().async { self.apply(.alarm) }
            }
            return (state.hop, former)
        }
        if let hop { LogMessage.log(.requestQueue, .info, "\(hop.method) \(hop.url.shown): \(notice)") }
    }
}

extension ExchangeMachine.Retry.Reason {
    fileprivate var isStaleConnection: Bool {
        if case .failure(let failure) = self { failure.isOfStaleConnection } else { false }
    }
}
