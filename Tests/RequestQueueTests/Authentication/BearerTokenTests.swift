import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Bearer tokens", .timeLimit(.minutes(2)))
struct BearerTokenTests {
    private let server: LoopbackServer
    /// Requests tokens.
    private let issuer: RESTClient

    init() throws {
        server = try LoopbackServer()
        issuer = RESTClient(baseURL: server.url)
    }

    private func client(_ token: BearerToken) -> RESTClient {
        let client = RESTClient(baseURL: server.url)
        client.authentication = .bearer(token)
        return client
    }

    /// A token of the server, which changes with each refresh.
    private func token(_ first: String? = nil, _ target: String = "/token") -> BearerToken {
        BearerToken(first) { [issuer] in try await newToken(from: issuer, target) }
    }

    private var refreshes: Int { server.statistics.requestsByPath["/token"] ?? 0 }

    private func failure(_ send: () async throws(RequestError) -> RESTResponse) async -> RequestError? {
        do throws(RequestError) {
            _ = try await send()
            return nil
        } catch { return error }
    }

    @Test func `A refused token is refreshed, and the complete body is sent again`() async throws {
        let body = String(repeating: "x", count: 300_000)
        let response = try await client(token("old")).post("/bearer?key=t", .data(Data(body.utf8)))
        #expect(response.status == 200)
        #expect(server.requests.map(\.path) == ["/bearer", "/token", "/bearer"])
        #expect(server.requests.map(\.bodyLength) == [300_000, 0, 300_000])
    }

    @Test func `Without a token, it is refreshed before the first request`() async throws {
        let client = client(token())
        for _ in 0..<3 { #expect(try await client.get("/bearer?key=t").status == 200) }
        #expect(server.requests.map(\.path) == ["/token", "/bearer", "/bearer", "/bearer"])
    }

    @Test func `Tokens that expire after some requests are refreshed each time`() async throws {
        let client = client(token())
        for _ in 0..<10 { #expect(try await client.get("/bearer?key=t&uses=3").status == 200) }
        #expect(refreshes == 4)
    }

    @Test func `Concurrent requests share one refresh`() async throws {
        let client = client(token("old", "/token?ms=100"))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await client.get("/bearer?key=t").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 200, count: 200))
        #expect(refreshes == 1)
        #expect(try await client.get("/bearer?key=t").status == 200)
        #expect(refreshes == 1)
    }

    @Test func `The second refusal is the response`() async throws {
        let client = client(token("old"))
        #expect(try await client.get("/bearer?token=another").status == 401)
        #expect(server.requests.map(\.path) == ["/bearer", "/token", "/bearer"])
    }

