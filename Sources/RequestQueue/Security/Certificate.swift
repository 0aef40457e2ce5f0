import Digests

/// An X.509 certificate (RFC 5280).
public struct Certificate: Sendable, Hashable {
    /// Its bytes, in DER.
    public let der: Data
    /// The digest of its public key, to be pinned.
    public let publicKeyPin: PublicKeyPin

    /// The one certificate in a text of PEM, or in bytes of DER.
    ///
    /// - Throws: An error of kind `invalidTLSOptions` unless there is exactly one.
    public init(_ data: Data) throws(RequestError) {
        let certificates = try Self.all(in: data)
        guard certificates.count == 1 else {
            throw .invalidTLSOptions("one certificate was expected, and there are \(certificates.count)")
        }
        self = certificates[0]
    }

    /// The certificates in a text of PEM, whatever stands between them, or the one in bytes of DER.
    ///
    /// - Throws: An error of kind `invalidTLSOptions` if there is none, or one that is damaged.
    public static func all(in data: Data) throws(RequestError) -> [Certificate] {
        if data.first == DERReader.sequence { return [try Certificate(der: data)] }
        var certificates: [Certificate] = []
        for block in try PEMBlock.all(in: data) where block.label == "CERTIFICATE" {
            do throws(RequestError) { certificates.append(try Certificate(der: block.bytes)) } catch {
                throw .invalidTLSOptions("certificate \(certificates.count + 1) of the PEM text is damaged")
            }
        }
        guard !certificates.isEmpty else {
            throw .invalidTLSOptions("there is no certificate, neither 'BEGIN CERTIFICATE' nor DER")
        }
        return certificates
    }

    /// The certificates in a file of PEM or DER.
    ///
    /// - Throws: An error of kind `invalidTLSOptions`, with the path, if it cannot be read, has none, or a damaged one.
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
    /// That something given for TLS cannot be used.
    static func invalidTLSOptions(_ cause: String) -> RequestError { RequestError(.invalidTLSOptions, cause) }
}

/// What a file of certificates or keys has, with the file's path in what is wrong.
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
