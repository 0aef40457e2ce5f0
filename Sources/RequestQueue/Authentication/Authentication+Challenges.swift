extension Authentication {
    /// The step before a hop is sent with credentials.
    enum Step: Sendable {
        case send(Authorization)
        /// Requests a token; `refused` is the refresh count of a rejected token, or `nil` for any token.
        case takeToken(BearerToken, refused: Int?)
    }

    /// Returns the step for a hop that was not challenged; `nil` to send it without credentials.
    func opening(for hop: TransportRequest) throws(TransportFailure) -> Step? {
        switch kind {
        case .basic(let login, isForced: true):
            return .send(Authorization(value: try login.checkedBasic(), origin: .forced))
        case .basic(let login, _), .digest(let login), .challenge(let login):
            return spaces.withLock { $0.authorization(for: hop, login) }.map { .send($0) }
        case .bearer(let token): return .takeToken(token, refused: nil)
        }
    }

    /// Returns the step that answers a response with status 401; `nil` if the response is final.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - hop: The request that was sent.
    ///   - sent: The credentials that were sent.
    ///   - answers: The number of earlier answers to challenges from this URL.
    func answer(
        to head: ResponseHead, _ hop: TransportRequest, sent: Authorization?, answers: Int
    ) throws(TransportFailure) -> Step? {
        let challenges = Challenge.all(in: head.headers.values(for: "WWW-Authenticate"))
        if let sent { spaces.withLock { $0.refuse(sent.origin) } }
        switch kind {
        case .bearer(let token):
            guard case .token(let refreshes) = sent?.origin, answers == 0, token.isRefreshable, challenges.wantToken
            else { return nil }
            return .takeToken(token, refused: refreshes)
        case .basic(let login, _):
            return try answer(basic: challenges, hop, login, sent, answers)
        case .digest(let login):
            return answer(digest: challenges, hop, login, sent, answers)
        case .challenge(let login):
            if let digest = answer(digest: challenges, hop, login, sent, answers) { return digest }
            return try answer(basic: challenges, hop, login, sent, answers)
        }
    }

    /// Stores the credentials of a hop if the status of its response shows that the server accepted them.
    func accept(_ sent: Authorization, _ head: ResponseHead) {
        guard head.status < 400 else { return }
        let nextNonce = head.headers["Authentication-Info"].flatMap { Challenge.parameters(in: $0)?["nextnonce"] }
        spaces.withLock { $0.accept(sent.origin, nextNonce: nextNonce) }
    }

    private func answer(
        basic challenges: [Challenge], _ hop: TransportRequest, _ login: Login, _ sent: Authorization?, _ answers: Int
    ) throws(TransportFailure) -> Step? {
        guard answers == 0, sent?.isBasic != true, challenges.contains(where: { $0.scheme == "basic" }) else {
            return nil
        }
        return .send(
            Authorization(
                value: try login.checkedBasic(), origin: .answer(.basic, ProtectionSpace(basicAt: hop.url))))
    }

    private func answer(
        digest challenges: [Challenge], _ hop: TransportRequest, _ login: Login, _ sent: Authorization?, _ answers: Int
    ) -> Step? {
        let known = challenges.compactMap(DigestChallenge.init)
        // The first of several challenges with the best algorithm.
        let best = known.reduce(nil as DigestChallenge?) { best, next in
            best.map { $0.algorithm.function.rawValue >= next.algorithm.function.rawValue } == true ? best : next
        }
        // A stale nonce means that the password was correct; the challenge is answered once more, but not repeatedly.
        guard let best, answers == 0 || answers == 1 && best.isStale else { return nil }
        var credentials = Authorization.Credentials.digest(DigestSession(best, login, clientNonce: makeNonce()))
        let value = credentials.authorization(for: hop, login)
        return .send(Authorization(value: value, origin: .answer(credentials, ProtectionSpace(of: best, at: hop.url))))
    }
}

extension [Challenge] {
    /// Whether a new token can help: the server requests a token, or sends no challenge.
    fileprivate var wantToken: Bool {
        isEmpty || contains { $0.scheme == "bearer" && $0["error"] != "insufficient_scope" }
    }
}

extension Login {
    /// Returns the value of `Authorization` for the scheme Basic.
    ///
    /// - Throws: `authenticationFailed` if the user name contains a colon, which separates it from the password, or if
    ///   user name or password contain control characters (RFC 7617 §2).
    func checkedBasic() throws(TransportFailure) -> String {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw TransportFailure(
                .authenticationFailed, "a user name with a colon cannot be sent by basic authentication")
        }
        guard !(user + password).unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw TransportFailure(
                .authenticationFailed, "control characters cannot be sent by basic authentication")
        }
        return basic
    }
}
