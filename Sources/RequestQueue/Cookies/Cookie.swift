/// A cookie: a named text that a server asked to be sent back (RFC 6265).
public struct Cookie: Sendable, Hashable {
    /// The name, as it was set.
    public let name: String
    /// The value, as it was set; no escape in it means anything to HTTP.
    public let value: String
    /// The host that gets it, in lower case and without a dot before it.
    public let domain: String
    /// Whether only the host itself gets it; otherwise those below it do, too.
    public let isHostOnly: Bool
    /// The path under which it is sent.
    public let path: String
    /// When it goes; nil for one that is kept as long as its store.
    public let expires: Date?
    /// Whether it is sent over TLS only.
    public let isSecure: Bool
    /// Whether the server wants no script to see it; kept for who asks.
    public let isHTTPOnly: Bool

    /// A cookie of one's own making, for a host and, unless it is host-only, for those below it.
    ///
    /// - Returns: Nil if name, value or path has a character that no cookie can have, as a line break or a semicolon.
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

    /// Whether it takes the place of another.
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether a request to a URL carries it (RFC 6265 §5.4).
    func isSent(to url: URL) -> Bool {
        guard let host = url.cookieHost else { return false }
        return (isHostOnly ? host == domain : host.isCookieDomain(domain)) && url.isUnder(path)
            && (!isSecure || url.isSecure)
    }
}

/// Whether a byte may stand in a field: no control character but a tab.
func isTextOfField(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") }

extension URL {
    /// The host as cookies compare it; nil without one.
    var cookieHost: String? {
        guard let host = host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    var isSecure: Bool { scheme?.lowercased() == "https" }

    /// The path that a cookie of this URL has unless it says one: the URL's up to its last slash (RFC 6265 §5.1.4).
    var cookiePath: String {
        let path = path(percentEncoded: true)
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Whether a cookie of a path is for this URL (RFC 6265 §5.1.4).
    func isUnder(_ cookiePath: String) -> Bool {
        let path = path(percentEncoded: true)
        let whole = path.utf8.isEmpty ? "/" : path
        guard whole.utf8.starts(with: cookiePath.utf8) else { return false }
        return whole.utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == UInt8(ascii: "/")
            || whole.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }
}

extension String {
    /// Whether a host, which this is, is a domain or below it; an address is below nothing (RFC 6265 §5.1.3).
    func isCookieDomain(_ domain: String) -> Bool {
        if self == domain { return true }
        let isAddress = contains(":") || split(separator: ".").last?.allSatisfy { $0.isASCII && $0.isNumber } ?? false
        return !isAddress && hasSuffix("." + domain)
    }
}
