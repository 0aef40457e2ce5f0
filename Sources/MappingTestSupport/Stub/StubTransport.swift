import Dispatch
public import RequestQueue
import Synchronization

/// A transport without a network: routes return the responses, and requests are recorded.
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
/// Bodies are read completely and in pieces, as by a server. Responses do not depend on time: they are returned
/// immediately or when a ``StubGate`` opens. A request without a matching route fails with an error of kind
/// `invalidURL` that lists the routes, and is not retried.
public final class StubTransport: Transport {
    private struct State {
        var routes: [StubRoute] = []
        var requests: [StubRequest] = []
    }

    private let state = Mutex(State())
    /// Serial: requests are answered in order, except for those that wait.
    private let queue = DispatchQueue(label: "StubTransport")

    /// Creates a stub without routes.
    public init() {}

    /// Adds a route with a closure that returns the response of each request.
    ///
    /// If several routes match, the last one is used.
    ///
    /// - Parameters:
    ///   - method: The method, such as `.get`.
    ///   - path: The path, such as `/accounts/:id`. `:name` matches any text of a component and is included
    ///     in ``StubRequest/parameters``; a trailing `*` matches the rest. The query is ignored. A path with a scheme
    ///     and a host matches only requests to that server.
    ///   - bodyLimit: The number of bytes of the body that are read before the response. Defaults to all.
    ///   - answer: Returns the response. It is called once per request, after its body was read.
    public func on(
        _ method: HTTPMethod, _ path: String, bodyLimit: Int = .max,
        answer: @escaping @Sendable (StubRequest) -> StubResponse
    ) {
        add(StubRoute(method, path, outcome: .answer(bodyLimit: bodyLimit, answer)))
    }

    /// Adds a route with a sequence of responses; the last one is repeated.
    public func on(_ method: HTTPMethod, _ path: String, _ first: StubResponse, _ more: StubResponse...) {
        let answers = Mutex(Array(([first] + more).reversed()))
        on(method, path) { _ in answers.withLock { $0.count > 1 ? $0.removeLast() : $0[0] } }
    }

    /// Adds a route whose requests fail before they are sent, as if the server did not exist.
    public func on(_ method: HTTPMethod, _ path: String, failure: TransportFailure) {
        add(StubRoute(method, path, outcome: .failure(failure)))
    }

    /// The requests that were received completely, in order.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// Returns the response of the route that matches a request.
    public func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
        let exchange = StubExchange(request, on: queue, handler: handler) { try self.plan(for: request) }
        exchange.start()
        return exchange
    }

    private func add(_ route: StubRoute) { state.withLock { $0.routes.append(route) } }

    /// Returns the plan of the route that matches a request.
    ///
    /// - Throws: The failure of the request, before it is sent.
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
            .invalidURL,
            "the stub transport has no route for \(request.method) \(request.url.absoluteString); "
                + (known.isEmpty ? "it has no routes; add them with `on`" : "its routes are \(known)"))
    }
}
