import Dispatch
public import RequestQueue
import Synchronization

/// A transport that returns the responses recorded by a ``RecordingTransport``, without a network.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: fixture)
/// let client = RESTClient(baseURL: url, transport: replay)
/// let response = try await client.get("/accounts/7")
/// #expect(replay.unused.isEmpty)
/// ```
///
/// A request receives the next response that was recorded for its method, URL and body. The boundary of a multipart
/// body and header fields are ignored. A request without a remaining response fails with an error that explains how to
/// record it. Redacted fields of responses are omitted.
public final class ReplayTransport: Transport {
    private let file: URL
    /// The exchanges that were not used.
    private let exchanges: Mutex<[RecordedExchange]>
    private let queue = DispatchQueue(label: "ReplayTransport")

    /// Creates a transport from a file of recorded exchanges.
    ///
    /// - Throws: A ``FixtureError`` if the file cannot be read or does not contain recorded exchanges.
    public init(contentsOf file: URL) throws(FixtureError) {
        self.file = file
        exchanges = Mutex(try Fixture(contentsOf: file).exchanges)
    }

    /// The recorded requests that were not sent yet, such as `GET https://example.com/a`.
    public var unused: [String] { exchanges.withLock { $0.map { "\($0.request.method) \($0.request.url)" } } }

    /// Returns the recorded response of a request.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let exchange = StubExchange(request, on: queue, handler: handler) {
            StubExchange.Plan { body in self.answer(to: RecordedExchange.Request(request, body: body)) }
        }
        exchange.start()
        return exchange
    }

    private func answer(to request: RecordedExchange.Request) -> StubResponse {
        let next = exchanges.withLock { exchanges in
            let index = exchanges.firstIndex { $0.request.matches(request) }
            return index.map { exchanges.remove(at: $0) }
        }
        guard let next else {
            let body = request.body.map { " with a body of \($0.bytes) bytes (SHA-256 \($0.sha256))" } ?? ""
            return failure(
                "contains no unused response for \(request.method) \(request.url)\(body). \(Fixture.howToRecord)")
        }
        let ending = next.failure?.failure
        guard let response = next.response else {
            return StubResponse(failure: ending ?? TransportFailure(.connectionLost, "no response was recorded"))
        }
        guard let answer = response.answer else {
            return failure("contains an invalid Base64 body for \(request.method) \(request.url)")
        }
        return ending.map { answer.failing(with: $0, afterBytes: .max) } ?? answer
    }

    private func failure(_ problem: String) -> StubResponse {
        StubResponse(failure: TransportFailure(.connectionFailed, "\(file.path) \(problem)"))
    }
}
