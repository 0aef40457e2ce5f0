/// Where a redirection leads, and what of the request goes there (RFC 9110 §15.4).
package struct Redirect: Equatable, Sendable {
    package var method: HTTPMethod
    package var url: URL
    package var keepsBody: Bool
    /// Whether the new URL is of the same origin: what the caller sent as credentials goes nowhere else.
    package var keepsCredentials: Bool

    /// What the response to a request asks for; nil if it is a response to hand over: of another status, or without a
    /// `Location` that can be understood.
    ///
    /// - Throws: `unsafeRedirect` if it leads away from HTTP.
    package init?(_ head: ResponseHead, to request: TransportRequest) throws(TransportFailure) {
        switch head.status {
        case 301, 302, 303, 307, 308: break
        default: return nil
        }
        guard let target = Self.target(of: head, from: request.url) else { return nil }
        guard target.isHTTP else {
            throw TransportFailure(
                .unsafeRedirect,
                "the server redirects to the scheme '\(target.scheme ?? "")', which is not http or https")
        }
        guard target.mistakeForHTTP == nil else { return nil }
        url = target
        switch head.status {
        case 303: method = request.method == .head ? .head : .get
        // Everyone does so with these two, and RFC 9110 allows it.
        case 301, 302: method = request.method == .post ? .get : request.method
        default: method = request.method
        }
        keepsBody = method == request.method && head.status != 303
        keepsCredentials = target.isSameOrigin(as: request.url)
    }

    /// The request that follows the redirection.
    package func request(after request: TransportRequest) throws(TransportFailure) -> TransportRequest {
        var next = request
        next.method = method
        next.url = url
        if !keepsBody {
            next.body = nil
            for field in request.headers where field.name.lowercased().hasPrefix("content-") {
                next.headers[field.name] = nil
            }
        }
        if !keepsCredentials {
            for name in ["Authorization", "Proxy-Authorization", "Cookie"] { next.headers[name] = nil }
            next.tls.clientCertificate = nil
        }
        try next.takeCredentials()
        try next.checkPins()
        return next
    }

    /// The URL in `Location`, relative to the one that was asked; it inherits the fragment (RFC 9110 §10.2.2).
    private static func target(of head: ResponseHead, from base: URL) -> URL? {
        let locations = head.headers.values(for: "Location")
        guard let location = locations.first, !location.isEmpty, locations.allSatisfy({ $0 == location }),
            let url = URL(string: location, relativeTo: base)?.absoluteURL
        else { return nil }
        guard let fragment = base.fragment(percentEncoded: true), url.fragment(percentEncoded: true) == nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.percentEncodedFragment = fragment
        return components.url
    }
}

extension URL {
    /// Whether scheme, host and port are the same.
    func isSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && isSameHost(as: other)
            && effectivePort == other.effectivePort
    }

    /// Whether the host is the same, at whatever port.
    func isSameHost(as other: URL) -> Bool {
        host(percentEncoded: true)?.lowercased() == other.host(percentEncoded: true)?.lowercased()
    }
}
