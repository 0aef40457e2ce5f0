public import RequestQueue

/// A request that was received by a ``StubTransport``.
public struct StubRequest: Sendable {
    /// The method, such as `.get`.
    public let method: HTTPMethod
    /// The absolute URL.
    public let url: URL
    /// The header fields; without those that a transport adds, such as `Host` and `Content-Length`.
    public let headers: HTTPHeaders
    /// The bytes of the body, up to the limit of the route; empty without a body.
    public let body: Data
    /// The declared length of the body; `nil` if there is no body or it is sent in chunks.
    public let contentLength: Int64?
    /// The decoded values of the route's parameters by name, such as `id` for `/accounts/:id`.
    public let parameters: [String: String]

    /// The percent-encoded path of the URL.
    public var path: String { url.path(percentEncoded: true) }

    /// The decoded query items of the URL; the last one of each name.
    public var query: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    }

    /// The body as UTF-8 text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
