public import RequestQueue

/// A request as it reached a ``StubTransport``.
public struct StubRequest: Sendable {
    /// The method, as `.get`.
    public let method: HTTPMethod
    /// The whole URL.
    public let url: URL
    /// The fields that were set; a transport adds those that frame a message, as `Host` and `Content-Length`, itself.
    public let headers: HTTPHeaders
    /// What was read of the body: all of it, unless the route limits it; empty without one.
    public let body: Data
    /// Bytes of the body as they were declared before it was sent; nil if there is none, or if it was sent in chunks.
    public let contentLength: Int64?
    /// The values of the route's parameters by their names, decoded: `id` for `/accounts/:id`.
    public let parameters: [String: String]

    /// The path of the URL, as it was sent: percent-encoded.
    public var path: String { url.path(percentEncoded: true) }

    /// The parameters of the URL's query, decoded; of several of one name the last.
    public var query: [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    }

    /// The body as UTF-8 text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
