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
/// asked not to compress. Of a request's body only its SHA-256 is kept, as it may hold a password; URLs and the bodies of
/// responses are kept as they are. Bodies are in memory while they are recorded.
public final class RecordingTransport: Transport {
    /// The names of fields that are secrets: `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`.
    public static let secretHeaders: Set<String> = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"]

    private let transport: any Transport
    private let file: URL
    private let secrets: Set<String>
    /// In the order of their starts; nil while one has no end.
    private let exchanges = Mutex<[RecordedExchange?]>([])

    /// Records what a transport carries.
    ///
    /// - Parameters:
    ///   - transport: The transport that does the work; that of clients that are given none unless told.
    ///   - file: Where ``save()`` puts the exchanges; what is there is replaced.
    ///   - redactedHeaders: Fields whose values are recorded as `REDACTED`; ``secretHeaders`` unless told.
    public init(
        over transport: (any Transport)? = nil, into file: URL, redactedHeaders: Set<String> = secretHeaders
    ) {
        self.transport = transport ?? defaultTransport
        self.file = file
        secrets = Set(redactedHeaders.map { $0.lowercased() })
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
        let recorder = RecordingHandler(handler) { [request, secrets] head, content, failure in
            let exchange = RecordedExchange(
                request: RecordedExchange.Request(request, body: body.data, redacting: secrets),
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
