/// A challenge of the scheme Digest that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Equatable {
    var realm: String
    var nonce: String
    var opaque: String?
    /// As the server wrote it; nil for none.
    var algorithmName: String?
    var algorithm: DigestAlgorithm
    /// Whether the server counts the uses of a nonce; one that does not is older than RFC 2617.
    var hasQuality: Bool
    /// Whether the password was right, and only the nonce too old.
    var isStale: Bool
    var hashesUser: Bool
    var isUTF8: Bool
    /// Where the same credentials hold; nil: everywhere at the origin.
    var domain: String?

    /// A challenge that can be answered: of a known algorithm, and not asking for a digest of the body, for which the
    /// whole of it would have to be read before it is sent.
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
