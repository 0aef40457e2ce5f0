import Digests

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
