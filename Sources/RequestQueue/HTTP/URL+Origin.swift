extension URL {
    /// Whether scheme, host and port are the same.
    package func isSameOrigin(as other: URL) -> Bool {
        originKey == other.originKey
    }

    /// Scheme, host and port in lowercase, such as `https://example.com:443`, identical for the same origin.
    var originKey: String {
        "\(scheme?.lowercased() ?? "")://\(host(percentEncoded: true)?.lowercased() ?? ""):\(effectivePort)"
    }

    /// Whether the host is the same, with any port.
    func isSameHost(as other: URL) -> Bool {
        host(percentEncoded: true)?.lowercased() == other.host(percentEncoded: true)?.lowercased()
    }

    /// Whether the scheme is `http` or `https`.
    var isHTTP: Bool {
        let scheme = scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// The port of the URL, or the default port of its scheme.
    var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension HTTPHeaders.Field {
    /// Whether a field of the client is sent to another origin, because it identifies neither user nor app.
    var isAnonymous: Bool {
        let name = name.lowercased()
        return name == "accept" || name.hasPrefix("accept-") || name == "user-agent" || name == "range"
    }
}
