/// Where a redirection leads, and what of the request is sent there (RFC 9110 §15.4).
package struct Redirect: Equatable, Sendable {
    package var method: HTTPMethod
    package var url: URL
    package var keepsBody: Bool
    /// Whether the new URL is of the same origin.
    package var isSameOrigin: Bool
    /// Fields that are sent to another origin by the caller's wish, in lower case.
    package var forwardedHeaders: Set<String> = []

    /// What the response to a request asks for; nil if it is a response to hand over: of another status, without a
    /// `Location` that can be understood, or by decision of the policy.
    ///
    /// - Throws: `unsafeRedirect` if it leads away from HTTP, or if it needs a consent that the policy does not give.
    package init?(
        _ head: ResponseHead, to request: TransportRequest, policy: RedirectPolicy? = nil
    ) throws(TransportFailure) {
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
        isSameOrigin = target.isSameOrigin(as: request.url)
        let redirection = Redirection(
            status: head.status, source: request.url, target: target, method: method,
            sendsBody: keepsBody && request.body != nil, isSameOrigin: isSameOrigin)
        switch policy?.decide(redirection) ?? .standard {
        case .standard: try redirection.checkConsent()
        case .follow(let headers): forwardedHeaders = Set(headers.map { $0.lowercased() })
        case .respond: return nil
        }
    }

    /// The request that follows the redirection.
    package func request(after request: TransportRequest) throws(TransportFailure) -> TransportRequest {
        var next = request
        next.method = method
        next.url = url
        if !keepsBody { next.body = nil }
        let hasBody = next.body != nil
        next.headers = HTTPHeaders(fields: request.headers.filter { isSent($0, hasBody: hasBody) })
        if !isSameOrigin { next.tls.clientCertificate = nil }
        try next.checkPins()
        return next
    }

    /// Whether a field is sent to the new URL: to another origin only those that identify neither user nor application.
    private func isSent(_ field: HTTPHeaders.Field, hasBody: Bool) -> Bool {
        let name = field.name.lowercased()
        if name.hasPrefix("content-") { return keepsBody && (isSameOrigin || hasBody) }
        return isSameOrigin || name == "accept" || name.hasPrefix("accept-") || name == "user-agent" || name == "range"
            || forwardedHeaders.contains(name)
    }

    /// The URL in `Location`, relative to the one that was asked; it inherits the fragment (RFC 9110 §10.2.2).
    ///
    /// User and password in it are dropped: they would be the server's choice.
    private static func target(of head: ResponseHead, from base: URL) -> URL? {
        let locations = head.headers.values(for: "Location")
        guard let location = locations.first, !location.isEmpty, locations.allSatisfy({ $0 == location }),
            let url = URL(string: location, relativeTo: base)?.absoluteURL
        else { return nil }
        let fragment = url.fragment(percentEncoded: true) == nil ? base.fragment(percentEncoded: true) : nil
        guard fragment != nil || url.user(percentEncoded: true) != nil || url.password(percentEncoded: true) != nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        if let fragment { components.percentEncodedFragment = fragment }
        (components.user, components.password) = (nil, nil)
        return components.url
    }
}

extension Redirection {
    /// Throws if only the caller can allow it.
    fileprivate func checkConsent() throws(TransportFailure) {
        let advice = "return .follow() from the redirectPolicy to allow it"
        if isInsecure {
            throw TransportFailure(
                .unsafeRedirect, "the server redirects from https to http, to '\(target.shown)'; \(advice)")
        }
        if sendsBody, !isSameOrigin {
            throw TransportFailure(
                .unsafeRedirect, "the server redirects the body to another origin, '\(target.shown)'; \(advice)")
        }
    }
}

extension URL {
    /// Whether scheme, host and port are the same.
    package func isSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && isSameHost(as: other)
            && effectivePort == other.effectivePort
    }

    /// Scheme, host and port as a text that is the same for the same origin.
    var originKey: String {
        "\(scheme?.lowercased() ?? "")://\(host(percentEncoded: true)?.lowercased() ?? ""):\(effectivePort)"
    }

    /// Whether the host is the same, at whatever port.
    func isSameHost(as other: URL) -> Bool {
        host(percentEncoded: true)?.lowercased() == other.host(percentEncoded: true)?.lowercased()
    }
}
