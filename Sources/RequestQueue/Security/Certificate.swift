import MappingDigests

/// An X.509 certificate (RFC 5280).
public struct Certificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: Data
    /// The pin of its public key.
    public let publicKeyPin: PublicKeyPin

    /// Reads a single certificate from PEM text or DER bytes.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` unless there is exactly one certificate.
    public init(_ data: Data) throws(RequestError) {
        let certificates = try Self.all(in: data)
        guard certificates.count == 1 else {
            throw .invalidTLSOptions("expected one certificate, found \(certificates.count)")
        }
        self = certificates[0]
    }

    /// Reads all certificates in PEM text, ignoring text in between, or the one in DER bytes.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` if no certificate is found, or if one is damaged.
    public static func all(in data: Data) throws(RequestError) -> [Certificate] {
        if data.first == DERReader.sequence { return [try Certificate(der: data)] }
        var certificates: [Certificate] = []
        for block in try PEMBlock.all(in: data) where block.label == "CERTIFICATE" {
            do throws(RequestError) { certificates.append(try Certificate(der: block.bytes)) } catch {
                throw .invalidTLSOptions("certificate \(certificates.count + 1) of the PEM text is damaged")
            }
        }
        guard !certificates.isEmpty else {
            throw .invalidTLSOptions("no certificate found; expected 'BEGIN CERTIFICATE' or DER")
        }
        return certificates
    }

    /// Reads all certificates in a PEM or DER file.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions`, with the path, if the file cannot be read, contains no
    ///   certificate, or contains a damaged one.
    public static func all(in file: URL) throws(RequestError) -> [Certificate] {
        try read(file, Certificate.all)
    }

    private init(der: Data) throws(RequestError) {
        guard let key = DERReader.publicKey(ofCertificate: der) else {
            throw .invalidTLSOptions("the certificate is damaged")
        }
        self.der = der
        publicKeyPin = PublicKeyPin(ofPublicKey: key)
    }
}

extension RequestError {
    /// An error of kind `invalidTLSOptions`.
    static func invalidTLSOptions(_ cause: String) -> RequestError { RequestError(.invalidTLSOptions, cause) }
}

/// Reads certificates or keys from a file, and adds the file's path to errors.
func read<Value>(
    _ file: URL, _ parse: (Data) throws(RequestError) -> Value
) throws(RequestError) -> Value {
    let data: Data
    do throws(RequestError) { _ = try FileIdentity(of: file) } catch { throw .invalidTLSOptions(error.cause) }
    do { data = try Data(contentsOf: file) } catch {
        throw .invalidTLSOptions("the file '\(printable(file.path))' cannot be read: \(error)")
    }
    do throws(RequestError) { return try parse(data) } catch {
        throw .invalidTLSOptions("\(error.cause), in the file '\(printable(file.path))'")
    }
}

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
