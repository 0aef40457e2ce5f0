/// A cookie: a name and a value that a server sets and the client sends back (RFC 6265).
public struct Cookie: Sendable, Hashable {
    /// The name, unchanged.
    public let name: String
    /// The value, unchanged; HTTP does not interpret escapes in it.
    public let value: String
    /// The host that receives the cookie, in lowercase and without a leading dot.
    public let domain: String
    /// Whether the cookie is sent to the host only, and not to its subdomains.
    public let isHostOnly: Bool
    /// The path prefix of the URLs to which it is sent.
    public let path: String
    /// The expiry date; `nil` for a session cookie.
    public let expires: Date?
    /// Whether it is sent over TLS only.
    public let isSecure: Bool
    /// Whether the server hides it from scripts.
    public let isHTTPOnly: Bool

    /// Creates a cookie for a host and, unless it is host-only, for its subdomains.
    ///
    /// - Returns: `nil` if name, value or path contain an invalid character, such as a line break or a semicolon.
    public init?(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false
    ) {
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "=")), path.utf8.first == UInt8(ascii: "/"),
            !domain.isEmpty,
            [name, value, path].allSatisfy({
                $0.utf8.allSatisfy { isTextOfField($0) && $0 != UInt8(ascii: ";") }
            })
        else { return nil }
        self.name = name
        self.value = value
        self.domain = domain.lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }

    /// Whether it replaces another cookie.
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether a request to a URL includes it (RFC 6265 §5.4).
    func isSent(to url: URL) -> Bool {
        guard let host = url.cookieHost else { return false }
        return (isHostOnly ? host == domain : host.isCookieDomain(domain)) && url.isUnder(path)
            && (!isSecure || url.isSecure)
    }
}

/// Whether a byte is valid in a header field: any byte except control characters other than tab.
func isTextOfField(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") }

extension URL {
    /// The host in the form that cookies compare; `nil` without a host.
    var cookieHost: String? {
        guard let host = host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    var isSecure: Bool { scheme?.lowercased() == "https" }

    /// The default path of a cookie from this URL: its path up to the last slash (RFC 6265 §5.1.4).
    var cookiePath: String {
        let path = path(percentEncoded: true)
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Whether the path of a cookie matches this URL (RFC 6265 §5.1.4).
    func isUnder(_ cookiePath: String) -> Bool {
        let path = path(percentEncoded: true)
        let requestPath = path.utf8.isEmpty ? "/" : path
        guard requestPath.utf8.starts(with: cookiePath.utf8) else { return false }
        return requestPath.utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == UInt8(ascii: "/")
            || requestPath.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }
}

extension String {
    /// Whether this host is a domain or one of its subdomains; an IP address matches only itself (RFC 6265 §5.1.3).
    func isCookieDomain(_ domain: String) -> Bool {
        if self == domain { return true }
        let isAddress = contains(":") || split(separator: ".").last?.allSatisfy { $0.isASCII && $0.isNumber } ?? false
        return !isAddress && hasSuffix("." + domain)
    }
}
