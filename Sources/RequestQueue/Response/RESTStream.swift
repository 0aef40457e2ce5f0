/// A response whose body is still to come.
public struct RESTStream: Sendable {
    /// The status code, as 200.
    public let status: Int
    /// The header fields as they came: lengths and codings are those of the body before it is decompressed.
    public let headers: HTTPHeaders
    /// Where the response comes from, after redirects.
    public let url: URL
    /// How many redirects were followed.
    public let redirects: Int
    /// How often the request was sent until this response came: more than once only by its ``RESTRequest/retryPolicy``.
    public let attempts: Int
    /// The body, to be gone over once.
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
