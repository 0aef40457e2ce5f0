#if os(Linux)
    import Foundation
    import MappingTestSupport
    import RequestQueue
    import Synchronization
    import TestSupport
    import Testing

    @Suite("Lifetime of curl transports", .timeLimit(.minutes(5)))
    struct CurlLifeTests {
        enum Phase: CaseIterable { case queued, connecting, sending, bodyWaiting, waiting, receiving, paused }

        /// Each of many cancelled requests ends once, with its connection.
        @Test(arguments: Phase.allCases) func `Requests are cancelled in every phase`(_ phase: Phase) async throws {
            let count = phase == .connecting || phase == .sending ? 20 : 200
            let goOn = DispatchSemaphore(value: 0)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer(backlog: phase == .connecting ? 0 : 512, accepts: phase != .connecting) {
                connection in
                // An endless body fills all buffers until it is read.
                if phase == .sending { goOn.wait() } else { _ = connection.readHead() }
                if phase == .receiving { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na") }
                if phase == .paused {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
                    while connection.write(Data(count: 100_000)) {}
                } else {
                    connection.waitForEnd()
                }
                end.yield()
            }
            let transport = CurlTransport(options: .init(connectionsPerHost: phase == .queued ? 1 : count))
            let recorders = (0..<count).map { _ in TransportRecorder { _ in phase != .paused } }
            let tasks = recorders.map { recorder in
                let body: TransportRequest.Body? =
                    switch phase {
                    case .sending: .init(length: nil) { TestBody { .bytes($0.byteCount) } }
                    case .bodyWaiting: FedBody().body(length: 5)
                    default: nil
                    }
                let method: HTTPMethod = body == nil ? .get : .put
                return transport.start(
                    TransportRequest(method: method, url: server.url(), body: body), handler: recorder)
            }
            let started = phase == .queued ? recorders[..<1] : phase == .connecting ? [] : recorders[...]
            for recorder in started {
                await recorder.until {
                    switch phase {
                    case .sending: ($0.sent.last ?? 0) > 0
                    case .receiving, .paused: $0.pieces > 0
                    default: $0.connections > 0
                    }
                }
            }
            for task in tasks { task.cancel() }
            for recorder in recorders {
                let record = await recorder.finished()
                #expect(record.failure?.kind == .cancelled)
            }
            for task in tasks { task.cancel() }
            // The thread has done that after another request.
            let last = TransportRecorder()
            transport.start(TransportRequest(method: .get, url: server.url()), handler: last).cancel()
            await last.finished()
            for recorder in recorders { #expect(recorder.record.finishes == 1 && recorder.record.mistakes.isEmpty) }
            for _ in 0..<count { goOn.signal() }
            var iterator = ends.makeAsyncIterator()
            for _ in started { await iterator.next() }
        }

        @Test func `Waiting for one of the connections to a host is not connect time`() async throws {
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    Thread.sleep(forTimeInterval: 0.3)
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                }
            }
            let transport = CurlTransport(options: .init(connectionsPerHost: 1))
            var request = RESTRequest(url: server.url(), transport: transport)
            request.timeouts.connect = .milliseconds(250)
            let texts = try await withThrowingTaskGroup(of: String?.self) { [request] group in
                for _ in 0..<3 { group.addTask { try await request.send().text } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == ["{}", "{}", "{}"])
            #expect(server.connections == 1)
        }

        @Test func `A request that waits for a connection ends by its total time, and leaves the queue`() async throws {
            let goOn = DispatchSemaphore(value: 0)
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    goOn.wait()
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                }
            }
            let transport = CurlTransport(options: .init(connectionsPerHost: 1))
            let first = TransportRecorder()
            _ = transport.start(TransportRequest(method: .get, url: server.url()), handler: first)
            await first.until { $0.connections == 1 }
            var request = RESTRequest(url: server.url(), transport: transport)
            request.timeouts.total = .milliseconds(50)
            let sentRequest = request
            let error = await #expect(throws: RequestError.self) { try await sentRequest.send() }
            #expect(error?.kind == .timedOut && error?.phase == .connecting)
            for _ in 0..<2 { goOn.signal() }
            #expect(await first.finished().text == "{}")
            request.timeouts.total = nil
            #expect(try await request.send().text == "{}")
        }

        @Test(arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
        func `Informational responses are bytes for the idle time`(_ status: String) async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                for _ in 0..<15 {
                    connection.write("HTTP/1.1 \(status)\r\nX: y\r\n\r\n")
                    Thread.sleep(forTimeInterval: 0.1)
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                connection.waitForEnd()
            }
            var request = RESTRequest(url: server.url(), transport: CurlTransport())
            request.timeouts = Timeouts(idle: .seconds(1), total: .seconds(60))
            #expect(try await request.send().text == "{}")
        }

        @Test func `Endless informational responses end by the total time`() async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                while connection.write("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n") {
                    Thread.sleep(forTimeInterval: 0.02)
                }
            }
            var request = RESTRequest(url: server.url(), transport: CurlTransport())
            request.timeouts = Timeouts(idle: .seconds(30), total: .milliseconds(300))
            let sentRequest = request
            let error = await #expect(throws: RequestError.self) { try await sentRequest.send() }
            #expect(error?.kind == .timedOut && error?.phase == .waiting)
        }

        @Test func `Silence after an informational response ends by the idle time`() async throws {
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                connection.write("HTTP/1.1 102 Processing\r\n\r\n")
                connection.waitForEnd()
            }
            var request = RESTRequest(url: server.url(), transport: CurlTransport())
            request.timeouts = Timeouts(idle: .milliseconds(200), total: .seconds(60))
            let sentRequest = request
            let error = await #expect(throws: RequestError.self) { try await sentRequest.send() }
            #expect(error?.kind == .idleTimedOut && error?.phase == .waiting)
        }

        private final class Tally: Sendable {
            let next = Atomic(0)
            let threads = Mutex(Set<String>())
        }

        @Test func `Many requests share few connections and one thread`() async throws {
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                }
            }
            let transport = CurlTransport()
            let tally = Tally()
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        while tally.next.add(1, ordering: .relaxed).oldValue < 2000 {
                            let recorder = TransportRecorder { _ in
                                tally.threads.withLock { _ = $0.insert(currentThread()) }
                                return true
                            }
                            _ = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
                            let record = await recorder.finished()
                            #expect(record.failure == nil && record.text == "{}")
                        }
                    }
                }
            }
            #expect(tally.threads.withLock { $0.count } == 1)
            #expect(server.connections <= 8)
        }

        @Test func `A released transport finishes its requests, then its thread and connections end`()
            async throws
        {
            let goOn = DispatchSemaphore(value: 0)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { connection in
                _ = connection.readHead()
                goOn.wait()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                connection.waitForEnd()
                end.yield()
            }
            let tally = Tally()
            var recorder: TransportRecorder? = TransportRecorder { _ in
                tally.threads.withLock { _ = $0.insert(currentThread()) }
                return true
            }
            weak let handler = recorder
            var transport: CurlTransport? = CurlTransport()
            _ = transport?.start(
                TransportRequest(method: .get, url: server.url()), handler: try #require(recorder))
            transport = nil
            goOn.signal()
            let record = await recorder?.finished()
            recorder = nil
            #expect(record?.text == "{}")
            // The thread that ends closes the connection after the last request.
            var iterator = ends.makeAsyncIterator()
            await iterator.next()
            let path = "/proc/self/task/" + (tally.threads.withLock { $0.first } ?? "")
            #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
            #expect(handler == nil)
        }

        @Test func `The handler is released when the request has ended, even while its task is retained`() async throws
        {
            let server = try ScriptedServer { connection in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                }
            }
            let transport = CurlTransport()
            var recorder: TransportRecorder? = TransportRecorder()
            weak let handler = recorder
            let task = transport.start(
                TransportRequest(method: .get, url: server.url()), handler: try #require(recorder))
            await recorder?.finished()
            recorder = nil
            #expect(await eventually { handler == nil })
            task.cancel()
            task.resume()
        }
    }

    /// The number of the calling thread.
    private func currentThread() -> String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link?.split(separator: "/").last.map(String.init) ?? ""
    }
#endif
