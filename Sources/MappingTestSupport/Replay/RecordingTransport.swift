public import RequestQueue
import Synchronization

/// A transport that lets another one work and records what it carries, for a ``ReplayTransport`` to replay.
///
/// ```swift
/// let recording = RecordingTransport(into: fixture)
/// let client = RESTClient(baseURL: url, transport: recording)
/// _ = try await client.get("/accounts/7")
/// try recording.save()
/// ```
///
/// The file is JSON for people to read: responses as text where they are text, else as base64. To get text, servers are
/// asked not to compress. Of a request's body only its SHA-256 is kept, as it may hold a password. Values of secret items of
/// the query, such as `access_token`, `api_key` and `signature`, are redacted. Bodies of responses are kept unchanged.
/// Bodies are in memory while they are recorded.
public final class RecordingTransport: Transport {
    /// The names of fields that are secrets: `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, `X-API-Key`,
    /// `X-Auth-Token` and `X-Access-Token`.
    public static let secretHeaders: Set<String> = [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Auth-Token", "X-Access-Token",
    ]

    private let transport: any Transport
    private let file: URL
    private let secrets: Set<String>
    private let secretItems: Set<String>
    /// In the order of their starts; nil while one has no end.
    private let exchanges = Mutex<[RecordedExchange?]>([])

    /// Records what a transport carries.
    ///
    /// - Parameters:
    ///   - transport: The transport that does the work; that of clients that are given none unless told.
    ///   - file: Where ``save()`` puts the exchanges; what is there is replaced.
    ///   - redactedHeaders: Fields whose values are recorded as `REDACTED`. Defaults to ``secretHeaders``.
    ///   - redactedQueryItems: Further items of queries whose values are recorded as `REDACTED`; a ``ReplayTransport``
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

    /// Lets the other transport send a request, and records it.
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
                response: head.map { RecordedExchange.Response($0, body: content, redacting: secrets) },
                failure: failure.map(RecordedExchange.Failure.init))
            self.exchanges.withLock { $0[index] = exchange }
        }
        request.body = request.body.map { source in
            TransportRequest.Body(length: source.length) { try RecordedBody.Stream(source.open(), into: body) }
        }
        return transport.start(request, handler: recorder)
    }

    /// Writes what was recorded so far into the file, whole or not at all; requests that were cancelled, or are under way,
    /// are left out.
    ///
    /// - Throws: A ``FixtureError`` if it cannot be written.
    public func save() throws(FixtureError) {
        let exchanges = exchanges.withLock { $0 }
        try Fixture(exchanges: exchanges.compactMap(\.self)).write(to: file)
    }
}
