/// A certificate with its private key, with which a client authenticates to a server.
///
/// Its description contains neither key nor password.
public struct ClientCertificate: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// The certificates, starting with the client's, and the key as PEM text.
        case pem([Certificate], key: Data)
        case pkcs12(Data)
    }

    let form: Form
    /// The password of the key; empty without a password.
    let password: String

    /// Creates a client certificate from PEM texts.
    ///
    /// The certificate can be followed by intermediate certificates. `CurlTransport` supports this form; URLSession on
    /// Apple platforms supports PKCS #12 only.
    ///
    /// - Parameters:
    ///   - certificate: A text with `BEGIN CERTIFICATE`; it can be the same text as that of the key.
    ///   - key: A text with `BEGIN PRIVATE KEY` or a similar label.
    ///   - password: The password of an encrypted key. Defaults to `nil`.
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` if certificate or key is missing or damaged, or if the
    ///   password of an encrypted key is missing. A wrong password, or a key of another certificate, is reported when a
    ///   request is sent.
    public init(certificate: Data, key: Data, password: String? = nil) throws(RequestError) {
        let certificates = try Certificate.all(in: certificate)
        try self.init(certificates, key: try Self.privateKey(in: key, hasPassword: password != nil), password)
    }

    /// Creates a client certificate from PEM files.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions`, with the path, also if a file cannot be read.
    public init(certificate: URL, key: URL, password: String? = nil) throws(RequestError) {
        let certificates = try Certificate.all(in: certificate)
        let key = try read(key) { data throws(RequestError) in
            try Self.privateKey(in: data, hasPassword: password != nil)
        }
        try self.init(certificates, key: key, password)
    }

    /// Creates a client certificate from a PKCS #12 archive (RFC 7292), which contains certificate and key.
    ///
    /// Apple platforms require an archive with a password; `CurlTransport` accepts an empty one.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions` if the data is not PKCS #12. A wrong password is
    ///   reported when a request is sent.
    public init(pkcs12: Data, password: String) throws(RequestError) {
        guard DERReader.isOneSequence(pkcs12) else { throw .invalidTLSOptions("the data is not PKCS #12") }
        try self.init(.pkcs12(pkcs12), password)
    }

    /// Creates a client certificate from a PKCS #12 file, `.p12` or `.pfx`.
    ///
    /// - Throws: A ``RequestError`` of kind `invalidTLSOptions`, with the path, also if the file cannot be read.
    public init(pkcs12: URL, password: String) throws(RequestError) {
        self = try read(pkcs12) { data throws(RequestError) in
            try ClientCertificate(pkcs12: data, password: password)
        }
    }

    private init(_ certificates: [Certificate], key: PEMBlock, _ password: String?) throws(RequestError) {
        try self.init(.pem(certificates, key: key.text), password ?? "")
    }

    private init(_ form: Form, _ password: String) throws(RequestError) {
        // OpenSSL would treat NUL as the end of the password.
        guard !password.utf8.contains(0) else { throw .invalidTLSOptions("the password of the key contains a NUL") }
        self.form = form
        self.password = password
    }

    /// Returns the single private key in a PEM text.
    private static func privateKey(in data: Data, hasPassword: Bool) throws(RequestError) -> PEMBlock {
        let keys = try PEMBlock.all(in: data).filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard keys.count == 1 else {
            throw .invalidTLSOptions(
                keys.isEmpty
                    ? "no private key found; expected 'BEGIN PRIVATE KEY'"
                    : "expected one private key, found \(keys.count)")
        }
        guard hasPassword || !keys[0].isEncrypted else {
            throw .invalidTLSOptions("the private key is encrypted; pass its password")
        }
        return keys[0]
    }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// The kind of certificate, without the key.
    public var description: String {
        switch form {
        case .pem(let certificates, _): "a client certificate with the key \(certificates[0].publicKeyPin)"
        case .pkcs12: "a client certificate in PKCS #12"
        }
    }

    /// An empty mirror, so that `dump` does not show the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
