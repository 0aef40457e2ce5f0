import Digests

/// How the other side of a connection over TLS proves who it is, and how we do.
///
/// Unless told, the system's authorities are trusted, the host's name is checked, no key is pinned, there is no client
/// certificate, and TLS is 1.2 or newer.
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
    /// Whose certificates are trusted.
    public enum Authorities: Sendable, Hashable {
        /// The authorities of the system.
        case system
        /// These and no others, as of a company's own network.
        case only([Certificate])
        /// These beside the system's.
        case systemAnd([Certificate])
        /// **Dangerous.** Anyone: whoever stands between, as in a public network, reads and changes everything, and
        /// nobody notices.
        ///
        /// Neither certificate nor host name is checked; keys that are pinned still are. It is for a test against a
        /// server of one's own, and never for what is given to users.
        case insecurelyAcceptingAnyCertificate
    }

    /// A version of the protocol.
    ///
    /// Older ones than these are not safe (RFC 8996).
    public enum Version: Int, Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12 = 2
        /// TLS 1.3 (RFC 8446).
        case tls13 = 3
    }

    /// Whose certificates are trusted; the system's authorities unless told.
    public var authorities: Authorities
    /// The public keys of which the server's certificate must have one, beside being trusted; with none, any key is taken.
    ///
    /// It holds for every connection and behind every redirect, also to another host; a request to a URL of `http` is not
    /// sent. Give a key that is not in use yet beside the one that is, or a change of the server's key locks you out.
    public var pinnedPublicKeys: Set<PublicKeyPin>
    /// What the server is shown if it asks who we are; nil for nothing.
    ///
    /// A redirect to another origin is followed without it.
    public var clientCertificate: ClientCertificate?
    /// The oldest version that is spoken; TLS 1.2 unless told.
    public var minimumVersion: Version

    /// Options, each with the value it has unless told.
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
    /// What tells answers that came by these options from those of others, for caches that outlive the process; nil for
    /// the options that hold unless told.
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
