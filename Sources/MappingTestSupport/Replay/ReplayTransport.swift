import Dispatch
public import RequestQueue
import Synchronization

/// A transport that answers with what a ``RecordingTransport`` recorded, without a network.
///
/// ```swift
/// let replay = try ReplayTransport(contentsOf: fixture)
/// let client = RESTClient(baseURL: url, transport: replay)
/// let response = try await client.get("/accounts/7")
/// #expect(replay.unused.isEmpty)
/// ```
///
/// A request gets the next answer that was recorded for its method, its URL and its body; the boundary of a multipart
/// body does not matter, nor do header fields. One that was not recorded, or not that often, fails and says what to do.
/// Fields that were redacted are left out.
public final class ReplayTransport: Transport {
    private let file: URL
    /// Those that were not asked for yet.
    private let exchanges: Mutex<[RecordedExchange]>
    private let queue = DispatchQueue(label: "ReplayTransport")

    /// Reads recorded exchanges.
    ///
    /// - Throws: A ``FixtureError`` if the file cannot be read or holds no recorded exchanges.
    public init(contentsOf file: URL) throws(FixtureError) {
        self.file = file
        exchanges = Mutex(try Fixture(contentsOf: file).exchanges)
    }

    /// What was recorded and not asked for (yet), a line each, as `GET https://example.com/a`.
    public var unused: [String] { exchanges.withLock { $0.map { "\($0.request.method) \($0.request.url)" } } }

    /// Answers a request with what was recorded for it.
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
            return failure("has no answer (left) for \(request.method) \(request.url)\(body). \(Fixture.howToRecord)")
        }
        let ending = next.failure?.failure
        guard let response = next.response else {
            return StubResponse(failure: ending ?? TransportFailure(.connectionLost, "no response was recorded"))
        }
        guard let answer = response.answer else {
            return failure("has a body for \(request.method) \(request.url) that is not base64")
        }
        return ending.map { answer.failing(with: $0, afterBytes: .max) } ?? answer
    }

    private func failure(_ problem: String) -> StubResponse {
        StubResponse(failure: TransportFailure(.connectionFailed, "\(file.path) \(problem)"))
    }
}
