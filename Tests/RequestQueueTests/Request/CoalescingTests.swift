import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

#if os(Linux)
    @_spi(Reflection) import Swift
#endif

@Suite("Coalescing of identical requests", .timeLimit(.minutes(5)))
struct CoalescingTests {
    private let transport = HeldTransport()
    private let client: RESTClient

    init() throws {
        client = RESTClient(baseURL: try #require(URL(string: "http://stub")), transport: transport)
        client.coalescesIdenticalRequests = true
    }

    /// Outcomes in the order of arrival.
    private final class Outcomes: Sendable {
        private let all = Mutex<[Result<RESTResponse, RequestError>]>([])

        func note(_ outcome: Result<RESTResponse, RequestError>) { all.withLock { $0.append(outcome) } }

        var statuses: [Int] { all.withLock { $0.compactMap { try? $0.get().status } } }
        var failures: [RequestError.Kind] { all.withLock { $0.compactMap { $0.failure?.kind } } }
        var texts: Set<String> { all.withLock { Set($0.compactMap { try? $0.get().text }) } }
    }

    /// Starts sending immediately; its outcome is recorded on the calling thread.
    @discardableResult
    private func begin(_ request: RESTRequest, _ outcomes: Outcomes) -> Exchange {
        let exchange = Exchange(request) { outcomes.note($0) }
        exchange.start()
        return exchange
    }

    /// Waits until a condition is true, and fails after a timeout.
    private func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try #require(await eventually(condition), sourceLocation: sourceLocation)
    }

    private var waiting: Int { client.request("/").coalescer?.count ?? -1 }

    @Test func `Identical requests share one response`() {
        let outcomes = Outcomes()
        for _ in 0..<10 { begin(client.request("/a"), outcomes) }
        #expect(transport.started == ["/a"])
        #expect(waiting == 10)
        transport.answer("/a", 404, body: "gone")
        #expect(outcomes.statuses == Array(repeating: 404, count: 10))
        #expect(outcomes.texts == ["gone"])
        #expect(waiting == 0)
    }

    @Test func `Requests with other transports are not identical`() {
        let outcomes = Outcomes()
        let other = HeldTransport()
        begin(client.request("/a"), outcomes)
        var request = client.request("/a")
        request.transport = other
        begin(request, outcomes)
        transport.answer("/a", 200, body: "1")
        other.answer("/a", 200, body: "2")
        #expect(outcomes.texts == ["1", "2"])
    }

    @Test func `A response has the settings of its own request`() throws {
        enum Key: RequestSettingKey { static let defaultValue = 0 }
        let values = Mutex<[Int]>([])
        for value in [7, 0] {
            var request = client.request("/a")
            if value > 0 { request.settings.values[Key.self] = value }
            Exchange(request) { outcome in
                let found = (try? outcome.get())?.values[Key.self] ?? -1
                values.withLock { $0.append(found) }
            }
            .start()
        }
        transport.answer("/a")
        #expect(transport.started == ["/a"])
        #expect(values.withLock { $0.sorted() } == [0, 7])
    }

    @Test func `By default each request is sent`() {
        let outcomes = Outcomes()
        client.coalescesIdenticalRequests = false
        for _ in 0..<3 { begin(client.request("/a"), outcomes) }
        #expect(transport.started == ["/a", "/a", "/a"])
        transport.answer("/a")
        #expect(outcomes.statuses == [200, 200, 200])
    }

