public import RequestQueue
import Synchronization

/// A transport that forwards requests to another one and records the exchanges for a ``ReplayTransport``.
///
/// ```swift
/// let recording = RecordingTransport(into: fixture)
/// let client = RESTClient(baseURL: url, transport: recording)
/// _ = try await client.get("/accounts/7")
/// try recording.save()
/// ```
///
/// The file is readable JSON. Responses are stored as text if possible, otherwise as Base64; servers are asked not to
/// compress them. Only the SHA-256 of a request body is stored, because the body can contain a password. Values of
/// secret query items, such as `access_token`, `api_key` and `signature`, are redacted, also those of URLs in header
/// fields such as `Location` and `Link`. Response bodies are stored unchanged. Bodies are kept in memory during the
/// recording.
public final class RecordingTransport: Transport {
    /// The names of secret header fields.
    ///
    /// They are `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, `X-API-Key`, `X-Auth-Token` and
    /// `X-Access-Token`.
    public static let secretHeaders: Set<String> = [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token", "X-Access-Token",
    ]

    private let transport: any Transport
    private let file: URL
    private let secrets: Set<String>
    private let secretItems: Set<String>
    /// In the order in which they started; `nil` until they end.
    private let exchanges = Mutex<[RecordedExchange?]>([])

    /// Creates a transport that records the exchanges of another one.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests. Defaults to the default transport of clients.
    ///   - file: The file to which ``save()`` writes the exchanges; an existing file is replaced.
    ///   - redactedHeaders: Header fields whose values are recorded as `REDACTED`. Defaults to ``secretHeaders``.
    ///   - redactedQueryItems: Additional query items whose values are recorded as `REDACTED`; a ``ReplayTransport``
    ///     accepts any value for them. Defaults to none.
    public init(
        over transport: (any Transport)? = nil, into file: URL, redactedHeaders: Set<String> = secretHeaders,
        redactedQueryItems: Set<String> = []
    ) {
        self.transport = transport ?? defaultTransport
        self.file = file
        secrets = Set(redactedHeaders.map { $0.lowercased() })
        secretItems = Set(redactedQueryItems.map { $0.lowercased() })
    }

    /// Forwards a request to the other transport and records it.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        var request = request
        request.headers["Accept-Encoding"] = "identity"
        let body = RecordedBody()
        let index = exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
        let recorder = RecordingHandler(handler) { [request, secrets, secretItems] head, content, failure in
            let exchange = RecordedExchange(
                request: RecordedExchange.Request(
                    request, body: body.data, redacting: secrets, queryItems: secretItems),
                response: head.map {
                    RecordedExchange.Response($0, body: content, redacting: secrets, queryItems: secretItems)
                },
                failure: failure.map(RecordedExchange.Failure.init))
            self.exchanges.withLock { $0[index] = exchange }
        }
        request.body = request.body.map { source in
            TransportRequest.Body(length: source.length) { try RecordedBody.Stream(source.open(), into: body) }
        }
        return transport.start(request, handler: recorder)
    }

    /// Closes the idle connections of the other transport.
    public func closeIdleConnections() { transport.closeIdleConnections() }

    /// Writes the recorded exchanges to the file, atomically.
    ///
    /// Requests that were cancelled or are still running are omitted.
    ///
    /// - Throws: A ``FixtureError`` if the file cannot be written.
    public func save() throws(FixtureError) {
        let exchanges = exchanges.withLock { $0 }
        try Fixture(exchanges: exchanges.compactMap(\.self)).write(to: file)
    }
}
