import Digests

/// The digest of a public key: SHA-256 of its `SubjectPublicKeyInfo` (RFC 7469 §2.4).
///
/// A renewed certificate with the same key has the same pin.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// The digest, 32 bytes.
    public let sha256: Data

    /// Creates a pin from its text form: `sha256/` and the digest in base64.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` if the text is not a pin.
    public init(_ text: String) throws(RequestError) {
        let prefix = "sha256/"
        guard text.hasPrefix(prefix), let digest = Data(base64Encoded: String(text.dropFirst(prefix.count))),
            digest.count == 32
        else {
            throw .invalidTLSOptions(
                "'\(printable(text))' is not a pin; expected 'sha256/' and 32 bytes in base64")
        }
        sha256 = digest
    }

    /// Creates the pin of a public key, which is a `SubjectPublicKeyInfo` in DER.
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