    @Test func `A request after the response is sent again`() {
        let outcomes = Outcomes()
        begin(client.request("/a"), outcomes)
        transport.answer("/a", 200, body: "1")
        begin(client.request("/a"), outcomes)
        transport.answer("/a", 200, body: "2")
        #expect(transport.started == ["/a", "/a"])
        #expect(outcomes.texts == ["1", "2"])
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete])
    func `A request after a successful change does not join an earlier one`(method: HTTPMethod) {
        let outcomes = Outcomes()
        begin(client.request("/a"), outcomes)
        begin(client.request(method, "/b"), outcomes)
        begin(client.request("/a"), outcomes)
        #expect(transport.started == ["/a", "/b"])
        transport.answer("/b", 201)
        begin(client.request("/a"), outcomes)
        #expect(transport.started == ["/a", "/b", "/a"])
        transport.answer("/a")
        #expect(outcomes.statuses == [201, 200, 200, 200])
        #expect(waiting == 0)
    }

    @Test func `A request after a failed change does not join an earlier one`() {
        let outcomes = Outcomes()
        begin(client.request("/a"), outcomes)
        begin(client.request(.post, "/b"), outcomes)
        transport.fail("/b")
        begin(client.request("/a"), outcomes)
        #expect(transport.started == ["/a", "/b", "/a"])
        transport.answer("/a")
    }

    @Test func `A request with other credentials does not join`() throws {
        let outcomes = Outcomes()
        let url = try #require(URL(string: "http://stub/"))
        begin(client.request("/me"), outcomes)
        client.cookies?.receive(["Set-Cookie": "session=1"], from: url)
        begin(client.request("/me"), outcomes)
        #expect(transport.started == ["/me", "/me"])
        begin(client.request("/me"), outcomes)
        #expect(transport.started == ["/me", "/me"])
        transport.answer("/me")
    }

    @Test func `A transport that responds immediately responds to all`() {
        let client = RESTClient(baseURL: client.baseURL, transport: HeldTransport(answersAtOnce: true))
        client.coalescesIdenticalRequests = true
        let outcomes = Outcomes()
        for _ in 0..<3 { begin(client.request("/a"), outcomes) }
        #expect(outcomes.statuses == [200, 200, 200])
        #expect(client.request("/a").coalescer?.count == 0)
    }

    @Test(arguments: [
        "url", "query", "header", "authorization", "coding", "connect", "idle", "memory", "redirects", "retries", "tls",
        "authentication", "cookies",
        "cache", "cachePolicy", "cacheTimeout", "reachability", "redirectPolicy", "method", "client", "off",
    ])
    func `Different requests are sent separately`(difference: String) async throws {
        let folder = try TemporaryDirectory()
        var other = client.request("/a", query: ["a": 1])
        switch difference {
        case "url": other.url = URL(string: "http://stub/b?a=1")
        case "query": other.url = URL(string: "http://stub/a?a=2")
        case "header": other.headers["X-Mine"] = "a"
        case "authorization": other.headers["Authorization"] = "Basic dTpw"
        // The default, but nothing is decoded.
        case "coding": other.headers["Accept-Encoding"] = "gzip, deflate"
        case "connect": other.timeouts.connect = .seconds(3)
        case "idle": other.timeouts.idle = .seconds(3)
        case "memory": other.limits.bodyInMemory = 3
        case "redirects": other.redirectLimit = 3
        case "retries": other.retryPolicy = .standard
        case "tls": other.tls.minimumVersion = .tls13
        case "authentication": other.authentication = .basic(user: "u", password: "p")
        case "cookies": other.cookies = CookieStore()
        case "cache": other.cache = RequestCache(directory: folder.file("cache"))
        case "cachePolicy": other.cachePolicy = []
        case "cacheTimeout": other.cacheTimeout = .seconds(3)
        case "reachability": other.reachabilityObserver = ReachabilityObserver(initially: .indeterminate)
        case "redirectPolicy": other.redirectPolicy = RedirectPolicy { _ in .standard }
        case "method": other.method = .head
        case "client": other.coalescer = Coalescer()
        default: other.coalescesIdenticalRequests = false
        }
        let outcomes = Outcomes()
        begin(client.request("/a", query: ["a": 1]), outcomes)
        begin(other, outcomes)
        // The cache is searched first.
        try await until { transport.runningCount == 2 }
        for path in transport.running { transport.answer(path) }
        // A cache returns on its own thread.
        try await until { outcomes.statuses.count == 2 }
        #expect(outcomes.statuses == [200, 200])
    }

    #if os(Linux)
        // The SDK of Apple platforms does not contain the function that lists properties.
        @Test func `Every property of a request is in the key or irrelevant to the transfer`() {
            let inKey = [
                "url", "headers", "timeouts", "limits", "redirectLimit", "retryPolicy", "tls", "authentication",
                "cache",
                "cachePolicy",
                "cacheTimeout",
                "cookies", "reachabilityObserver", "redirectPolicy",
            ]
            // Only GETs without a body, adapters and proxy; the transport of the client; callbacks of each request; values
            // that each response has of its own request.
            let others = [
                "method", "body", "transport", "coalescer", "activeRequests", "coalescesIdenticalRequests",
                "buildError",
                "tag", "userData", "delegate", "backgroundPolicy", "lifecycle", "progressHandler", "destination",
                "callbackExecutor", "adapters", "proxy", "omitsAccept", "values",
            ]
            var properties: [String] = []
            for type in [RESTRequest.self, RequestSettings.self] as [any Any.Type] {
                _forEachField(of: type) { name, _, _, _ in
                    properties.append(String(cString: name))
                    return true
                }
            }
            #expect(Set(properties) == Set(inKey + others + ["settings"]))
        }
    #endif

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    func `Only GETs are coalesced`(method: String) {
        let outcomes = Outcomes()
        for _ in 0..<2 { begin(client.request(HTTPMethod(rawValue: method), "/a"), outcomes) }
        #expect(transport.started == ["/a", "/a"])
        transport.answer("/a")
    }

    @Test func `Downloads and streams are sent separately`() async throws {
        let folder = try TemporaryDirectory()
        let request = client.request("/a")
        var download = request
        download.destination = folder.file("a")
        let downloads = [download.send { _ in }]
        let streams = (0..<2).map { _ in Exchange(request, delivery: .stream(StreamSink())) { _ in } }
        for stream in streams { stream.start() }
        #expect(transport.started == ["/a", "/a", "/a"])
        for download in downloads { download.cancel() }
        for stream in streams { stream.cancel() }
    }

    // MARK: Separate outcomes

    @Test func `The first request can be cancelled, and the others get the response`() {
        let outcomes = Outcomes()
        let first = begin(client.request("/a"), outcomes)
        begin(client.request("/a"), outcomes)
        first.cancel()
        #expect(outcomes.failures == [.cancelled])
        #expect(transport.running == ["/a"])
        begin(client.request("/a"), outcomes)
        transport.answer("/a")
        #expect(outcomes.statuses == [200, 200])
        #expect(transport.started == ["/a"])
    }

    @Test func `If all are cancelled, the transfer is cancelled, and the next request is sent again`() {
        let outcomes = Outcomes()
        let all = (0..<3).map { _ in begin(client.request("/a"), outcomes) }
        for exchange in all { exchange.cancel() }
        #expect(outcomes.failures == [.cancelled, .cancelled, .cancelled])
        #expect(transport.running.isEmpty)
        #expect(waiting == 0)
        begin(client.request("/a"), outcomes)
        transport.answer("/a")
        #expect(outcomes.statuses == [200])
    }

    @Test func `Each request has its own total time`() async throws {
        let outcomes = Outcomes()
        begin(client.request("/a"), outcomes)
        var hurried = client.request("/a")
        hurried.timeouts.total = .milliseconds(20)
        var error: RequestError?
        do throws(RequestError) { _ = try await hurried.send() } catch let failure { error = failure }
        #expect(error?.kind == .timedOut)
        #expect(
            error?.description
                == "GET http://stub/a: total timeout while waiting (0 bytes sent, 0 received): "
                + "not completed after 0.02 seconds; Timeouts.total is 0.02 s")
        #expect(transport.started == ["/a"])
        transport.answer("/a")
        #expect(outcomes.statuses == [200])
    }

    @Test func `A failure is the result of all requests`() {
        let outcomes = Outcomes()
        for _ in 0..<3 { begin(client.request("/a"), outcomes) }
        transport.fail("/a")
        #expect(outcomes.failures == [.connectionLost, .connectionLost, .connectionLost])
        #expect(waiting == 0)
    }

    @Test func `Each request reports sending and progress, a late one also sending`() throws {
        let first = ExchangeRecorder()
        let late = ExchangeRecorder()
        first.exchange(client.request("/a")).start()
        transport.receive("/a", "12")
        late.exchange(client.request("/a")).start()
        transport.receive("/a", "345")
        transport.answer("/a", 200)
        #expect(first.names == ["didSend", "progress", "progress", "response"])
        #expect(late.names == ["progress", "didSend", "response"])
        #expect(late.progress.map(\.bytesReceived) == [5])
        #expect(try late.outcomes.first?.get().text == "12345")
    }

    @Test func `A waiting request has the progress of the identical request`() {
        let outcomes = Outcomes()
        let exchanges = (0..<2).map { _ in begin(client.request("/a"), outcomes) }
        transport.receive("/a", "12")
        #expect(exchanges.map(\.progress.bytesReceived) == [2, 2])
        for exchange in exchanges { exchange.cancel() }
        #expect(outcomes.failures == [.cancelled, .cancelled])
    }

    // MARK: Over the network

    @Test func `A thousand requests share the responses of a few`() async throws {
        let server = try LoopbackServer()
        let client = RESTClient(baseURL: server.url)
        client.coalescesIdenticalRequests = true
        weak var leaked: Exchange?
        do {
            let outcomes = Outcomes()
            let (ends, end) = AsyncStream<Void>.makeStream()
            for number in 0..<1000 {
                let exchange = Exchange(client.request("/hold")) { outcome in
                    outcomes.note(outcome)
                    end.yield()
                }
                exchange.start()
                if number == 500 { leaked = exchange }
            }
            try await server.waitForRequests(count: 1, path: "/hold")
            server.release()
            var iterator = ends.makeAsyncIterator()
            for _ in 0..<1000 { _ = await iterator.next() }
            #expect(outcomes.statuses == Array(repeating: 200, count: 1000))
        }
        #expect(server.statistics.requests == 1)
        #expect(client.request("/").coalescer?.count == 0)
        // The thread that reported the outcomes releases them shortly afterwards.
        #expect(await eventually { leaked == nil })
        #expect(leaked == nil)
    }

    @Test func `Redirects and retries are shared`() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/busy" else { return nil }
            try request.hold()
            return Answer(307, headers: [Header("Location", "/flap?fail=1&status=503")])
        }
        let client = RESTClient(baseURL: server.url)
        client.coalescesIdenticalRequests = true
        client.retryPolicy = RetryPolicy(baseDelay: .zero)
        let requests = (0..<50).map { _ in client.request("/busy") }
        let responses = try await withThrowingTaskGroup(of: RESTResponse.self) { group in
            for request in requests { group.addTask { try await request.send() } }
            try await until { client.request("/").coalescer?.count == 50 }
            try await server.waitForRequests(count: 1, path: "/busy")
            server.release()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(responses.map(\.status)) == [200])
        #expect(Set(responses.map(\.attempts)) == [2])
        #expect(Set(responses.map(\.redirects)) == [1])
        #expect(server.statistics.requestsByPath == ["/busy": 1, "/flap": 2])
    }

    @Test func `Concurrent joins, cancellations and responses give each request one outcome`() async throws {
        let server = try LoopbackServer()
        let client = RESTClient(baseURL: server.url)
        client.coalescesIdenticalRequests = true
        let counts = await withTaskGroup(of: (Int, Int).self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var (answered, cancelled) = (0, 0)
                    for round in 0..<100 {
                        let task = Task { try await client.get("/ok").status }
                        if (worker + round) % 3 == 0 { task.cancel() }
                        if case .success(200) = await task.result { answered += 1 } else { cancelled += 1 }
                    }
                    return (answered, cancelled)
                }
            }
            return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        #expect(counts.0 + counts.1 == 800)
        #expect(counts.0 >= 533)
        #expect(client.request("/").coalescer?.count == 0)
        #expect(server.statistics.requests < 800)
    }
}
