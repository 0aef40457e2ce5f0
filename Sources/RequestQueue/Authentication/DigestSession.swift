/// The answers to a digest challenge: each request of a session counts its nonce up (RFC 7616 §3.4).
struct DigestSession: Sendable {
    private let challenge: DigestChallenge
    /// `username` as it is sent, with its name.
    private let shownUser: String
    /// The digest of user, realm and password.
    private let secret: String
    /// The same for the whole session, so that all agree on the secret of `-sess`.
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

    /// The value of `Authorization` for the next request.
    ///
    /// - Parameter target: The target as it is sent, as `/path?query`.
    mutating func authorization(method: HTTPMethod, target: String) -> String {
        uses &+= 1
        let count = hexadecimal(uses)
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

    /// Goes on with another nonce, as `Authentication-Info` tells it.
    mutating func goOn(with nonce: String) {
        self.nonce = nonce
        uses = 0
    }
}

/// A text in quotes (RFC 9110 §5.6.4).
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// A text as RFC 8187 writes it.
private func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { if isUnreserved(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) } }
    return String(decoding: bytes, as: UTF8.self)
}

/// A number of eight hexadecimal digits.
private func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
}

extension String {
    /// Whether it can stand in quotes.
    fileprivate func isQuotable(asUTF8: Bool) -> Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && ($0 < 0x80 || asUTF8) }
    }
}
