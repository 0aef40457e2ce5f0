/// The response of a server, with any status.
public struct RESTResponse: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The decompressed body; empty if it was written to a file or a stream.
    public let body: Data
    /// The URL of the response, after redirects.
    public let url: URL
    /// The number of redirects that were followed.
    public let redirects: Int
    /// The number of attempts; more than one by a ``RequestSettings/retryPolicy``.
    public let attempts: Int
    /// Whether the body was loaded from the cache: without a request, after validation (304), or instead of an error.
    public let isFromCache: Bool
    /// Whether the server confirmed that the cached body is current, with status 304.
    public let isRevalidated: Bool
    /// The durations of the request and its parts; empty for a response from the cache.
    public let metrics: RequestMetrics
    /// The method of the last request, after redirects.
    package let method: HTTPMethod
    /// The settings of the request that other modules added.
    package var values = SettingValues()

    package init(
        status: Int, headers: HTTPHeaders, body: Data, url: URL, redirects: Int = 0, attempts: Int = 1,
        method: HTTPMethod = .get, isFromCache: Bool = false,
        isRevalidated: Bool = false, metrics: RequestMetrics = RequestMetrics()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.redirects = redirects
        self.attempts = attempts
        self.method = method
        self.isFromCache = isFromCache
        self.isRevalidated = isRevalidated
        self.metrics = metrics
    }
}

extension RESTResponse: CustomStringConvertible {
    /// The status, URL without query, type and length, such as `200 from http://h/a: application/json, 12 bytes`.
    public var description: String {
        "\(status) from \(url.shown): \(content)"
    }

    /// The method, URL without query, status, type and length, and more than one attempt, for messages, such as
    /// `GET http://h/a: status 503 in attempt 3, text/html, 12 bytes`.
    package var summary: String {
        "\(method) \(url.shown): status \(status)\(attempts > 1 ? " in attempt \(attempts)" : ""), \(content)"
    }

    /// The first 200 bytes of the body as text, for errors.
    package var bodyPrefix: String { String(decoding: body.prefix(200), as: UTF8.self) }

    private var content: String { "\(mimeType ?? "no content type"), \(body.count) bytes" }
}
