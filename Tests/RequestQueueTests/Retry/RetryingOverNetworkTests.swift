import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Retries over the network", .timeLimit(.minutes(5)))
struct RetryingOverNetworkTests {
    /// When requests for `/busy` arrived.
    private final class Arrivals: Sendable {
        private let instants = Mutex<[ContinuousClock.Instant]>([])

        /// The number of the request, from 1.
        func note() -> Int {
            instants.withLock { instants in
                instants.append(.now)
                return instants.count
            }
        }

        /// Between the first and the second.
        var gap: Duration {
            instants.withLock { $0.count == 2 ? $0[0].duration(to: $0[1]) : .zero }
        }
    }

    private static let patient = RetryPolicy(attempts: 9, baseDelay: .milliseconds(1))

    @Test(arguments: [
        ["Retry-After: 1"],
        // By clocks that are set wrong.
        ["Date: Thu, 01 Jan 2015 00:00:00 GMT", "Retry-After: Thu, 01 Jan 2015 00:00:01 GMT"],
        ["Date: Friday, 31-Dec-60 23:59:59 GMT", "Retry-After: Sat Jan  1 00:00:00 2061"],
    ])
    func `No attempt arrives before the time in Retry-After`(lines: [String]) async throws {
        let arrivals = Arrivals()
        let fields = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return Header(parts[0], String(parts[1].dropFirst()))
        }
        let server = try LoopbackServer { request in
            guard request.path == "/busy" else { return nil }
            return arrivals.note() == 1 ? Answer(503, headers: fields) : Answer(200)
        }
        let client = RESTClient(baseURL: server.url)
        client.retryPolicy = Self.patient
        let response = try await client.get("/busy")
        #expect(response.status == 200)
        #expect(response.attempts == 2)
        #expect(arrivals.gap >= .milliseconds(950))
    }

    #if os(Linux)
        @Test func `A request in backoff releases its connection`() async throws {
            let server = try LoopbackServer { request in
                guard request.path == "/busy" else { return nil }
                // So long that the test ends before.
                return Answer(503, headers: [Header("Retry-After", "60")])
            }
            let transport = CurlTransport(options: CurlTransport.Options(connectionsPerHost: 1))
            let client = RESTClient(baseURL: server.url, transport: transport)
            var waiting = client.request("/busy")
            waiting.retryPolicy = Self.patient
            // Cancelled at the end of the scope.
            async let _ = waiting.send()
            try await server.waitForRequests(count: 1, path: "/busy")
            #expect(try await client.get("/ok").status == 200)
            #expect(server.requests.map { $0.path } == ["/busy", "/ok"])
            #expect(server.statistics.connections == 1)
        }
    #endif

    @Test func `All requests succeed over a server that fails most of them`() async throws {
        let generator = Mutex(SeededGenerator(seed: 7))
        let server = try LoopbackServer { request in
            guard request.path == "/storm" else { return nil }
            let isBad = generator.withLock { Bool.random(using: &$0) }
            return isBad ? Answer(503, headers: [Header("Retry-After", "0")]) : Answer(200)
        }
        let client = RESTClient(baseURL: server.url)
        client.retryPolicy = RetryPolicy(attempts: 60, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(4))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await client.get("/storm").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
    }

    @Test func `A retry with an idempotency key is not processed twice`() async throws {
        let server = try LoopbackServer()
        let client = RESTClient(baseURL: server.url)
        client.retryPolicy = Self.patient
        for number in 0..<6 {
            var request = client.request(.post, "/outbox?drop=odd", ["number": number])
            request.headers["Idempotency-Key"] = "key \(number)"
            let response = try await request.send()
            // Every second answer is lost. On a connection that was kept, the transport itself sends once more.
            #expect(response.status == (number % 2 == 0 ? 200 : 201))
        }
        let record = server.requests.map { $0.bodySHA256 ?? "" }
        #expect(record.count == 9)
        #expect(Set(record).count == 6)
    }

    @Test func `A POST without a key whose response is lost arrives once`() async throws {
        let server = try LoopbackServer()
        let client = RESTClient(baseURL: server.url)
        client.retryPolicy = Self.patient
        let error = await #expect(throws: RequestError.self) { _ = try await client.post("/close", ["a": 1]) }
        #expect(error?.kind == .connectionLost)
        #expect(error?.attempts == 1)
        #expect(server.statistics.requests == 1)
    }

    @Test func `A multipart form with a file is sent completely in each attempt`() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: "0123456789abcdef", count: 40_000), to: "film")
        let arrivals = Arrivals()
        let server = try LoopbackServer { request in
            guard request.path == "/sink" else { return nil }
            guard arrivals.note() <= 2 else { return nil }
            _ = try request.body()
            return Answer(503)
        }
        let client = RESTClient(baseURL: server.url)
        client.retryPolicy = Self.patient
        let params = Params()
        params.set("Low tide", for: "title")
        try params.set(file: folder.file("film"), for: "film")
        let response = try await client.put("/sink", params)
        #expect(response.status == 200)
        #expect(response.attempts == 3)
        let records = server.requests
        #expect(records.map(\.bodyLength) == Array(repeating: Int(params.contentLength ?? 0), count: 3))
        #expect(Set(records.map(\.bodySHA256)).count == 1)
    }
}
