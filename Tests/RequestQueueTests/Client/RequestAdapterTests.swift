import Foundation
import MappingTestSupport
import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite("Request adapters", .timeLimit(.minutes(2))) struct RequestAdapterTests {
    let stub = StubTransport()
    let client: RESTClient

    init() throws {
        client = RESTClient(baseURL: try #require(URL(string: "http://h/v1")), transport: stub)
    }

    /// Changes requests by a closure.
    struct Adapter: RequestAdapter {
        let change: @Sendable (inout TransportRequest) async throws -> Void

        init(_ change: @escaping @Sendable (inout TransportRequest) async throws -> Void) { self.change = change }

        func adapt(_ request: TransportRequest) async throws -> TransportRequest {
            var request = request
            try await change(&request)
            return request
        }
    }

    struct SigningError: Error, Equatable { var code: Int }

    @Test(arguments: [1, 2]) func `An adapter sends requests by the full queue of its request`(limit: Int) async throws
    {
        stub.on(.get, "/v1/nonce", StubResponse(text: "7"))
        stub.on(.get, "/v1/a", StubResponse(text: "ok"))
        let queue = RequestQueue()
        queue.concurrentRequestsLimit = limit
        queue.start()
        let signer = RESTClient(baseURL: client.baseURL, transport: stub)
        client.adapters = [
            Adapter { $0.headers["X-Nonce"] = try await queue.send(signer.request("/nonce")).text }
        ]
        let requests = (0..<4).map { _ in queue.add(client.request("/a")) }
        for request in requests { #expect(try await request.response.text == "ok") }
        #expect(stub.requests.filter { $0.path == "/v1/a" }.map { $0.headers["X-Nonce"] } == ["7", "7", "7", "7"])
    }

    @Test func `Adapters are called in order, before credentials and cookies are added`() async throws {
        stub.on(.get, "/v1/a", StubResponse(headers: ["Set-Cookie": "id=1; Path=/"]))
        client.authentication = .bearer(BearerToken { "t" })
        let received = Mutex<[HTTPHeaders]>([])
        client.adapters = [
            Adapter { $0.headers["X-Path"] = $0.url.path() },
            Adapter { request in
                await Task.yield()
                request.headers["X-Path"] = (request.headers["X-Path"] ?? "") + "!"
                let headers = request.headers
                received.withLock { $0.append(headers) }
            },
        ]
        for _ in 1...2 { _ = try await client.get("a") }
        #expect(stub.requests.map { $0.headers["X-Path"] } == ["/v1/a!", "/v1/a!"])
        #expect(stub.requests.last?.headers["Cookie"] == "id=1")
        #expect(stub.requests.allSatisfy { $0.headers["Authorization"] != nil })
        let seen = received.withLock { $0 }
        #expect(seen.count == 2)
        #expect(seen.allSatisfy { $0["Authorization"] == nil && $0["Cookie"] == nil && $0["Accept"] == "*/*" })
    }

    @Test func `Each attempt and redirect adapts the original request`() async throws {
        stub.on(.get, "/v1/a", StubResponse(status: 503), StubResponse(status: 302, headers: ["Location": "/v1/b"]))
        stub.on(.get, "/v1/b", StubResponse(status: 307, headers: ["Location": "http://elsewhere/c"]))
        stub.on(.get, "http://elsewhere/c", StubResponse())
        client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .zero)
        let calls = Atomic(0)
        client.adapters = [
            Adapter {
                $0.headers["X-Signature"] = ($0.headers["X-Signature"] ?? "") + "s"
                $0.url.append(queryItems: [
                    URLQueryItem(name: "n", value: "\(calls.wrappingAdd(1, ordering: .relaxed).newValue)")
                ])
            }
        ]
        let response = try await client.get("a")
        #expect(response.url.absoluteString == "http://elsewhere/c")
        #expect(stub.requests.map { $0.url.query() } == ["n=1", "n=2", "n=3", nil])
        #expect(stub.requests.map { $0.headers["X-Signature"] } == ["s", "s", "s", nil])
    }

    @Test func `An absolute URL of another origin is sent without the adapters of the client`() async throws {
        stub.on(.get, "/v1/a", StubResponse())
        stub.on(.get, "http://elsewhere/c", StubResponse())
        client.adapters = [Adapter { $0.headers["X-Signature"] = "s" }]
        for url in ["http://h/v1/a", "http://elsewhere/c"] { _ = try await client.get(url) }
        #expect(stub.requests.map { $0.headers["X-Signature"] } == ["s", nil])
    }

    @Test func `An adapter that sends requests to itself fails, without exhausting the stack`() async throws {
        let calls = Atomic(0)
        client.adapters = [
            Adapter { [client] request in
                calls.add(1, ordering: .relaxed)
                request.headers["X-Token"] = try await client.get("/token").text
            }
        ]
        let error = await #expect(throws: RequestError.self) { try await client.get("a") }
        #expect(error?.kind == .adaptationFailed)
        #expect(
            error?.cause
                == "Adapter failed: the adapter sends a request that it adapts itself; send it with a client without "
                + "the adapter")
        #expect(calls.load(ordering: .relaxed) == 8)
        #expect(stub.requests.isEmpty)
        client.adapters = []
    }

    @Test func `A task that an adapter started needs slots of a queue after the adapter has returned`() async throws {
        let gate = StubGate()
        stub.on(.get, "/v1/a", StubResponse())
        stub.on(.get, "/v1/slow") { _ in StubResponse().held(by: gate) }
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.start()
        let plain = RESTClient(baseURL: client.baseURL, transport: stub)
        let (returned, signal) = AsyncStream<Void>.makeStream()
        let started = Mutex<Task<[QueuedRequest], Never>?>(nil)
        client.adapters = [
            Adapter { _ in
                started.withLock { started in
                    started = Task {
                        for await _ in returned {}
                        return (0..<3).map { _ in queue.add(plain.request("/slow")) }
                    }
                }
            }
        ]
        _ = try await client.get("a")
        signal.finish()
        let requests = try #require(await started.withLock { $0 }?.value)
        await gate.arrivals(1)
        #expect(queue.loadingCount == 1 && queue.waitingCount == 2)
        gate.open()
        for request in requests { #expect(try await request.response.status == 200) }
    }

    static let failures: [(name: String, adapter: Adapter, kind: RequestError.Kind, cause: String)] = [
        (
            "an error", Adapter { _ in throw SigningError(code: 7) }, .adaptationFailed,
            "Adapter failed: SigningError(code: 7)"
        ),
        (
            "a request error", Adapter { _ in throw RequestError(.authenticationFailed, "no key") },
            .authenticationFailed, "Adapter failed: no key"
        ),
        (
            "another host", Adapter { $0.url = elsewhere },
            .adaptationFailed,
            "Adapter returned a request for 'http://elsewhere:80'; an adapter must not change the origin 'http://h:80'"
        ),
        (
            "another header", Adapter { $0.headers["X"] = "a\r\nHost: b" }, .invalidHeader,
            "the value of the header 'X' contains a line break or a NUL; remove it"
        ),
        (
            "a body on GET", Adapter { $0.body = TransportRequest.Body(length: 0) { throw SigningError(code: 1) } },
            .invalidBody, "GET has no body; pass values as the query, or use another method"
        ),
    ]
    static let elsewhere = URL(string: "http://elsewhere/v1/a") ?? URL(filePath: "/")

    @Test(arguments: failures) func `An adapter that fails ends the request with one typed error`(
        _ failure: (name: String, adapter: Adapter, kind: RequestError.Kind, cause: String)
    ) async throws {
        client.adapters = [failure.adapter]
        let error = await #expect(throws: RequestError.self) { try await client.get("a") }
        #expect(error?.kind == failure.kind)
        #expect(error?.cause == failure.cause)
        #expect(error?.phase == .preparing)
        #expect(error?.url?.absoluteString == "http://h/v1/a")
        #expect(stub.requests.isEmpty)
        if failure.name == "an error" { #expect(error?.underlying as? SigningError == SigningError(code: 7)) }
    }

    /// Never ends, even if its task is cancelled.
    static let endless = Adapter { _ in
        let forever = AsyncStream<Void>.makeStream()
        while true {
            for await _ in forever.stream {}
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                Self.kept.withLock { $0.append(continuation) }
            }
        }
    }
    static let kept = Mutex<[UnsafeContinuation<Void, Never>]>([])

    @Test func `An adapter that does not return is limited by the connect timeout, with a retry`() async throws {
        client.timeouts.connect = .milliseconds(20)
        client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .zero)
        client.adapters = [Self.endless]
        let error = await #expect(throws: RequestError.self) { try await client.get("a") }
        #expect(error?.kind == .connectTimedOut)
        #expect(error?.attempts == 2)
        #expect(
            error?.cause == "the adapters returned no request after 0.02 seconds; Timeouts.connect is 0.02 s")
    }

    @Test func `A request is cancelled while an adapter does not return`() async throws {
        client.adapters = [Self.endless]
        let queue = RequestQueue()
        let queued = queue.add(client.request("a"))
        queue.start()
        queued.cancel()
        #expect(queued.state == .cancelled)
        await #expect(throws: RequestError.self) { try await queued.response }
        await queue.waitUntilFinished()
    }
}
