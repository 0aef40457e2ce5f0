#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import Synchronization
    import Testing

    /// Requests on a reused connection that the server closes before it responds.
    @Suite("Reused connections that close", .timeLimit(.minutes(2)))
    struct StaleConnectionTests {
        /// A server that responds to the first request of each connection, and closes the connection after the second one.
        private struct Service {
            let server: ScriptedServer
            let client: RESTClient
            /// The methods of the requests, and the number of bytes in their bodies.
            let requests = Requests()

            /// - Parameter size: The number of bytes that are read of the second body. Defaults to all.
            init(reads size: Int? = nil, resets: Bool = false, refusesOthers: Bool = false) throws {
                let requests = requests
                server = try ScriptedServer { connection in
                    for number in 0... {
                        guard let head = connection.readHead() else { return }
                        let body = number > 0 ? size.map(connection.read) : nil
                        let length = (body ?? connection.readBody(of: head)).count
                        requests.add("\(head.prefix { $0 != " " }) \(length)")
                        if number > 0 { break }
                        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                    }
                    if refusesOthers { connection.refuseOthers() }
                    if resets { connection.reset() }
                }
                client = RESTClient(baseURL: server.url(), transport: CurlTransport())
            }

            /// Opens the connection that the next request uses.
            func connect() async throws { _ = try await client.request(.options, "/connect").send() }
        }

        private final class Requests: Sendable {
            private let names = Mutex<[String]>([])
            var all: [String] { names.withLock { $0 } }
            func add(_ name: String) { names.withLock { $0.append(name) } }
        }

        struct Upload: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var method = HTTPMethod.post
            var isChunked = false
            var size = 100_000
            var resets = false
            var refusesOthers = false
        }

        @Test(arguments: [
            Upload(testDescription: "POST"), Upload(testDescription: "PUT", method: .put),
            Upload(testDescription: "PATCH with a large body", method: .patch, size: 1 << 20),
            Upload(testDescription: "POST in chunks", isChunked: true),
            Upload(testDescription: "PUT in chunks", method: .put, isChunked: true),
            Upload(testDescription: "POST and a reset", resets: true),
            Upload(testDescription: "PUT to a server that is gone", method: .put, refusesOthers: true),
            Upload(testDescription: "POST without bytes", size: 0),
        ])
        func `An upload is sent once, and its error has the bytes that were sent`(_ upload: Upload) async throws {
            let service = try Service(resets: upload.resets, refusesOthers: upload.refusesOthers)
            try await service.connect()
            let bytes = [UInt8](repeating: 7, count: upload.size)
            let body = StreamBody(length: upload.isChunked ? nil : Int64(upload.size)) { TestBody.of(bytes) }
            let error = await #expect(throws: RequestError.self) {
                try await service.client.request(upload.method, "/", body).send()
            }
            #expect(error?.kind == .connectionLost)
            #expect(error?.bytesSent == Int64(upload.size))
            #expect(error?.attempts == 1)
            // The end of a body in chunks is not reported.
            #expect(error?.phase == .waiting || upload.isChunked)
            #expect(service.requests.all == ["OPTIONS 0", "\(upload.method) \(upload.size)"])
        }

        @Test func `The bytes of an upload that is interrupted are counted`() async throws {
            let service = try Service(reads: 100_000)
            try await service.connect()
            let body = DataBody(Data(count: 32 << 20), contentType: "a/b")
            let error = await #expect(throws: RequestError.self) {
                try await service.client.request(.put, "/", headers: ["Expect": ""], body).send()
            }
            #expect(error?.kind == .connectionLost)
            #expect((100_000..<32 << 20).contains(error?.bytesSent ?? 0))
            #expect(service.requests.all == ["OPTIONS 0", "PUT 100000"])
        }

        @Test(arguments: [HTTPMethod.delete, .put, .patch, .post], [false, true])
        func `A request that changes something is sent once`(_ method: HTTPMethod, resets: Bool) async throws {
            let service = try Service(resets: resets)
            try await service.connect()
            let error = await #expect(throws: RequestError.self) {
                try await service.client.request(method, "/").send()
            }
            #expect(error?.kind == .connectionLost && error?.attempts == 1)
            #expect(service.requests.all == ["OPTIONS 0", "\(method) 0"])
        }

        @Test(arguments: [HTTPMethod.get, .head, .options], [false, true])
        func `A request that only reads is sent again on a new connection, and counted`(
            _ method: HTTPMethod, resets: Bool
        ) async throws {
            let service = try Service(resets: resets)
            try await service.connect()
            let response = try await service.client.request(method, "/").send()
            #expect(response.isOK && response.attempts == 2)
            #expect(service.requests.all == ["OPTIONS 0", "\(method) 0", "\(method) 0"])
            #expect(service.server.connections == 2)
        }

        @Test(arguments: ["", "Content-Length: 5\r\n"])
        func `A response with chunks and a length is the last one of its connection`(length: String) async throws {
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.write(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(length)\r\n5\r\nhello\r\n0\r\n\r\n")
                }
            }
            let client = RESTClient(baseURL: server.url(), transport: CurlTransport())
            for _ in 1...2 { #expect(try await client.get("/").text == "hello") }
            #expect(server.connections == (length.isEmpty ? 1 : 2))
        }

        @Test func `Reconnecting can be disabled`() async throws {
            let service = try Service()
            try await service.connect()
            service.client.retryPolicy.reconnects = false
            let error = await #expect(throws: RequestError.self) { try await service.client.get("/") }
            #expect(error?.kind == .connectionLost && error?.attempts == 1)
            #expect(service.requests.all == ["OPTIONS 0", "GET 0"])
        }

        @Test func `A server that closes each connection after a request fails the second attempt`() async throws {
            let requests = Requests()
            let server = try ScriptedServer { connection in
                while let head = connection.readHead() {
                    requests.add("\(head.prefix { $0 != " " })")
                    guard requests.all.count == 1 else { return }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                }
            }
            let client = RESTClient(baseURL: server.url(), transport: CurlTransport())
            _ = try await client.get("/")
            let error = await #expect(throws: RequestError.self) { try await client.get("/") }
            #expect(error?.kind == .connectionLost && error?.attempts == 2)
            #expect(requests.all == ["GET", "GET", "GET"])
        }

        @Test func `A policy repeats PUT after its delay, with all bytes`() async throws {
            let service = try Service()
            try await service.connect()
            service.client.retryPolicy = RetryPolicy(attempts: 2, baseDelay: .milliseconds(1))
            let body = DataBody(Data(count: 100_000), contentType: "a/b")
            let response = try await service.client.put("/", body)
            #expect(response.isOK && response.attempts == 2)
            #expect(service.requests.all == ["OPTIONS 0", "PUT 100000", "PUT 100000"])
        }

        @Test func `A queue is notified before a GET is sent again`() async throws {
            let service = try Service()
            try await service.connect()
            let queue = RequestQueue()
            var events = queue.events.makeAsyncIterator()
            queue.add(service.client.request("/"))
            queue.start()
            var retries: [Int] = []
            while let event = await events.next() {
                if case .willRetry(_, let retry) = event { retries.append(retry.attempt) }
                if case .didLoad = event { break }
            }
            #expect(retries == [2])
        }
    }
#endif
