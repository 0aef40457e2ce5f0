import LoopbackServer
import MappingTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Tokens in queues, and fixed tokens", .timeLimit(.minutes(2)))
struct TokenRefreshTests {
    private let server: LoopbackServer
    private let queue: RequestQueue

    init() throws {
        server = try LoopbackServer()
        queue = RequestQueue(concurrentRequestsLimit: 1)
        queue.start()
    }

    /// A client whose token is requested by a queue.
    private func client(_ first: String? = nil, refreshingIn queue: RequestQueue) -> RESTClient {
        let issuer = RESTClient(baseURL: server.url)
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer(
            BearerToken(first) {
                let response = try await queue.send(issuer.request(.post, "/token"))
                let text = try #require(response.text)
                return String(try #require(text.firstMatch(of: /"access_token": ?"([^"]+)"/)).1)
            })
        return client
    }

    @Test(arguments: [nil, "old"] as [String?])
    func `A token is refreshed by the queue of the request that waits for it`(first: String?) async throws {
        let client = client(first, refreshingIn: queue)
        #expect(try await queue.send(client.request("/bearer?key=t")).status == 200)
        #expect(queue.count == 0)
    }

    @Test func `A token refresh does not wait for an identical request that waits for the refresh`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(status: 401))
        let client = RESTClient(baseURL: server.url, transport: stub)
        client.coalescesIdenticalRequests = true
        client.authentication = .bearer(
            BearerToken("old") { [weak client] in try await client?.get("/a").text ?? "" })
        let error = await #expect(throws: RequestError.self) { try await client.get("/a") }
        #expect(error?.cause.contains("the token refresh sends a request with the token itself") == true)
    }

    @Test func `The request for the token overtakes waiting requests, which share it`() async throws {
        let client = client(refreshingIn: queue)
        let requests = (0..<5).map { _ in queue.add(client.request("/bearer?key=t")) }
        for request in requests { #expect(try await request.response.status == 200) }
        #expect(server.requests.map(\.path) == ["/token"] + [String](repeating: "/bearer", count: 5))
    }

    @Test func `A full queue of several slots is not blocked by a refresh`() async throws {
        queue.concurrentRequestsLimit = 3
        let client = client(refreshingIn: queue)
        let requests = (0..<9).map { _ in queue.add(client.request("/bearer?key=t")) }
        for request in requests { #expect(try await request.response.status == 200) }
        #expect(server.statistics.requestsByPath["/token"] == 1)
    }

    @Test func `A refresh that requires its own token fails immediately in a queue, too`() async throws {
        let own = Mutex<RESTClient?>(nil)
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer(
            BearerToken { [queue] in
                let request = own.withLock { $0 }?.request("/token")
                return try await queue.send(#require(request)).text ?? ""
            })
        own.withLock { $0 = client }
        let error = await #expect(throws: RequestError.self) { try await queue.send(client.request("/bearer")) }
        let advice = "the token refresh sends a request with the token itself; use a client without authentication"
        #expect(error?.cause.hasSuffix(advice) == true)
        #expect(server.requests.isEmpty)
        own.withLock { $0 = nil }
    }

    @Test func `A task that a refresh started sends requests with the token after the refresh has ended`() async throws
    {
        let client = RESTClient(baseURL: server.url)
        let (ended, signal) = AsyncStream<Void>.makeStream()
        let started = Mutex<Task<Result<RESTResponse, RequestError>, Never>?>(nil)
        client.authentication = .bearer(
            BearerToken { [weak client] in
                started.withLock { started in
                    started = Task {
                        for await _ in ended {}
                        return await client?.request("/bearer?token=t").result()
                            ?? .failure(RequestError(.cancelled, "the client was released"))
                    }
                }
                return "t"
            })
        #expect(try await client.get("/bearer?token=t").status == 200)
        signal.finish()
        let late = try #require(await started.withLock { $0 }?.value)
        #expect(try late.get().status == 200)
    }

    @Test func `Other requests that start during a refresh are not taken for its requests`() async throws {
        let client = client("old", refreshingIn: queue)
        queue.concurrentRequestsLimit = 2
        let requests = (0..<6).map { number in
            queue.add(client.request(number == 3 ? "/bytes?n=5" : "/bearer?key=t"))
        }
        for request in requests { #expect(try await request.response.status == 200) }
    }

    @Test(arguments: [Duration.milliseconds(20), .milliseconds(30)])
    func `A refresh that ends because of its time limit is reported as such`(limit: Duration) async throws {
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer(
            BearerToken(refreshLimit: limit) {
                try await Task.sleep(for: .seconds(1000))
                return ""
            })
        let error = await #expect(throws: RequestError.self) { try await client.get("/bearer") }
        #expect(error?.kind == .authenticationFailed)
        #expect(
            error?.cause == "the token was not refreshed in time; BearerToken's refreshLimit is \(limit.inSeconds) s")
    }

    @Test func `A fixed token is sent, and a rejection is the response`() async throws {
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer("fixed")
        #expect(try await client.get("/bearer?token=fixed").status == 200)
        #expect(try await client.get("/bearer?token=other").status == 401)
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer fixed", "Bearer fixed"])
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "tökén"])
    func `A fixed token that cannot be sent is an error`(token: String) async throws {
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer(token)
        let error = await #expect(throws: RequestError.self) { try await client.get("/bearer") }
        #expect(error?.kind == .authenticationFailed)
        #expect(error?.cause == "the token is empty or contains invalid characters")
        #expect(server.requests.isEmpty)
    }

    @Test func `A fixed token is not printed`() {
        let authentication = Authentication.bearer("s3cret")
        var dumped = ""
        dump([authentication], to: &dumped)
        #expect(!"\(authentication) \(dumped) \(String(reflecting: authentication))".contains("s3cret"))
    }
}
