#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import Synchronization
    import Testing

    @Suite("Curl transport and faults", .timeLimit(.minutes(5)))
    struct CurlFaultTests {
        enum Ending { case close, reset, stay }

        struct Answer: CustomTestStringConvertible {
            var testDescription: String
            var text: String
            var ending: Ending = .close
            var kind: RequestError.Kind?
            var status = 200
            var body = ""
            var headers: [String: String] = [:]

            init(
                _ description: String, _ text: String, _ ending: Ending = .stay, fails kind: RequestError.Kind
            ) {
                (testDescription, self.text, self.ending, self.kind) = (description, text, ending, kind)
            }

            init(
                _ description: String, _ text: String, _ ending: Ending = .stay, status: Int = 200, gives body: String,
                headers: [String: String] = [:]
            ) {
                (testDescription, self.text, self.ending) = (description, text, ending)
                (self.status, self.body, self.headers) = (status, body, headers)
            }
        }

        /// The connection is reset while libcurl reads a piece of the body, so it fails to send the piece before it
        /// could read the response.
        @Test(arguments: [
            ("", "too large"), ("HTTP/1.1 100 Continue\r\n\r\n", "too large"),
            ("", String(repeating: "x", count: 100_000)),
            ("", ""),
        ])
        func `An early refusal before a reset is the response`(before: String, body: String) async throws {
            let (isReading, isReset) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                _ = isReading.wait(timeout: .now() + 30)
                connection.write(
                    "\(before)HTTP/1.1 413 Too Large\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                connection.abort()
                isReset.signal()
            }
            var request = TransportRequest(method: .post, url: server.url(), headers: ["Expect": ""])
            request.body = TransportRequest.Body(length: 2 << 20) {
                var pieces = 0
                return TestBody { buffer in
                    pieces += 1
                    if pieces == 2 {
                        isReading.signal()
                        _ = isReset.wait(timeout: .now() + 30)
                    }
                    return .bytes(buffer.byteCount)
                }
            }
            let recorder = TransportRecorder()
            let task = CurlTransport().start(request, handler: recorder)
            let record = await recorder.finished()
            withExtendedLifetime(task) {}
            #expect(record.head?.status == 413 && record.text == body)
            #expect(record.failure == nil && record.mistakes.isEmpty)
        }

        static let answers: [Answer] = [
            // Lengths.
            Answer("truncated", "HTTP/1.1 200 OK\nContent-Length: 10\n\nhello", .close, fails: .truncatedResponse),
            Answer("nothing of a body", "HTTP/1.1 200 OK\nContent-Length: 10\n\n", .close, fails: .truncatedResponse),
            Answer(
                "reset within the body", "HTTP/1.1 200 OK\nContent-Length: 10\n\nhello", .reset, fails: .connectionLost),
            Answer("more than declared", "HTTP/1.1 200 OK\nContent-Length: 3\n\nhello", fails: .malformedResponse),
            Answer("negative length", "HTTP/1.1 200 OK\nContent-Length: -5\n\nhello", fails: .malformedResponse),
            Answer(
                "length that is no number", "HTTP/1.1 200 OK\nContent-Length: 5x\n\nhello", fails: .malformedResponse),
            Answer(
                "carriage return within a field", "HTTP/1.1 200 OK\nX: a\rb\nContent-Length: 5\n\nhello",
                fails: .malformedResponse),
            Answer("empty length", "HTTP/1.1 200 OK\nContent-Length:\n\nhello", fails: .malformedResponse),
            Answer(
                "length beyond all numbers", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\nhello",
                fails: .malformedResponse),
            Answer(
                "two lengths", "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 7\n\nhello!!",
                fails: .malformedResponse),
            Answer("a list of lengths", "HTTP/1.1 200 OK\nContent-Length: 5, 7\n\nhello!!", fails: .malformedResponse),
            Answer(
                "the same length twice", "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 5\n\nhello",
                gives: "hello",
                headers: ["Content-Length": "5"]),
            Answer("no length", "HTTP/1.1 200 OK\n\nhello", .close, gives: "hello"),
            Answer("no length, reset", "HTTP/1.1 200 OK\n\nhello", .reset, fails: .connectionLost),
            // Chunks.
            Answer(
                "chunks and a trailer",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5;ext=1\nhello\n0\nX-Trailer: 1\n\n", gives: "hello",
                headers: ["X-Trailer": ""]),
            Answer(
                "a head for a trailer",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\nHTTP/1.1 500 No\nContent-Length: 9\n\n",
                fails: .malformedResponse),
            Answer(
                "chunks and a length",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 3\n\n5\nhello\n0\n\n",
                gives: "hello", headers: ["Content-Length": ""]),
            Answer(
                "a chunk without a size", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\nZZ\nxx\n0\n\n",
                fails: .malformedResponse),
            Answer(
                "a chunk that is too long", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello!\n0\n\n",
                fails: .malformedResponse),
            Answer(
                "no last chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n", .close,
                fails: .truncatedResponse),
            Answer(
                "a chunk of no bytes", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nfffffffffffffffffff\nhello\n",
                .close,
                fails: .malformedResponse),
            Answer(
                "another transfer coding", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n0\n\n",
                fails: .malformedResponse),
            // Heads.
            Answer("closed", "", .close, fails: .connectionLost),
            Answer("reset", "", .reset, fails: .connectionLost),
            Answer("closed within the status line", "HTTP/1.", .close, fails: .connectionLost),
            Answer("closed within the head", "HTTP/1.1 200 OK\nX-A: 1\n", .close, fails: .connectionLost),
            Answer("closed within a field", "HTTP/1.1 200 OK\nX-A: ", .close, fails: .connectionLost),
            Answer("garbage", "\u{0}\u{1}SSH-2.0-nope\n\u{0}\n\n", .close, fails: .malformedResponse),
            Answer("HTTP/0.9", "hello, no status line\n", .close, fails: .malformedResponse),
            Answer("no status", "HTTP/1.1 \n\n", .close, fails: .malformedResponse),
            Answer("a status of two digits", "HTTP/1.1 20 OK\n\n", .close, fails: .malformedResponse),
            Answer("a status of no digits", "HTTP/1.1 OK\n\n", .close, fails: .malformedResponse),
            Answer("a status below all", "HTTP/1.1 099 OK\n\n", .close, fails: .malformedResponse),
            Answer("another version", "HTTP/7.3 200 OK\nContent-Length: 0\n\n", .close, fails: .malformedResponse),
            Answer("another protocol", "HTTP/1.1 101 Switching\nUpgrade: foo\n\nxxxx", fails: .malformedResponse),
            Answer("no reason", "HTTP/1.1 200\nContent-Length: 2\n\n{}", gives: "{}"),
            Answer("an odd status", "HTTP/1.1 799 X\nContent-Length: 2\n\n{}", status: 799, gives: "{}"),
            Answer(
                "informational heads",
                "HTTP/1.1 100 C\nX-I: 0\n\nHTTP/1.1 103 E\nX-I: 1\n\nHTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
                gives: "{}", headers: ["X-I": ""]),
            Answer("204 with a body", "HTTP/1.1 204 No\nContent-Length: 5\n\nhello", .close, status: 204, gives: ""),
            Answer("304", "HTTP/1.1 304 No\nETag: \"x\"\nContent-Length: 5\n\n", status: 304, gives: ""),
            Answer(
                "a folded field", "HTTP/1.1 200 OK\nX-A: a\n \t b\nContent-Length: 2\n\n{}", gives: "{}",
                headers: ["X-A": "a b"]),
            Answer("a fold without a field", "HTTP/1.1 200 OK\n folded\n\n", .close, fails: .malformedResponse),
            Answer("a line without a colon", "HTTP/1.1 200 OK\nno field\n\n{}", .close, fails: .malformedResponse),
            Answer("a blank before a colon", "HTTP/1.1 200 OK\nX-A : 1\n\n{}", .close, fails: .malformedResponse),
            Answer("a null", "HTTP/1.1 200 OK\nX-A: a\u{0}b\nContent-Length: 2\n\n{}", fails: .malformedResponse),
            Answer(
                "a field without a value", "HTTP/1.1 200 OK\nX-A:\nX-B:  b \nContent-Length: 2\n\n{}", gives: "{}",
                headers: ["X-A": "", "X-B": "b"]),
            Answer(
                "a field that is too long", "HTTP/1.1 200 OK\nX-A: \(String(repeating: "a", count: 1 << 20))\n\n",
                fails: .responseTooLarge),
            Answer(
                "too many fields",
                "HTTP/1.1 200 OK\n\(String(repeating: "X-A: \(String(repeating: "a", count: 994))\n", count: 300))\n",
                fails: .responseTooLarge),
            Answer(
                "too many informational heads", String(repeating: "HTTP/1.1 103 E\nX-A: 12345678\n\n", count: 10_000),
                fails: .responseTooLarge),
        ]

        @Test(arguments: answers) func `A response is accepted, or refused with the reason`(_ answer: Answer)
            async throws
        {
            let server = try ScriptedServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write(answer.text.replacing("\n", with: "\r\n"))
                switch answer.ending {
                case .close: break
                case .stay: connection.waitForEnd()
                case .reset: connection.reset()
                }
            }
            let transport = CurlTransport()
            let recorder = TransportRecorder()
            _ = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
            let record = await recorder.finished()
            #expect(record.failure?.kind == answer.kind, "\(String(describing: record.failure))")
            #expect(record.mistakes.isEmpty)
            if answer.kind == nil {
                #expect(record.head?.status == answer.status)
                #expect(record.text == answer.body)
                for (name, value) in answer.headers { #expect(record.head?.headers[name] ?? "" == value) }
            } else {
                #expect(record.failure?.cause.hasSuffix(".") == false)
            }
        }

        @Test func `A request whose head is too long for libcurl is not sent`() async throws {
            let server = try ScriptedServer { connection in #expect(connection.readHead() == nil) }
            let recorder = TransportRecorder()
            let headers: HTTPHeaders = ["X-Long": String(repeating: "x", count: 1_100_000)]
            let task = CurlTransport().start(
                TransportRequest(method: .get, url: server.url(), headers: headers), handler: recorder)
            let record = await recorder.finished()
            withExtendedLifetime(task) {}
            #expect(record.failure?.kind == .invalidHeader)
            #expect(record.failure?.cause == "the head of the request exceeds libcurl's limit (libcurl 27)")
        }

        @Test func `Unexpected bytes are not the response to the next request`() async throws {
            let received = DispatchSemaphore(value: 0)
            let (writes, written) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
                    if connection.index > 0 { continue }
                    received.wait()
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
                    written.yield()
                }
            }
            let transport = CurlTransport()
            for _ in 0..<4 {
                let recorder = TransportRecorder()
                _ = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
                let record = await recorder.finished()
                #expect(record.text == "a")
                #expect(record.failure == nil)
                if server.connections == 1 {
                    received.signal()
                    var iterator = writes.makeAsyncIterator()
                    await iterator.next()
                }
            }
            #expect(server.connections == 2)
        }

        @Test func `Unexpected bytes of a body are not the response to the next request`() async throws {
            let received = DispatchSemaphore(value: 0)
            let server = try ScriptedServer { connection in
                while let head = connection.readHead() {
                    guard head.hasPrefix("HEAD"), connection.index == 0 else {
                        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
                        continue
                    }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nthe body of")
                    received.wait()
                    // It arrives when the next request is sent.
                    _ = connection.readHead()
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
                }
            }
            let transport = CurlTransport()
            for method in [HTTPMethod.head, .get] {
                let recorder = TransportRecorder()
                let task = transport.start(
                    TransportRequest(method: method, url: server.url()), handler: recorder)
                let record = await recorder.finished()
                withExtendedLifetime(task) {}
                received.signal()
                #expect(record.failure == nil)
                #expect(record.text == (method == .head ? "" : "a"))
            }
            #expect(server.connections == 2)
        }

        @Test func `A non-repeatable request is not repeated if another idle connection is refused`()
            async throws
        {
            let hasUnwanted = DispatchSemaphore(value: 0)
            let posts = Atomic(0)
            let both = DispatchSemaphore(value: 0)
            let (writes, written) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { connection in
                while let head = connection.readHead() {
                    if head.hasPrefix("POST") {
                        posts.add(1, ordering: .sequentiallyConsistent)
                        return
                    }
                    if connection.index == 0 { both.wait() } else { both.signal() }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
                    guard connection.index == 1 else { continue }
                    hasUnwanted.wait()
                    connection.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
                    written.yield()
                }
            }
            let transport = CurlTransport()
            let recorders = [TransportRecorder(), TransportRecorder()]
            var tasks: [any TransportTask] = []
            for recorder in recorders {
                tasks.append(
                    transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder))
            }
            for recorder in recorders { #expect(await recorder.finished().text == "a") }
            hasUnwanted.signal()
            var iterator = writes.makeAsyncIterator()
            await iterator.next()
            let recorder = TransportRecorder()
            tasks.append(transport.start(TransportRequest(method: .post, url: server.url()), handler: recorder))
            let record = await recorder.finished()
            withExtendedLifetime(tasks) {}
            #expect(record.failure?.kind == .connectionLost)
            #expect(server.connections == 2)
            #expect(posts.load(ordering: .sequentiallyConsistent) == 1)
        }

        @Test(arguments: [
            ("http://127.0.0.1:1/", RequestError.Kind.connectionRefused), ("http://name.invalid/", .hostNotFound),
            ("http://127.0.0.1:99999/", .invalidURL), ("http://[::bad/", .invalidURL),
            ("ftp://127.0.0.1/", .invalidURL), ("file:///etc/passwd", .invalidURL),
        ]) func `A failed connection is an error with the reason`(_ text: String, _ kind: RequestError.Kind)
            async throws
        {
            let transport = CurlTransport()
            let recorder = TransportRecorder()
            guard let url = URL(string: text) else { return }
            _ = transport.start(TransportRequest(method: .get, url: url), handler: recorder)
            let record = await recorder.finished()
            #expect(record.failure?.kind == kind, "\(String(describing: record.failure))")
            #expect(record.connections == 0)
        }

        @Test(arguments: ["http://name.invalid/", "http://127.0.0.1:1/", "https://127.0.0.1:1/"])
        func `A failed connection does not affect the next request`(_ text: String) async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
            }
            let transport = CurlTransport()
            for url in [try #require(URL(string: text)), server.url()] {
                let recorder = TransportRecorder()
                _ = transport.start(TransportRequest(method: .get, url: url), handler: recorder)
                let record = await recorder.finished()
                #expect((record.failure == nil) == (url == server.url()), "\(String(describing: record.failure))")
            }
        }

        @Test func `A server without TLS is a TLS error`() async throws {
            let server = try ScriptedServer { connection in
                _ = connection.read(5)
                connection.write("HTTP/1.1 400 Bad\r\n\r\n")
            }
            let recorder = TransportRecorder()
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            _ = CurlTransport().start(TransportRequest(method: .get, url: url), handler: recorder)
            #expect(await recorder.finished().failure?.kind == .secureConnectionFailed)
        }
    }
#endif
