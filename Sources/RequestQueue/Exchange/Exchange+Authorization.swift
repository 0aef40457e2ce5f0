import Synchronization

extension Exchange {
    /// What speaks for a hop: credentials of the request's own are all that is sent, and others go to its origin only.
    func authentication(for hop: TransportRequest) -> Authentication? {
        guard let authentication = request.authentication, hop.headers["Authorization"] == nil,
            // Led elsewhere and back, a request has lost its own, and is nobody else's for that.
            request.headers["Authorization"] == nil, let origin = request.url?.absoluteURL,
            origin.user(percentEncoded: true) == nil, hop.url.isSameOrigin(as: origin)
        else { return nil }
        return authentication
    }

    /// Sends a hop with credentials, when they are there.
    ///
    /// - Parameter isAnswer: Whether the server has asked for them.
    func authorize(_ hop: TransportRequest, by step: Authentication.Step, isAnswer: Bool = false, at now: Duration) {
        let isOver = state.withLock { state in
            if isAnswer { state.answers += 1 }
            return state.outcome != nil
        }
        // There is nobody to refresh a token for.
        if isOver { return }
        switch step {
        case .send(let authorization): transmit(hop, authorization, at: now)
        case .takeToken(let token, let refused):
            state.withLock { state in
                guard state.outcome == nil else { return }
                state.hop = hop
                state.phase = .preparing
                state.deadlines.endHop(at: now)
            }
            token.take(refused: refused, within: refreshed) { [self] taken in
                switch taken {
                case .success(let (token, refreshes)):
                    let now = Watchdog.shared.now
                    // The network may have gone meanwhile.
                    if endsOffline(hop, at: now) { return }
                    let authorization = Authorization(value: "Bearer " + token, origin: .token(refreshes: refreshes))
                    transmit(hop, authorization, at: now)
                case .failure(let failure): fail(failure)
                }
            }
        }
    }

    /// What follows a response as far as credentials are concerned: an answer to what it asks for, or nothing.
    func authorizing(after head: ResponseHead, to hop: TransportRequest) throws(TransportFailure) -> FollowUp? {
        guard let authentication = authentication(for: hop) else { return nil }
        let (sent, answers) = state.withLock { ($0.authorization, $0.answers) }
        guard head.status == 401 else {
            if let sent { authentication.accept(sent, head) }
            return nil
        }
        return try authentication.answer(to: head, hop, sent: sent, answers: answers).map { .authorize($0) }
    }
}
