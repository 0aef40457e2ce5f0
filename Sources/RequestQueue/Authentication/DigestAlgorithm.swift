import Digests

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
