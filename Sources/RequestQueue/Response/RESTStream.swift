/// A response whose body is received as a stream.
public struct RESTStream: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The header fields, unchanged: lengths and encodings describe the body before decompression.
    public let headers: HTTPHeaders
    /// The URL of the response, after redirects.
    public let url: URL
    /// The number of redirects that were followed.
    public let redirects: Int
    /// The number of attempts; more than one only with a ``RESTRequest/retryPolicy``.
    public let attempts: Int
    /// The body, which can be iterated once.
    public let body: ResponseBody

    /// The body as lines of text, which can be iterated once.
    public var lines: ResponseLines { ResponseLines(body: body) }

    /// The body as server-sent events, which can be iterated once.
    public var serverSentEvents: ServerSentEvents { ServerSentEvents(lines: lines) }

    init(_ exchange: Exchange, _ sink: StreamSink, _ head: StreamSink.Head) {
        status = head.response.status
        headers = head.response.headers
        url = head.response.url
        redirects = head.response.redirects
        attempts = head.response.attempts
        body = ResponseBody(StreamTransfer(exchange, sink, head))
    }
}
