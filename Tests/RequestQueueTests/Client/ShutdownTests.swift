#if os(Linux)
    import LoopbackServer
    import RequestQueue
    import TestSupport
    import Testing

    @Suite("Shutdown and idle connections", .timeLimit(.minutes(2)))
    struct ShutdownTests {
        private let server: LoopbackServer

        init() throws { server = try LoopbackServer() }

        private func client(_ options: CurlTransport.Options = .init()) -> RESTClient {
            RESTClient(baseURL: server.url, transport: CurlTransport(options: options))
        }

        private func waitForEndOfConnections(_ count: Int = 0) async throws {
            try await server.wait { statistics, _ in statistics.openConnections == count }
        }

        @Test func `Running requests finish, later ones fail, and connections close`() async throws {
            let client = client()
            let queue = RequestQueue()
            let queued = queue.add(client.request("/ok"))
            let running = Task { try await client.get("/hold") }
            try await server.waitForRequests(count: 1)
            let shutdown = Task { await client.shutdown() }
            // The first request that is refused shows that the shutdown has begun.
            var refusal: RequestError?
            while refusal == nil {
                if case .failure(let error) = await client.request("/ok").result() { refusal = error }
            }
            server.release()
            #expect(try await running.value.isOK)
            await shutdown.value
            try await waitForEndOfConnections()

            #expect(refusal?.kind == .clientShutDown)
            #expect(
                refusal?.description
                    == "GET \(server.url("/ok")): the client was shut down: create another client for later requests")
            queue.start()
            let failure = await #expect(throws: RequestError.self) { try await queued.response }
            #expect(failure?.kind == .clientShutDown)
            // A second shutdown has nothing to wait for.
            await client.shutdown()
        }

        /// How a shutdown ends requests that would run forever.
        enum Ending: CaseIterable { case argument, cancellation }

        @Test(arguments: Ending.allCases) func `Running requests are cancelled`(_ ending: Ending) async throws {
            let client = client()
            let running = (0..<3).map { _ in Task { await client.request("/hold").result() } }
            let stream = try await client.stream("/stall", query: ["after": 5])
            try await server.waitForRequests(count: 4)
            let shutdown = Task { await client.shutdown(cancelsRequests: ending == .argument) }
            if ending == .cancellation { shutdown.cancel() }
            await shutdown.value
            for task in running {
                let error = await #expect(throws: RequestError.self) { try await task.value.get() }
                #expect(error?.kind == .cancelled)
            }
            await #expect(throws: RequestError.self) { for try await _ in stream.body {} }
            try await waitForEndOfConnections()
        }

        @Test func `Other clients of the transport connect again`() async throws {
            let transport = CurlTransport()
            let clients = (0..<2).map { _ in RESTClient(baseURL: server.url, transport: transport) }
            for client in clients { _ = try await client.get("/ok") }
            #expect(server.statistics.connections == 1)
            let running = Task { try await clients[1].get("/hold") }
            try await server.waitForRequests(count: 1, path: "/hold")
            await clients[0].shutdown()
            #expect(try await clients[1].get("/ok").isOK)
            server.release()
            #expect(try await running.value.isOK)
            #expect(server.statistics.connections == 2)
            try await waitForEndOfConnections(1)
        }

        @Test func `Connections close after the idle timeout, and later requests connect again`() async throws {
            let client = client(.init(idleTimeout: .milliseconds(50)))
            for count in 1...2 {
                #expect(try await client.get("/ok").isOK)
                try await waitForEndOfConnections()
                #expect(server.statistics.connections == count)
            }
        }

        @Test(arguments: [0, 1, 2]) func `No more connections stay open than the limit`(_ limit: Int) async throws {
            let client = client(.init(idleConnections: limit))
            let running = (0..<3).map { _ in Task { try await client.get("/hold") } }
            try await server.waitForRequests(count: 3)
            server.release()
            for task in running { #expect(try await task.value.isOK) }
            try await waitForEndOfConnections(limit)
        }
    }
#endif
