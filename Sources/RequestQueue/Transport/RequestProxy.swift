/// The proxy that a request is sent through.
///
/// ```swift
/// client.proxy = .url(URL(string: "http://user:password@proxy.example.com:3128")!)
/// ```
public enum RequestProxy: Sendable, Hashable {
    /// The proxy of the system: on Linux, that of the environment as for `curl` (`http_proxy`, `https_proxy`, `all_proxy`,
    /// `no_proxy`), but never for the loopback interface; on Apple platforms, that of the settings.
    case system
    /// No proxy.
    case none
    /// A proxy with the scheme `http`, `https`, `socks5` or `socks5h`, with an optional user and password.
    ///
    /// An `http` proxy creates a tunnel to servers with `https`. If it refuses, the request fails with
    /// ``RequestError/Kind/proxyFailed``. URLSession supports the proxy of the system only.
    case url(URL)

    func checked() throws(TransportFailure) -> RequestProxy {
        guard case .url(let url) = self else { return self }
        guard ["http", "https", "socks5", "socks5h"].contains(url.scheme?.lowercased() ?? ""),
            url.host()?.isEmpty == false
        else {
            throw TransportFailure(
                .invalidURL,
                "the proxy '\(url.shown)' is not a URL of a host with the scheme http, https, socks5 or socks5h")
        }
        return self
    }
}

extension RequestProxy: CustomStringConvertible, CustomReflectable {
    /// The URL without user and password.
    public var description: String {
        switch self {
        case .system: "system"
        case .none: "none"
        case .url(let url): url.shown
        }
    }

    /// The description.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }
}
