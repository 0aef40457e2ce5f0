/// A certificate with its private key, by which a client proves to a server who it is.
///
/// Its description shows neither key nor password.
public struct ClientCertificate: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// The certificates, the client's own first, and its key as a text of PEM.
        case pem([Certificate], key: Data)
        case pkcs12(Data)
    }

    let form: Form
    /// Of the key; empty for none.
    let password: String

    /// A certificate and a private key as texts of PEM; certificates of authorities in between may follow the first.
    ///
    /// `CurlTransport` takes this form; URLSession on Apple platforms takes PKCS #12 only.
    ///
    /// - Parameters:
    ///   - certificate: With `BEGIN CERTIFICATE`; it may be the same text as the key's.
    ///   - key: With `BEGIN PRIVATE KEY` or one of its like.
    ///   - password: Of the key, if it is encrypted.
    /// - Throws: An error of kind `invalidTLSOptions` if either is missing or damaged, or if there is no password for an
    ///   encrypted key. That they do not fit each other, or that the password is wrong, is told when a request is sent.
    public init(certificate: Data, key: Data, password: String? = nil) throws(RequestError) {
        let certificates = try Certificate.all(in: certificate)
        try self.init(certificates, key: try Self.privateKey(in: key, hasPassword: password != nil), password)
    }

    /// A certificate and a private key in files of PEM.
    ///
    /// - Throws: An error of kind `invalidTLSOptions`, with the path, also if a file cannot be read.
    public init(certificate: URL, key: URL, password: String? = nil) throws(RequestError) {
        let certificates = try Certificate.all(in: certificate)
        let key = try read(key) { data throws(RequestError) in
            try Self.privateKey(in: data, hasPassword: password != nil)
        }
        try self.init(certificates, key: key, password)
    }

    /// A certificate and its key in one piece, PKCS #12 (RFC 7292).
    ///
    /// - Throws: An error of kind `invalidTLSOptions` if it is none. That the password is wrong is told when a request
    ///   is sent.
    public init(pkcs12: Data, password: String) throws(RequestError) {
        guard DERReader.isOneSequence(pkcs12) else { throw .invalidTLSOptions("the data is no PKCS #12") }
        try self.init(.pkcs12(pkcs12), password)
    }

    /// A certificate and its key in a file of PKCS #12, as `.p12` or `.pfx`.
    ///
    /// - Throws: An error of kind `invalidTLSOptions`, with the path, also if the file cannot be read.
    public init(pkcs12: URL, password: String) throws(RequestError) {
        self = try read(pkcs12) { data throws(RequestError) in
            try ClientCertificate(pkcs12: data, password: password)
        }
    }

    private init(_ certificates: [Certificate], key: PEMBlock, _ password: String?) throws(RequestError) {
        try self.init(.pem(certificates, key: key.text), password ?? "")
    }

    private init(_ form: Form, _ password: String) throws(RequestError) {
        // It would end there for OpenSSL.
        guard !password.utf8.contains(0) else { throw .invalidTLSOptions("the password of the key holds a NUL") }
        self.form = form
        self.password = password
    }

    /// The one private key of a text of PEM.
    private static func privateKey(in data: Data, hasPassword: Bool) throws(RequestError) -> PEMBlock {
        let keys = try PEMBlock.all(in: data).filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard keys.count == 1 else {
            throw .invalidTLSOptions(
                keys.isEmpty
                    ? "there is no private key, 'BEGIN PRIVATE KEY'"
                    : "one private key was expected, and there are \(keys.count)")
        }
        guard hasPassword || !keys[0].isEncrypted else {
            throw .invalidTLSOptions("the private key is encrypted, and no password is given")
        }
        return keys[0]
    }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// What it is, without the key.
    public var description: String {
        switch form {
        case .pem(let certificates, _): "a client certificate of the key \(certificates[0].publicKeyPin)"
        case .pkcs12: "a client certificate in PKCS #12"
        }
    }

    /// Nothing of what is within.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
