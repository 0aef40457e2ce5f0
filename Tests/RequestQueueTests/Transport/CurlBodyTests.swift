#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import Synchronization
    import TestSupport
    import Testing

    @Suite("Curl transport and bodies", .timeLimit(.minutes(5)))
    struct CurlBodyTests {
        let transport = CurlTransport()

        private func send(_ request: TransportRequest) async -> TransportRecorder.Record {
            let recorder = TransportRecorder()
            _ = transport.start(request, handler: recorder)
            let record = await recorder.finished()
            #expect(record.finishes == 1)
            #expect(record.mistakes.isEmpty)
            return record
        }

        /// A server that reads complete requests and responds with a status and the size of their bodies.
        private func counter() throws -> ScriptedServer {
            try ScriptedServer { connection in
                while let head = connection.readHead() {
                    let count = connection.readBody(of: head).count
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: \("\(count)".count)\r\n\r\n\(count)")
                }
            }
        }

        struct Broken: Error {}

        struct Mistake: CustomTestStringConvertible {
            var testDescription: String
            var length: Int64?
            /// The reads of the stream, each once.
            var reads: [BodyRead?]
            var kind: RequestError.Kind
            var cause: String
        }

        static let mistakes = [
            Mistake(
                testDescription: "short", length: 10, reads: [.bytes(4), .end], kind: .bodyChanged,
                cause: "the body ended unexpectedly after 4 of the 10 bytes that were declared"),
            Mistake(
                testDescription: "long", length: 4, reads: [.bytes(4), .bytes(1)], kind: .bodyChanged,
                cause: "the body has more than the 4 bytes that were declared"),
            Mistake(
                testDescription: "long after a wait", length: 4, reads: [.wait, .bytes(4), .wait, .bytes(1)],
                kind: .bodyChanged, cause: "the body has more than the 4 bytes that were declared"),
            Mistake(
                testDescription: "not empty", length: 0, reads: [.bytes(1)], kind: .bodyChanged,
                cause: "the body has more than the 0 bytes that were declared"),
            Mistake(
                testDescription: "not empty after a wait", length: 0, reads: [.wait, .bytes(1)], kind: .bodyChanged,
                cause: "the body has more than the 0 bytes that were declared"),
            Mistake(
                testDescription: "unreadable from the start", length: 10, reads: [nil], kind: .bodyUnreadable,
                cause: "the body cannot be read: Broken()"),
            Mistake(
                testDescription: "unreadable later", length: nil, reads: [.bytes(4), .wait, nil], kind: .bodyUnreadable,
                cause: "the body cannot be read: Broken()"),
            Mistake(
                testDescription: "unreadable at its end", length: 4, reads: [.bytes(4), nil], kind: .bodyUnreadable,
                cause: "the body cannot be read: Broken()"),
            Mistake(
                testDescription: "of no bytes", length: nil, reads: [.bytes(0)], kind: .bodyUnreadable,
                cause: "the stream of the body returned 0 bytes for a buffer of 262132"),
            Mistake(
                testDescription: "of more bytes than there was room for", length: 5, reads: [.bytes(6)],
                kind: .bodyUnreadable, cause: "the stream of the body returned 6 bytes for a buffer of 5"),
        ]

        @Test(arguments: mistakes) func `A body that is not as declared fails the request`(_ mistake: Mistake)
            async throws
        {
            let server = try counter()
            let body = TransportRequest.Body(length: mistake.length) {
                var reads = mistake.reads[...]
                return TestBody { _ in
                    guard let read = reads.removeFirst() else { throw Broken() }
                    return read
                }
            }
            let record = await send(TransportRequest(method: .put, url: server.url(), body: body))
            #expect(record.failure == TransportFailure(mistake.kind, mistake.cause))
            #expect(record.head == nil)
        }

        @Test(arguments: [(1 << 20, 256 << 10), (64 << 20, 1 << 20)] as [(Int64, Int)])
        func `A large body is read in large pieces`(length: Int64, pieceSize: Int) async throws {
            let server = try counter()
            let body = TransportRequest.Body(length: length) {
                TestBody { buffer in throw TransportFailure(.bodyUnreadable, "\(buffer.byteCount) bytes of room") }
            }
            let record = await send(TransportRequest(method: .put, url: server.url(), body: body))
            #expect(record.failure == TransportFailure(.bodyUnreadable, "\(pieceSize) bytes of room"))
        }

        @Test func `An error of the body keeps its kind`() async throws {
            let server = try counter()
            for error: any Error in [
                RequestError(.bodyChanged, "it grew"), TransportFailure(.bodyChanged, "it grew"),
            ] {
                for opens in [true, false] {
                    let body = TransportRequest.Body(length: 3) {
                        guard opens else { throw error }
                        return TestBody { _ in throw error }
                    }
                    let record = await send(TransportRequest(method: .put, url: server.url(), body: body))
                    #expect(record.failure == TransportFailure(.bodyChanged, "it grew"))
                }
            }
        }

        @Test func `An empty body that ends late is sent when it ends`() async throws {
            let server = try counter()
            let body = TransportRequest.Body(length: 0) {
                var reads: [BodyRead] = [.end, .wait, .wait]
                return TestBody { _ in reads.removeLast() }
            }
            let record = await send(TransportRequest(method: .put, url: server.url(), body: body))
            #expect(record.failure == nil)
            #expect(record.text == "0")
        }

        @Test func `A released transport waits for an empty body that ends late`() async throws {
            let server = try counter()
            let fed = FedBody()
            let recorder = TransportRecorder()
            var transport: CurlTransport? = CurlTransport()
            _ = transport?.start(
                TransportRequest(method: .put, url: server.url(), body: fed.body(length: 0)), handler: recorder)
            #expect(await eventually { fed.isAwaited })
            transport = nil
            fed.give("", isEnd: true)
            #expect(await recorder.finished().text == "0")
        }

        @Test func `A HEAD request with a body is refused, not sent without it`() async throws {
            let server = try counter()
            let record = await send(TransportRequest(method: .head, url: server.url(), body: .init("x".utf8)))
            #expect(record.failure?.kind == .invalidBody)
        }

        struct Interrupted: CustomTestStringConvertible {
            var method: HTTPMethod
            var hasKey = false
            var isLengthKnown = true
            var testDescription: String {
                "\(method)\(hasKey ? " with a key" : "") " + (isLengthKnown ? "of known length" : "in chunks")
            }
        }

        /// A server may have executed a request before its connection ended: a retry policy decides whether it is sent again.
        @Test(arguments: [
            Interrupted(method: .put), Interrupted(method: .put, isLengthKnown: false), Interrupted(method: .post),
            Interrupted(method: .post, hasKey: true),
        ])
        func `A request on an idle connection that closes is not repeated by the transport`(
            _ interrupted: Interrupted
        ) async throws {
            let server = try ScriptedServer { connection in
                var answers = 0
                while let head = connection.readHead() {
                    let count = connection.readBody(of: head).count
                    answers += 1
                    if connection.index == 0, answers == 2 { return }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: \("\(count)".count)\r\n\r\n\(count)")
                }
            }
            let first = await send(TransportRequest(method: .get, url: server.url()))
            #expect(first.failure == nil)
            let opened = Atomic(0)
            let body = TransportRequest.Body(length: interrupted.isLengthKnown ? 100_000 : nil) {
                opened.add(1, ordering: .relaxed)
                return TestBody.of([UInt8](repeating: 7, count: 100_000))
            }
            let record = await send(
                TransportRequest(
                    method: interrupted.method, url: server.url(),
                    headers: interrupted.hasKey ? ["Idempotency-Key": "1"] : [:], body: body))
            #expect(record.failure?.kind == .connectionLost)
            #expect(record.connections == 1 && server.connections == 1)
            #expect(record.sent.last == 100_000 && opened.load(ordering: .relaxed) == 1)
        }

        @Test(arguments: [HTTPMethod.get, .put, .post])
        func `A request on an idle connection that closes may have arrived, even if no other connection succeeds`(
            method: HTTPMethod
        ) async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                _ = connection.readHead()
                connection.refuseOthers()
            }
            #expect(await send(TransportRequest(method: .get, url: server.url())).failure == nil)
            let record = await send(TransportRequest(method: method, url: server.url()))
            #expect(record.failure?.kind == .connectionLost)
            #expect(
                record.failure?.cause
                    == "a reused connection closed before the response; the server may have processed the request")
        }

        @Test(arguments: [413, 500, 200])
        func `A response before the complete body is reported, with the number of sent bytes`(
            status: Int
        ) async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                _ = connection.read(1000)
                connection.write("HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\nearly")
                connection.waitForEnd()
            }
            let fed = FedBody()
            let recorder = TransportRecorder()
            let task = transport.start(
                TransportRequest(method: .post, url: server.url(), body: fed.body(length: 2000)), handler: recorder)
            fed.give(String(repeating: "x", count: 1000))
            let early = await recorder.until { $0.body.count == 5 }
            #expect(early.head?.status == status)
            #expect(early.sent.last == 1000)
            if status == 200 {
                #expect(early.finishes == 0)
                task.cancel()
            } else {
                #expect(await recorder.finished().failure == nil)
            }
            #expect(await recorder.finished().sent.last == 1000)
        }

        @Test(arguments: [HTTPMethod.put, .post])
        func `A server that does not support Expect does not get it`(method: HTTPMethod) async throws {
            let server = try ScriptedServer { connection in
                while let head = connection.readHead() {
                    if head.contains("Expect: 100-continue") {
                        connection.write("HTTP/1.1 417 No\r\nContent-Length: 5\r\n\r\nsorry")
                        continue
                    }
                    let count = connection.readBody(of: head).count
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: \("\(count)".count)\r\n\r\n\(count)")
                }
            }
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            let record = await send(TransportRequest(method: method, url: server.url(), body: .init(bytes)))
            #expect(record.failure == nil)
            #expect(record.head?.status == 200)
            #expect(record.text == "1048576")
            #expect(record.sent.last == 1 << 20)
        }

        @Test(arguments: [true, false])
        func `A server that refuses Expect during the body receives the complete body again`(isLengthKnown: Bool)
            async throws
        {
            // Bytes after it on the same connection would be read as the rest of the body.
            let server = try ScriptedServer { connection in
                guard let head = connection.readHead() else { return }
                if head.contains("Expect: 100-continue") {
                    _ = connection.read(1)
                    connection.write("HTTP/1.1 417 No\r\nContent-Length: 5\r\n\r\nsorry")
                    return connection.waitForEnd()
                }
                let count = connection.readBody(of: head).count
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \("\(count)".count)\r\n\r\n\(count)")
            }
            // More than the system accepts in one call.
            let body = TransportRequest.Body(
                [UInt8](repeating: 7, count: 32 << 20), isLengthKnown: isLengthKnown, pieces: 1 << 20)
            let record = await send(
                TransportRequest(method: .post, url: server.url(), headers: ["Expect": "100-continue"], body: body))
            #expect(record.failure == nil)
            #expect(record.head?.status == 200)
            #expect(record.text == "\(32 << 20)")
            #expect(record.sent.contains(0))
        }

        @Test func `A body that is not received is not reported as sent`() async throws {
            let (ends, end) = AsyncStream.makeStream(of: Int.self)
            let goOn = DispatchSemaphore(value: 0)
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                goOn.wait()
                var count = 0
                while case let piece = connection.read(65536), !piece.isEmpty { count += piece.count }
                end.yield(count)
            }
            let recorder = TransportRecorder()
            let task = transport.start(
                TransportRequest(
                    method: .put, url: server.url(), headers: ["Expect": ""],
                    body: .init([UInt8](repeating: 7, count: 64 << 20))),
                handler: recorder)
            await recorder.until { ($0.sent.last ?? 0) > 100_000 }
            task.cancel()
            goOn.signal()
            let sent = await recorder.finished().sent.last ?? 0
            var iterator = ends.makeAsyncIterator()
            let arrived = Int64(await iterator.next() ?? 0)
            // The bytes that the system accepted also arrive, because the connection ends in order.
            #expect(sent <= arrived)
            #expect(arrived < 64 << 20)
        }

        @Test func `A body that waited when its connection ended does not delay the next response`() async throws {
            let isWaiting = DispatchSemaphore(value: 0)
            let server = try ScriptedServer { connection in
                while let head = connection.readHead() {
                    guard head.hasPrefix("PUT") else {
                        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
                        continue
                    }
                    if connection.index == 0 {
                        isWaiting.wait()
                        return connection.reset()
                    }
                    #expect(connection.readBody(of: head) == Data("hello".utf8))
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                    connection.write(Data(count: 1_000_000))
                }
            }
            _ = await send(TransportRequest(method: .get, url: server.url()))
            let body = TransportRequest.Body(length: 5) {
                let stream = TestBody.of(Array("hello".utf8), pieces: 1)
                var reads = 0
                return TestBody(keep: { _ in isWaiting.signal() }) { buffer in
                    reads += 1
                    return reads == 1 ? try stream.read(into: &buffer) : .wait
                }
            }
            let interrupted = await send(TransportRequest(method: .put, url: server.url(), body: body))
            #expect(interrupted.failure?.kind == .connectionLost)
            #expect(interrupted.sent.last == 1)
            let wasPaused = Atomic(false)
            let recorder = TransportRecorder { _ in wasPaused.exchange(true, ordering: .relaxed) }
            let task = transport.start(
                TransportRequest(method: .put, url: server.url(), body: .init("hello".utf8)), handler: recorder)
            await recorder.until { $0.pieces == 1 || $0.finishes == 1 }
            task.resume()
            #expect(await recorder.finished().body.count == 1_000_000)
        }
    }
#endif