    @Test(arguments: [
        ("Basic realm=a", false), ("Bearer error=\"insufficient_scope\"", false), ("Bearer", true),
        ("Basic realm=a, Bearer realm=b", true), (nil, true),
    ])
    func `A refresh that returns the same token is an error`(challenge: String?, refreshes: Bool) async throws {
        let count = Mutex(0)
        let transport = ScriptedTransport({ call in
            var headers = HTTPHeaders()
            headers["WWW-Authenticate"] = challenge
            call.answer(401, headers)
        })
        var request = try request(over: transport)
        request.authentication = .bearer(
            BearerToken("old") {
                count.withLock { $0 += 1 }
                return "new"
            })
        #expect(try await request.send().status == 401)
        #expect(count.withLock { $0 } == (refreshes ? 1 : 0))
        #expect(
            transport.requests.map { $0.headers["Authorization"] }
                == (refreshes ? ["Bearer old", "Bearer new"] : ["Bearer old"]))
    }

    @Test func `A failed refresh fails all waiting requests, and the next request tries again`() async throws {
        let count = Mutex(0)
        let token = BearerToken("old") { [issuer] in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return try await newToken(from: issuer, isFirst ? "/status/400?body=invalid_grant" : "/token")
        }
        let client = client(token)
        let failures = await withTaskGroup(of: RequestError?.self) { group in
            for _ in 0..<50 {
                group.addTask { await failure { () throws(RequestError) in try await client.get("/bearer?key=t") } }
            }
            return await group.reduce(into: [RequestError?]()) { $0.append($1) }
        }
        let kinds = Set(failures.map { $0?.kind })
        #expect(kinds == [.authenticationFailed])
        #expect(
            failures.first??.description == """
                GET \(server.url)/bearer?…: no credentials are available: the token could not be refreshed: \
                NoToken(status: 400)
                """)
        #expect(count.withLock { $0 } == 1)
        #expect(try await client.get("/bearer?key=t").status == 200)
        #expect(count.withLock { $0 } == 2)
    }

    @Test(arguments: [
        (RequestError.Kind.offline, RequestError.Kind.offline),
        (.connectionRefused, .connectionRefused),
        (.idleTimedOut, .idleTimedOut),
        (.timedOut, .timedOut),
        (.unacceptableResponse, .authenticationFailed),
        (.serverCertificateSelfSigned, .authenticationFailed),
    ])
    func `A network failure of the refresh is not an authentication error`(
        thrown: RequestError.Kind, told: RequestError.Kind
    ) async throws {
        let client = client(BearerToken("old") { throw RequestError(thrown, "no luck") })
        let error = await failure { () throws(RequestError) in try await client.get("/bearer?key=t") }
        #expect(error?.kind == told)
        #expect(error?.cause.hasPrefix("the token could not be refreshed: ") == true)
        #expect(error?.cause.hasSuffix("no luck") == true)
    }

    @Test func `A refresh that hangs times out, and the next one can succeed`() async throws {
        let first = Mutex(true)
        let forever = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let token = BearerToken(refreshLimit: .milliseconds(30)) { [issuer] in
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            // Even a cancellation does not end it.
            if isFirst { await withCheckedContinuation { next in forever.withLock { $0 = next } } }
            return isFirst ? "late" : try await newToken(from: issuer, "/token")
        }
        let client = client(token)
        let error = await failure { () throws(RequestError) in try await client.get("/bearer?key=t") }
        #expect(
            error?.description == """
                GET \(server.url)/bearer?…: no credentials are available: the token was not refreshed in time; \
                BearerToken's refreshLimit is 0.03 s
                """)
        #expect(server.requests.isEmpty)
        let patient = BearerToken(nil) { [issuer] in try await newToken(from: issuer, "/token") }
        #expect(try await self.client(patient).get("/bearer?key=t").status == 200)
        forever.withLock { $0 }?.resume()
    }

    @Test func `A cancelled request does not cancel the refresh for others`() async throws {
        let client = client(token("old", "/hold?key=refresh"))
        let first = Task { try await client.get("/bearer?key=t") }
        try await server.waitForRequests(count: 1, path: "/hold")
        let second = Task { try await client.get("/bearer?key=t") }
        // The request that started the refresh.
        first.cancel()
        await #expect(throws: RequestError.self) { try await first.value }
        server.release("refresh")
        let error = await #expect(throws: RequestError.self) { try await second.value }
        // "/hold" returns no token: the refresh ended by itself.
        #expect(error?.cause == "the token could not be refreshed: NoToken(status: 200)")
        #expect(server.statistics.requestsByPath["/hold"] == 1)
    }

    @Test func `Waiting for a token is not idle time, but counts for the total time`() throws {
        let transport = ScriptedTransport({ $0.answer(401) })
        let recorder = ExchangeRecorder()
        let refresh = AsyncStream<String>.makeStream()
        var request = try request(over: transport)
        request.timeouts = Timeouts(connect: .seconds(1), idle: .seconds(1), total: .seconds(1000))
        request.authentication = .bearer(
            BearerToken("old", refreshLimit: .seconds(5000)) {
                for await token in refresh.stream { return token }
                throw NoToken(status: 0)
            })
        let exchange = recorder.exchange(request)
        exchange.start()
        let now = Watchdog.shared.now
        _ = exchange.check(at: now + .seconds(900))
        #expect(recorder.outcomes.isEmpty)
        _ = exchange.check(at: now + .seconds(1001))
        #expect(recorder.outcomes.first?.failure?.kind == .timedOut)
        #expect(recorder.outcomes.first?.failure?.phase == .preparing)
        refresh.continuation.finish()
    }

    @Test func `A token is not refreshed for a request that has ended`() async throws {
        let count = Mutex(0)
        let transport = ScriptedTransport({ $0.answer() })
        let recorder = ExchangeRecorder()
        var request = try request(over: transport)
        request.authentication = .bearer(
            BearerToken {
                count.withLock { $0 += 1 }
                return "new"
            })
        let exchange = recorder.exchange(request)
        exchange.cancel()
        let hop = try TransportRequest(checking: request)
        exchange.state.withLock { $0.hop = hop }
        exchange.run(exchange.authorize(isAnswer: false))
        #expect(recorder.names == ["cancelled"])
        #expect(transport.calls.isEmpty && count.withLock { $0 } == 0)
    }

    @Test func `A refresh that requires its own token fails immediately`() async throws {
        let own = Mutex<RESTClient?>(nil)
        let token = BearerToken(account: "ann") {
            let client = own.withLock { $0 }
            return try await client?.get("/token").text ?? ""
        }
        let client = client(token)
        // After a cache lookup, the request continues on another thread.
        let folder = try TemporaryDirectory()
        client.cache = RequestCache(directory: folder.url)
        own.withLock { $0 = client }
        let error = await failure { () throws(RequestError) in try await client.get("/bearer?key=t") }
        let advice = "the token refresh sends a request with the token itself; use a client without authentication"
        #expect(error?.cause.hasSuffix(advice) == true)
        #expect(server.requests.isEmpty)
        own.withLock { $0 = nil }
    }

    @Test func `The token is sent to its origin only`() async throws {
        let other = try LoopbackServer()
        let location = other.url("/bearer?token=a").absoluteString
        let client = client(BearerToken("a") { "b" })
        #expect(try await client.get("/redirect", query: ["to": location]).status == 401)
        #expect(other.requests.count == 1)
        #expect(try await client.get("/redirect?to=/bearer?token=a").status == 200)
    }

    @Test func `A cache can distinguish tokens or accounts`() {
        #expect(Authentication.bearer(BearerToken { "" }).cacheIdentity == nil)
        #expect(Authentication.bearer(BearerToken("a") { "" }).cacheIdentity == "token\0a")
        #expect(Authentication.bearer(BearerToken("a", account: "ann") { "" }).cacheIdentity == "account\0ann")
        #expect(Authentication.digest(user: "ann", password: "p").cacheIdentity == "login\0ann\0p")
    }
}

/// Requests a new token, as returned by OAuth 2 (RFC 6749 §5.1).
private func newToken(from issuer: RESTClient, _ target: String) async throws -> String {
    struct Answer: Decodable { var access_token: String? }
    let response = try await issuer.post(target)
    guard response.isOK, let token = try response.json(Answer.self).access_token else {
        throw NoToken(status: response.status)
    }
    return token
}

private struct NoToken: Error { let status: Int }
