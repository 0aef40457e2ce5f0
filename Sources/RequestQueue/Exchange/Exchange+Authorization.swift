import Synchronization

extension Exchange {
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

    /// Sends a hop with credentials as soon as they are available.
    ///
    /// - Parameters:
    ///   - hop: The request.
    ///   - step: The step that provides the credentials.
    ///   - isAnswer: Whether they answer a challenge. Defaults to `false`.
    ///   - now: The current instant.
    func authorize(_ hop: TransportRequest, by step: Authentication.Step, isAnswer: Bool = false, at now: Duration) {
        let isOver = state.withLock { state in
            if isAnswer { state.answers += 1 }
            return state.outcome != nil
        }
        // A request that has ended does not refresh a token.
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
                    // The network may have become unreachable in the meantime.
                    if endsOffline(hop, at: now) { return }
                    let authorization = Authorization(value: "Bearer " + token, origin: .token(refreshes: refreshes))
                    transmit(hop, authorization, at: now)
                case .failure(let failure): fail(failure)
                }
            }
        }
    }

    /// Returns the answer to a challenge in a response; `nil` if there is none.
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
