/// The responses to a digest challenge: each request of a session increments the nonce count (RFC 7616 §3.4).
struct DigestSession: Sendable {
    private let challenge: DigestChallenge
    /// The parameter `username` or `username*` with its value.
    private let shownUser: String
    /// The digest of user, realm and password.
    private let secret: String
    /// The client nonce, constant for the session because the secret of `-sess` depends on it.
    private let clientNonce: String
    private(set) var nonce: String
    private var uses: UInt32 = 0

    init(_ challenge: DigestChallenge, _ login: Login, clientNonce: String) {
        self.challenge = challenge
        self.clientNonce = clientNonce
        nonce = challenge.nonce
        let algorithm = challenge.algorithm
        let secret = algorithm.digest(login.user, challenge.realm, login.password)
        self.secret =
            algorithm.isSession ? algorithm.digest(secret, challenge.nonce, clientNonce) : secret
        shownUser =
            if challenge.hashesUser {
                "username=\(quoted(algorithm.digest(login.user, challenge.realm)))"
            } else if login.user.isQuotable(asUTF8: !challenge.isUTF8) {
                "username=\(quoted(login.user))"
            } else {
                "username*=UTF-8''\(escaped(login.user))"
            }
    }

    /// Returns the value of `Authorization` for the next request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - target: The request target, such as `/path?query`.
    mutating func authorization(method: HTTPMethod, target: String) -> String {
        uses &+= 1
        let count = String(uses, radix: 16).padded(to: 8)
        let algorithm = challenge.algorithm
        let request = algorithm.digest(method.rawValue, target)
        let response =
            challenge.hasQuality
            ? algorithm.digest(secret, nonce, count, clientNonce, "auth", request)
            : algorithm.digest(secret, nonce, request)
        var parts = [
            shownUser, "realm=\(quoted(challenge.realm))", "uri=\(quoted(target))", "nonce=\(quoted(nonce))",
            "response=\"\(response)\"",
        ]
        if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
        if challenge.hasQuality { parts += ["qop=auth", "nc=\(count)"] }
        if challenge.hasQuality || algorithm.isSession { parts.append("cnonce=\(quoted(clientNonce))") }
        if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// Continues with the nonce in an `Authentication-Info` field.
    mutating func replaceNonce(with nonce: String) {
        self.nonce = nonce
        uses = 0
    }
}

/// Returns a quoted string (RFC 9110 §5.6.4).
private func quoted(_ text: String) -> String {
    "\"" + replacing(["\\": "\\\\", "\"": "\\\""], in: text) + "\""
}

extension String {
    /// Whether it can be sent as a quoted string.
    fileprivate func isQuotable(asUTF8: Bool) -> Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && ($0 < 0x80 || asUTF8) }
    }
}
