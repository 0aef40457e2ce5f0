/// What a server answered: any status is a response.
public struct RESTResponse: Sendable {
    /// The status, as 200.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body, decompressed; empty if it went into a file or a stream.
    public let body: Data
    /// Where the response came from, after redirects.
    public let url: URL
    /// How many redirects were followed.
    public let redirects: Int
    /// How often the request was sent until this response came: more than once only by its ``RESTRequest/retryPolicy``.
    public let attempts: Int
    /// Whether the body came from the cache: loaded without asking, confirmed by the server (304), or instead of an error.
    public let isFromCache: Bool
    /// The durations of the request and its parts; empty for a response of the cache.
    public let metrics: RequestMetrics
    /// The method that was answered, after redirects.
    package let method: HTTPMethod

    package init(
        status: Int, headers: HTTPHeaders, body: Data, url: URL, redirects: Int = 0, attempts: Int = 1,
        method: HTTPMethod = .get, isFromCache: Bool = false, metrics: RequestMetrics = RequestMetrics()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.redirects = redirects
        self.attempts = attempts
        self.method = method
        self.isFromCache = isFromCache
        self.metrics = metrics
    }
}

extension RESTResponse: CustomStringConvertible {
    /// Status, URL without query, type and length, as `200 from http://h/a: application/json, 12 bytes`.
    public var description: String {
        "\(status) from \(url.shown): \(mimeType ?? "no content type"), \(body.count) bytes"
    }
}
