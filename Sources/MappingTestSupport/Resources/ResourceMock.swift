import ActiveResource
public import RequestQueue
import Synchronization

/// Prepared responses for the requests of resources, and the requests that were sent, for tests.
///
/// ```swift
/// let mock = ResourceMock()
/// mock.get("/people/1.json", #"{"id": 1, "name": "Ann"}"#)
/// mock.post("/people.json", #"{"id": 2, "name": "Bo"}"#, status: 201)
/// try await mock.run {
///     let ann = try await Person.find(1)
///     …
/// }
/// #expect(mock.requests.map(\.path) == ["/people/1.json"])
/// #expect(mock.unmatchedRequests.isEmpty)
/// ```
///
/// A response is selected by the method, the path with its query, and the header fields that it requires. A request
/// without a matching response fails with an error that lists the prepared ones. Preparing the same request again
/// replaces its response.
public final class ResourceMock: Transport {
    fileprivate struct Key: Hashable {
        let method: HTTPMethod
        let target: String
        let headers: HTTPHeaders
    }

    fileprivate struct State {
        var answers: [(key: Key, answer: @Sendable (StubRequest) -> StubResponse)] = []
        var requests: [StubRequest] = []
        var unmatched: [StubRequest] = []
    }

    private let stub = StubTransport()
    private let state: Shared
    private let ignoresQuery: Bool

    fileprivate final class Shared: Sendable {
        let value = Mutex(State())
    }

    /// Creates a mock without responses.
    ///
    /// - Parameter ignoresQuery: Whether queries are ignored when a response is selected. Defaults to `false`.
    public init(ignoresQuery: Bool = false) {
        self.ignoresQuery = ignoresQuery
        let shared = Shared()
        state = shared
        for method: HTTPMethod in [.get, .head, .post, .put, .patch, .delete] {
            stub.on(method, "/*") { shared.answer($0, ignoresQuery: ignoresQuery) }
        }
    }

    /// Stubs the response to GET requests for a path.
    public func get(
        _ path: String, _ body: String = "", headers: HTTPHeaders = [:], status: Int = 200,
        responseHeaders: HTTPHeaders = [:]
    ) {
        on(.get, path, body, headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Stubs the response to HEAD requests for a path.
    public func head(
        _ path: String, headers: HTTPHeaders = [:], status: Int = 200, responseHeaders: HTTPHeaders = [:]
    ) {
        on(.head, path, "", headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Stubs the response to POST requests for a path.
    public func post(
        _ path: String, _ body: String = "", headers: HTTPHeaders = [:], status: Int = 200,
        responseHeaders: HTTPHeaders = [:]
    ) {
        on(.post, path, body, headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Stubs the response to PUT requests for a path.
    public func put(
        _ path: String, _ body: String = "", headers: HTTPHeaders = [:], status: Int = 200,
        responseHeaders: HTTPHeaders = [:]
    ) {
        on(.put, path, body, headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Stubs the response to PATCH requests for a path.
    public func patch(
        _ path: String, _ body: String = "", headers: HTTPHeaders = [:], status: Int = 200,
        responseHeaders: HTTPHeaders = [:]
    ) {
        on(.patch, path, body, headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Stubs the response to DELETE requests for a path.
    public func delete(
        _ path: String, _ body: String = "", headers: HTTPHeaders = [:], status: Int = 200,
        responseHeaders: HTTPHeaders = [:]
    ) {
        on(.delete, path, body, headers: headers, status: status, responseHeaders: responseHeaders)
    }

    /// Prepares a response that depends on the request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path with its query, as it is sent.
    ///   - headers: Header fields that the request must have. Defaults to none.
    ///   - answer: Returns the response.
    public func on(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:],
        answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) {
        let target = ignoresQuery ? String(path.prefix { $0 != "?" }) : path
        let key = Key(method: method, target: target, headers: headers)
        state.value.withLock { state in
            state.answers.removeAll { $0.key == key }
            state.answers.append((key, answer))
        }
    }

    /// The requests that were sent, in order.
    public var requests: [StubRequest] { state.value.withLock { $0.requests } }

    /// The requests for which no response was prepared.
    public var unmatchedRequests: [StubRequest] { state.value.withLock { $0.unmatched } }

    /// Removes all responses and requests.
    public func reset() { state.value.withLock { $0 = State() } }

    /// Runs an operation in which all requests of resources receive the prepared responses.
    public nonisolated(nonsending) func run<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await ResourceSite.withTransport(self, operation: operation)
    }

    /// Starts a request, which receives the prepared response.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        stub.start(request, handler: handler)
    }

    private func on(
        _ method: HTTPMethod, _ path: String, _ body: String, headers: HTTPHeaders, status: Int,
        responseHeaders: HTTPHeaders
    ) {
        on(method, path, headers: headers) { _ in
            StubResponse(status: status, headers: responseHeaders, json: body)
        }
    }
}

extension ResourceMock.Shared {
    fileprivate func answer(_ request: StubRequest, ignoresQuery: Bool) -> StubResponse {
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let target = request.path + (ignoresQuery ? "" : query)
        let found: Result<@Sendable (StubRequest) -> StubResponse, TransportFailure> = value.withLock { state in
            state.requests.append(request)
            let match = state.answers.last { answer in
                answer.key.method == request.method && answer.key.target == target
                    && answer.key.headers.allSatisfy { request.headers[$0.name] == $0.value }
            }
            if let match { return .success(match.answer) }
            state.unmatched.append(request)
            let known = state.answers.map { "\($0.key.method) \($0.key.target)" }.joined(separator: ", ")
            return .failure(
                TransportFailure(
                    .connectionFailed,
                    "no response for \(request.method) \(target); prepared are: \(known.isEmpty ? "none" : known)"))
        }
        switch found {
        case .success(let answer): return answer(request)
        case .failure(let failure): return StubResponse(failure: failure)
        }
    }
}
