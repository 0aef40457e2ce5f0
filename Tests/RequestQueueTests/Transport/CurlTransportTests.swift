#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import TestSupport
    import Testing

    @Suite("Curl transport", .timeLimit(.minutes(5)))
    struct CurlTransportTests {
        let transport = CurlTransport()

        /// Sends a request and waits for its end.
        private func send(_ request: TransportRequest) async -> TransportRecorder.Record {
            let recorder = TransportRecorder()
            let task = transport.start(request, handler: recorder)
            let record = await recorder.finished()
            withExtendedLifetime(task) {}
            #expect(record.finishes == 1)
            #expect(record.mistakes.isEmpty)
            return record
        }

        /// A server that returns each request: the head, and then the body.
        private func echo() throws -> ScriptedServer {
            try ScriptedServer { connection in
                while let head = connection.readHead() {
                    let body = connection.readBody(of: head)
                    let answer = Data(head.utf8) + body
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(answer.count)\r\n\r\n")
                    if !head.hasPrefix("HEAD") { connection.write(answer) }
                }
            }
        }

        struct Sent: CustomTestStringConvertible {
            var method: HTTPMethod
            var body: String?
            var isLengthKnown = true
            var head: [String]
            var testDescription: String { "\(method) \(body ?? "without a body")\(isLengthKnown ? "" : " in chunks")" }
        }

        static let sent = [
            Sent(method: .get, head: []),
            Sent(method: .get, body: "x", head: ["Content-Length: 1"]),
            Sent(method: .delete, head: []),
            Sent(method: .delete, body: "x", head: ["Content-Length: 1"]),
            Sent(method: .post, head: ["Content-Length: 0"]),
            Sent(method: .post, body: "", head: ["Content-Length: 0"]),
            Sent(method: .post, body: "hello", head: ["Content-Length: 5"]),
            Sent(method: .put, body: "hello", head: ["Content-Length: 5"]),
            Sent(method: .patch, body: "hello", head: ["Content-Length: 5"]),
            Sent(method: .put, head: ["Content-Length: 0"]),
            Sent(method: .post, body: "hello", isLengthKnown: false, head: ["Transfer-Encoding: chunked"]),
            Sent(method: "PROPFIND", body: "", isLengthKnown: false, head: ["Transfer-Encoding: chunked"]),
        ]

        @Test(arguments: ["GET / HTTP/1.1\r\nX: y", "A B", "GET\n", "MÜLL"])
        func `A method cannot add a line to what is sent`(_ method: String) async throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            let record = await send(TransportRequest(method: HTTPMethod(rawValue: method), url: url))
            #expect(record.failure?.kind == .invalidMethod)
        }

        @Test(arguments: sent) func `A request is sent unchanged, with one framing`(_ sent: Sent) async throws {
            let server = try echo()
            let body = sent.body.map { TransportRequest.Body($0.utf8, isLengthKnown: sent.isLengthKnown) }
            let record = await send(
                TransportRequest(
                    method: sent.method, url: server.url("/a?b=c"), headers: ["X-One": "1", "X-Empty": ""], body: body))
            #expect(record.failure == nil)
            #expect(record.connections == 1)
            #expect(record.head?.status == 200)
            let lines = record.text.components(separatedBy: "\r\n")
            #expect(lines.first == "\(sent.method) /a?b=c HTTP/1.1")
            #expect(
                lines.dropFirst().sorted().filter { !$0.hasPrefix("Host") && !$0.isEmpty && $0 != sent.body }
                    == (["X-Empty:", "X-One: 1"] + sent.head).sorted())
            #expect(lines.last == sent.body ?? "")
            #expect(record.sent.last ?? 0 == sent.body?.utf8.count ?? 0)
        }

        @Test(arguments: [true, false]) func `A large body is received completely, with progress`(isLengthKnown: Bool)
            async throws
        {
            let server = try echo()
            let bytes = Array(String(repeating: "0123456789", count: 200_000).utf8)
            let record = await send(
                TransportRequest(
                    method: .post, url: server.url(), body: .init(bytes, isLengthKnown: isLengthKnown, pieces: 100_000))
            )
            #expect(record.failure == nil)
            #expect(record.body.suffix(bytes.count) == Data(bytes))
            #expect(record.text.contains("Expect: 100-continue") == isLengthKnown)
            #expect(record.sent == record.sent.sorted())
            #expect(record.sent.count > 5)
            #expect(record.sent.last == 2_000_000)
        }

        @Test(arguments: [10, nil]) func `A waiting body continues when it has bytes`(length: Int64?) async throws {
            let server = try echo()
            let fed = FedBody()
            let recorder = TransportRecorder()
            let task = transport.start(
                TransportRequest(method: .put, url: server.url(), body: fed.body(length: length)), handler: recorder)
            fed.give("hello")
            await recorder.until { $0.sent.last == 5 }
            fed.give("world")
            fed.give("", isEnd: true)
            let record = await recorder.finished()
            withExtendedLifetime(task) {}
            #expect(record.failure == nil)
            #expect(record.text.hasSuffix("helloworld"))
        }

        @Test func `A cancelled request and its connection end immediately and once`() async throws {
            let (ends, end) = AsyncStream.makeStream(of: Int.self)
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.waitForEnd()
                end.yield(connection.index)
            }
            let recorder = TransportRecorder()
            let task = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
            await recorder.until { $0.connections == 1 }
            task.cancel()
            task.cancel()
            let record = await recorder.finished()
            #expect(record.failure?.kind == .cancelled)
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() == 0)
            #expect(recorder.record.finishes == 1)
        }

        @Test func `A slow head counts as activity`() async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                for byte in "HTTP/1.1 200 Slow\r\nContent-Length: 0\r\n\r\n".utf8 {
                    usleep(20_000)
                    connection.write(Data([byte]))
                }
                connection.waitForEnd()
            }
            let record = await send(TransportRequest(method: .get, url: server.url()))
            #expect(record.failure == nil)
            // Of 41 pieces; some arrive together on a busy machine.
            #expect(record.signs > 5)
        }

        @Test func `A child process does not keep a connection open`() async throws {
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.waitForEnd()
                end.yield()
            }
            let recorder = TransportRecorder()
            let task = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
            await recorder.until { $0.connections == 1 }
            let child = try RunningProcess(URL(fileURLWithPath: "/bin/sleep"), arguments: ["60"])
            task.cancel()
            var iterator = ends.makeAsyncIterator()
            await iterator.next()
            child.send(SIGKILL)
            #expect(try child.wait().status == 128 + SIGKILL)
        }
    }
#endif
