import Digests

/// A public key by its digest, SHA-256 of its `SubjectPublicKeyInfo` (RFC 7469 §2.4).
///
/// The key outlives the certificate: a new certificate for the same key has the same pin.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// The digest, 32 bytes.
    public let sha256: Data

    /// A pin of its text form, `sha256/` and the digest in base64.
    ///
    /// - Throws: An error of kind `invalidTLSOptions` if it is none.
    public init(_ text: String) throws(RequestError) {
        let prefix = "sha256/"
        guard text.hasPrefix(prefix), let digest = Data(base64Encoded: String(text.dropFirst(prefix.count))),
            digest.count == 32
        else {
            throw .invalidTLSOptions(
                "'\(printable(text))' is no pin: 'sha256/' and 32 bytes in base64 are expected")
        }
        sha256 = digest
    }

    /// The pin of a public key in DER, its `SubjectPublicKeyInfo`.
    init(ofPublicKey key: some Sequence<UInt8>) {
        var digest = SHA256()
        digest.update(Array(key))
        sha256 = Data(digest.finalize())
    }

    /// The text form, `sha256/` and the digest in base64.
    public var description: String { "sha256/" + base64 }

    /// The digest in base64.
    var base64: String { sha256.base64EncodedString() }
}
