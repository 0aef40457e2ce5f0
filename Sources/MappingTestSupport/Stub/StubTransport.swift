import Dispatch
public import RequestQueue
import Synchronization

/// A transport without a network: routes give the answers, and what was sent is kept to be looked at.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/accounts/:id") { request in
///     StubResponse(json: #"{ "id": \#(request.parameters["id"] ?? "0") }"#)
/// }
/// let client = RESTClient(baseURL: URL(string: "https://api.example.com")!, transport: stub)
/// let response = try await client.get("/accounts/7")
/// #expect(response.text == #"{ "id": 7 }"#)
/// #expect(stub.requests.map(\.path) == ["/accounts/7"])
/// ```
///
/// Bodies are read as a server would read them: whole, piece by piece, waiting where they wait. Nothing depends on time:
/// an answer comes at once, or when a ``StubGate`` opens. A request without a route fails and names the routes there are.
public final class StubTransport: Transport {
    private struct State {
        var routes: [StubRoute] = []
        var requests: [StubRequest] = []
    }

    private let state = Mutex(State())
    /// Serial: requests are answered in the order in which they were sent, unless they wait.
    private let queue = DispatchQueue(label: "StubTransport")

    /// A stub without a route.
    public init() {}

    /// Answers requests of a method and a path by what a closure makes of each.
    ///
    /// Of several routes that match, the one added last answers.
    ///
    /// - Parameters:
    ///   - method: The method, as `.get`.
    ///   - path: The path, as `/accounts/:id`: a part that begins with a colon takes any text and is one of
    ///     ``StubRequest/parameters``; `*` at the end takes the rest. The query does not matter. With a scheme and a host
    ///     before it only requests to that server match; without them those to any.
    ///   - bodyLimit: How many bytes of the body are read before the answer; all unless told.
    ///   - answer: Makes the answer; called once a request, after its body.
    public func on(
        _ method: HTTPMethod, _ path: String, bodyLimit: Int = .max,
        answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) {
        add(StubRoute(method, path, outcome: .answer(bodyLimit: bodyLimit, answer)))
    }

    /// Answers requests of a method and a path by these, one after the other; the last one answers all further ones.
    public func on(_ method: HTTPMethod, _ path: String, _ first: StubResponse, _ more: StubResponse...) {
        let answers = Mutex(Array(([first] + more).reversed()))
        on(method, path) { _ in answers.withLock { $0.count > 1 ? $0.removeLast() : $0[0] } }
    }

    /// Fails requests of a method and a path before anything of them is sent, as if nobody was there.
    public func on(_ method: HTTPMethod, _ path: String, failure: TransportFailure) {
        add(StubRoute(method, path, outcome: .failure(failure)))
    }

    /// What was sent and answered so far, in the order in which it was complete.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// Answers a request by its route.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let exchange = StubExchange(request, on: queue, handler: handler) { try self.plan(for: request) }
        exchange.start()
        return exchange
    }

    private func add(_ route: StubRoute) { state.withLock { $0.routes.append(route) } }

    /// What the route of a request makes of it.
    ///
    /// - Throws: What the request fails with, before anything is sent.
    private func plan(for request: TransportRequest) throws(TransportFailure) -> StubExchange.Plan {
        let routes = state.withLock { $0.routes }
        for route in routes.reversed() {
            guard let parameters = route.parameters(of: request) else { continue }
            switch route.outcome {
            case .failure(let failure): throw failure
            case .answer(let bodyLimit, let answer):
                return StubExchange.Plan(bodyLimit: bodyLimit) { body in
                    let request = StubRequest(
                        method: request.method, url: request.url, headers: request.headers, body: body,
                        contentLength: request.body?.length, parameters: parameters)
                    self.state.withLock { $0.requests.append(request) }
                    return answer(request)
                }
            }
        }
        let known = routes.map(\.description).joined(separator: ", ")
        throw TransportFailure(
            .connectionFailed,
            "the stub transport has no route for \(request.method) \(request.url.absoluteString); "
                + (known.isEmpty ? "it has none at all, add them by `on`" : "it has \(known)"))
    }
}
