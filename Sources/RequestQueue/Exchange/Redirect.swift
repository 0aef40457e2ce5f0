/// The target of a redirect, and the parts of the request that are sent to it (RFC 9110 §15.4).
package struct Redirect: Equatable, Sendable {
    package var method: HTTPMethod
    package var url: URL
    package var keepsBody: Bool
    /// Whether the target has the same origin.
    package var isSameOrigin: Bool
    /// The fields that the caller allows for another origin, in lowercase.
    package var forwardedHeaders: Set<String> = []

    /// Creates the redirect of a response; `nil` if the response is returned to the caller.
    ///
    /// It is returned if it has another status or no valid `Location`, or if the policy decides so.
    ///
    /// - Throws: `unsafeRedirect` if the target is not an HTTP URL, or if the policy does not give a required consent.
    package init?(
        _ head: ResponseHead, to request: TransportRequest, policy: RedirectPolicy? = nil
    ) throws(TransportFailure) {
        guard [301, 302, 303, 307, 308].contains(head.status), let target = Self.target(of: head, from: request.url)
        else { return nil }
        guard target.isHTTP else {
            throw TransportFailure(
                .unsafeRedirect,
                "the server redirects to the scheme '\(target.scheme ?? "")', which is not http or https")
        }
        guard target.reasonForRejection == nil else { return nil }
        url = target
        switch head.status {
        case 303: method = request.method == .head ? .head : .get
        // Common behavior of clients for these two, which RFC 9110 allows.
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

    /// Returns the request that follows the redirect.
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

    /// Whether a field is sent to the target: to another origin, only fields that identify neither user nor app.
    private func isSent(_ field: HTTPHeaders.Field, hasBody: Bool) -> Bool {
        let name = field.name.lowercased()
        if name.hasPrefix("content-") { return keepsBody && (isSameOrigin || hasBody) }
        if !keepsBody, Self.bodyFields.contains(name) { return false }
        return isSameOrigin || field.isAnonymous || forwardedHeaders.contains(name)
    }

    /// The fields, besides `Content-…`, that describe a body (RFC 9110 §15.4, RFC 9530), in lowercase.
    private static let bodyFields: Set = ["digest", "expect", "last-modified", "repr-digest", "trailer"]

    /// Returns the URL in `Location`, relative to the request, from which it inherits the fragment (RFC 9110 §10.2.2).
    ///
    /// User name and password in the URL are removed, because the server chose them.
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
    /// Throws an error if the redirect requires the caller's consent.
    fileprivate func checkConsent() throws(TransportFailure) {
        let advice = "to allow it, return .follow() from redirectPolicy"
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
