import MappingDigests

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

/// A supported challenge of the scheme Digest (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Equatable {
    var realm: String
    var nonce: String
    var opaque: String?
    /// The algorithm as the server wrote it; `nil` if it is missing.
    var algorithmName: String?
    var algorithm: DigestAlgorithm
    /// Whether the server sent `qop`; without it, the server follows the rules before RFC 2617.
    var hasQuality: Bool
    /// Whether the nonce has expired, but the password was correct.
    var isStale: Bool
    var hashesUser: Bool
    var isUTF8: Bool
    /// The URLs of the protection space; `nil` for the whole origin.
    var domain: String?

    /// Creates a challenge; `nil` if its algorithm is unknown, or if it requires a digest of the body (`auth-int`).
    ///
    /// A digest of the body would require reading all of it before it is sent.
    init?(_ challenge: Challenge) {
        guard challenge.scheme == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(challenge["algorithm"])
        else { return nil }
        let qualities = challenge["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        guard qualities?.contains("auth") ?? true else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        algorithmName = challenge["algorithm"]
        opaque = challenge["opaque"]
        hasQuality = qualities != nil
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
        domain = challenge["domain"]
    }
}

/// The algorithm of a digest (RFC 7616 §3.4).
struct DigestAlgorithm: Sendable, Equatable {
    enum Function: Int, Sendable {
        case md5, sha256
    }

    let function: Function
    /// Whether the first nonces of a session are part of its secret (`-sess`).
    let isSession: Bool

    /// Creates an algorithm from its name; a missing name is MD5, and an unknown name returns `nil`.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": (function, isSession) = (.md5, false)
        case "md5-sess": (function, isSession) = (.md5, true)
        case "sha-256": (function, isSession) = (.sha256, false)
        case "sha-256-sess": (function, isSession) = (.sha256, true)
        default: return nil
        }
    }

    /// Returns the digest of texts separated by colons, in lowercase hexadecimal.
    func digest(_ texts: String...) -> String {
        let bytes = texts.joined(separator: ":").utf8
        return switch function {
        case .md5: MD5.hex(of: bytes)
        case .sha256: SHA256.hex(of: bytes)
        }
    }
}
