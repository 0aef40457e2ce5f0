import MappingDigests

/// The trusted authorities, pinned keys, client certificate and minimum version of TLS connections.
///
/// By default, the authorities of the system are trusted, the hostname is verified, no key is pinned, there is no
/// client certificate, and the minimum version is TLS 1.2.
///
/// ```swift
/// client.tls = TLSOptions(pinnedPublicKeys: [
///     try PublicKeyPin("sha256/sWg2w5YvYVPXGq2HOjxfRCMXp+nPxEBCfHAP0AEoPqM="),
///     try PublicKeyPin("sha256/jdFDJTvJDmRzKTYkM7zN6JTKY2RXXgMoFGQYdBAf4gM="),
/// ])
/// ```
///
/// Requests with different options never share a connection.
public struct TLSOptions: Sendable, Hashable {
    /// The trusted certificate authorities.
    public enum Authorities: Sendable, Hashable {
        /// The authorities of the system.
        case system
        /// Only these authorities, for example those of a company's network.
        case only([Certificate])
        /// These authorities, in addition to those of the system.
        case systemAnd([Certificate])
        /// **Dangerous.** Trusts any certificate: an attacker in the network can read and change all data unnoticed.
        ///
        /// Neither certificate nor hostname is verified; pinned keys still are. Use it only for tests with a local
        /// server, and never in a release.
        case insecurelyAcceptingAnyCertificate
    }

    /// A version of TLS.
    ///
    /// Older versions are insecure (RFC 8996) and not supported.
    public enum Version: Int, Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = 2
        /// TLS 1.3 (RFC 8446).
        case tls13 = 3
    }

    /// The trusted certificate authorities.
    ///
    /// Defaults to those of the system.
    public var authorities: Authorities
    /// The pinned public keys: the server's certificate must be trusted and have one of them.
    ///
    /// An empty set accepts any key.
    ///
    /// Pins apply to all connections, including redirects to other hosts; a request to an `http` URL is not sent.
    /// Include a backup key that is not in use yet: otherwise a new key of the server makes all requests fail.
    public var pinnedPublicKeys: Set<PublicKeyPin>
    /// The certificate that is sent if the server requests one.
    ///
    /// Defaults to `nil`.
    ///
    /// That of a client is not sent to another origin, after a redirect or with an absolute URL.
    public var clientCertificate: ClientCertificate?
    /// The minimum TLS version.
    ///
    /// Defaults to TLS 1.2.
    public var minimumVersion: Version

    /// Creates options; the defaults are those of the properties.
    public init(
        authorities: Authorities = .system, pinnedPublicKeys: Set<PublicKeyPin> = [],
        clientCertificate: ClientCertificate? = nil, minimumVersion: Version = .tls12
    ) {
        self.authorities = authorities
        self.pinnedPublicKeys = pinnedPublicKeys
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
    }
}

extension TLSOptions {
    /// Identifies the options in persistent caches; `nil` for the defaults.
    package var cacheIdentity: String? {
        if self == TLSOptions() { return nil }
        var parts = ["\(minimumVersion)"] + pinnedPublicKeys.map(\.description).sorted()
        switch authorities {
        case .system: parts.append("system")
        case .only(let certificates): parts += ["only"] + certificates.map { SHA256.hex(of: $0.der) }
        case .systemAnd(let certificates): parts += ["systemAnd"] + certificates.map { SHA256.hex(of: $0.der) }
        case .insecurelyAcceptingAnyCertificate: parts.append("any")
        }
        switch clientCertificate?.form {
        case .pem(let certificates, _): parts += ["client"] + certificates.map { SHA256.hex(of: $0.der) }
        case .pkcs12(let data): parts += ["client", SHA256.hex(of: data)]
        case nil: break
        }
        return SHA256.hex(of: parts.joined(separator: "\n").utf8)
    }
}
