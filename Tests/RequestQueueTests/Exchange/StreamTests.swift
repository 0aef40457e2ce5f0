import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Streamed responses")
struct StreamTests {
    private static func text(of body: ResponseBody) async throws(RequestError) -> String {
        var data = Data()
        for try await piece in body { data += piece }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `The head is received before the body`() async throws {
        let transport = ScriptedTransport({ $0.receive(201, ["X-Mine": "a"]) })
        let stream = try await request(over: transport).stream()
        #expect(stream.status == 201)
        #expect(stream.headers["x-mine"] == "a")
        #expect(stream.url.absoluteString == "http://server.example/a")
        let call = transport.calls[0]
        call.receive("one ".utf8)
        call.receive("two".utf8)
        call.finish()
        #expect(try await Self.text(of: stream.body) == "one two")
    }

    @Test func `Chunks are delivered as they arrive`() async throws {
        let transport = ScriptedTransport({ $0.receive(200) })
        var pieces = try await request(over: transport).stream().body.makeAsyncIterator()
        for word in ["one", "two", "three"] {
            let later = Task { transport.calls[0].receive(word.utf8) }
            #expect(try await pieces.next() == Data(word.utf8))
            _ = await later.value
        }
        transport.calls[0].finish()
        #expect(try await pieces.next() == nil)
        #expect(try await pieces.next() == nil)
    }

    @Test func `Redirects are followed before a stream begins`() async throws {
        let transport = ScriptedTransport(
            { $0.answer(302, ["Location": "/b"], "see there".utf8) }, { $0.answer(200, [:], "here".utf8) })
        let stream = try await request(over: transport).stream()
        #expect(stream.redirects == 1)
        #expect(stream.url.path == "/b")
        #expect(try await Self.text(of: stream.body) == "here")
    }

    @Test func `An error before the head is thrown immediately`() async throws {
        let transport = ScriptedTransport({ $0.finish(TransportFailure(.connectionRefused, "refused")) })
        let error = await #expect(throws: RequestError.self) { try await request(over: transport).stream() }
        #expect(error?.kind == .connectionRefused)
    }

    @Test func `A truncated body ends with an error`() async throws {
        let transport = ScriptedTransport({ call in
            call.receive(200, ["Content-Length": "9"])
            call.receive("one".utf8)
            call.finish()
        })
        var pieces = try await request(over: transport).stream().body.makeAsyncIterator()
        #expect(try await pieces.next() == Data("one".utf8))
        let error = await #expect(throws: RequestError.self) { try await pieces.next() }
        #expect(error?.kind == .truncatedResponse)
        #expect(error?.bytesReceived == 3)
        #expect(try await pieces.next() == nil)
    }

    @Test func `Copies of an iterator that are both used fail, and no bytes are missing without an error`() async throws
    {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.receive(200)
        })
        var one = try await request(over: transport).stream().body.makeAsyncIterator()
        var other = one
        let call = transport.calls[0]
        call.receive("one".utf8)
        #expect(try await one.next() == Data("one".utf8))
        call.receive("two".utf8)
        await #expect(throws: RequestError.self) { try await other.next() }
        #expect(call.isCancelled)
        let error = await #expect(throws: RequestError.self) { try await one.next() }
        #expect(error?.kind == .bodyNotRepeatable)
    }

    @Test func `A copy of an iterator that reads the end only is an error`() async throws {
        let transport = ScriptedTransport({ $0.answer(200, [:], "one".utf8) })
        var one = try await request(over: transport).stream().body.makeAsyncIterator()
        var other = one
        #expect(try await one.next() == Data("one".utf8))
        await #expect(throws: RequestError.self) { try await other.next() }
        #expect(try await one.next() == nil)
    }

    @Test func `A slow reader pauses the transfer and resumes it`() async throws {
        let transport = ScriptedTransport({ $0.receive(200) })
        let stream = try await request(over: transport).stream()
        let call = transport.calls[0]
        let piece = [UInt8](repeating: 1, count: 100_000)
        #expect(call.receive(piece))
        #expect(call.receive(piece))
        #expect(!call.receive(piece))
        #expect(call.resumes == 0)
        var pieces = stream.body.makeAsyncIterator()
        #expect(try await pieces.next()?.count == 300_000)
        #expect(call.resumes == 1)
        #expect(call.receive(piece))
        call.finish()
        #expect(try await pieces.next()?.count == 100_000)
        #expect(call.resumes == 1)
        #expect(try await pieces.next() == nil)
    }

    @Test func `A slow reader does not cause an idle timeout`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.receive(200) })
        let sink = StreamSink()
        let exchange = recorder.exchange(try request(over: transport), delivery: .stream(sink))
        exchange.start()
        #expect(!transport.calls[0].receive([UInt8](repeating: 1, count: 300_000)))
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(1000)) != nil)
        #expect(recorder.outcomes.isEmpty)
        _ = try sink.take()
        exchange.resumeReceiving(after: 1)
        _ = exchange.check(at: Watchdog.shared.now + .seconds(59))
        #expect(recorder.outcomes.isEmpty)
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(61)) == nil)
        #expect(recorder.names.last == "idleTimedOut")
    }

    @Test func `A chunk that arrives after the pause does not block the transfer`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.receive(200) })
        let sink = StreamSink()
        let exchange = recorder.exchange(try request(over: transport), delivery: .stream(sink))
        exchange.start()
        let call = transport.calls[0]
        #expect(!call.receive([UInt8](repeating: 1, count: 300_000)))
        #expect(!call.receive([2]))
        let (bytes, refusals, _) = try #require(try sink.take())
        #expect(bytes?.count == 300_001)
        #expect(refusals == 2)
        exchange.resumeReceiving(after: refusals)
        #expect(call.resumes == 2)
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(61)) == nil)
        #expect(recorder.names.last == "idleTimedOut")
    }

    @Test func `Compressed bodies are decompressed as far as they are read`() async throws {
        let text = String(repeating: "hello, world; ", count: 100_000)
        let body = compressed(text.utf8)
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Encoding": "gzip"], body) })
        let stream = try await request(over: transport).stream()
        var pieces = stream.body.makeAsyncIterator()
        let first = try await pieces.next()
        #expect(first?.count == 64 << 10)
        var count = first?.count ?? 0
        while let piece = try await pieces.next() { count += piece.count }
        #expect(count == text.utf8.count)
    }

    @Test(arguments: [1, 9])
    func `A truncated or damaged compressed body is an error after the received bytes`(missing: Int) async throws {
        let body = compressed("hello".utf8).dropLast(missing)
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Encoding": "gzip"], body) })
        let stream = try await request(over: transport).stream()
        let error = await #expect(throws: RequestError.self) { try await Self.text(of: stream.body) }
        #expect(error?.kind == .undecodableResponse)
        #expect(error?.url?.path == "/a")
    }

    @Test func `A body that cannot be decompressed ends the transfer`() async throws {
        let transport = ScriptedTransport({ call in
            call.receive(200, ["Content-Encoding": "gzip"])
            call.receive("not gzip".utf8)
        })
        let stream = try await request(over: transport).stream()
        let error = await #expect(throws: RequestError.self) { try await Self.text(of: stream.body) }
        #expect(error?.kind == .undecodableResponse)
        #expect(transport.calls[0].isCancelled)
    }

    @Test func `An empty body ends immediately`() async throws {
        let transport = ScriptedTransport({ $0.answer(204) })
        #expect(try await Self.text(of: request(over: transport).stream().body).isEmpty)
    }

    @Test func `A body can be iterated once`() async throws {
        let transport = ScriptedTransport({ $0.answer(200, [:], "one".utf8) })
        let stream = try await request(over: transport).stream()
        #expect(try await Self.text(of: stream.body) == "one")
        let error = await #expect(throws: RequestError.self) { try await Self.text(of: stream.body) }
        #expect(error?.kind == .bodyNotRepeatable)
    }

    @Test func `Releasing the body ends the transfer`() async throws {
        let transport = ScriptedTransport({ $0.receive(200) })
        do { _ = try await request(over: transport).stream() }
        #expect(transport.calls[0].isCancelled)
    }

    @Test func `Leaving the loop over a body ends the transfer`() async throws {
        let transport = ScriptedTransport({ call in
            call.receive(200)
            call.receive("one".utf8)
        })
        do {
            let stream = try await request(over: transport).stream()
            for try await _ in stream.body { break }
        }
        #expect(transport.calls[0].isCancelled)
    }

    @Test(arguments: [true, false])
    func `Cancelling the task that reads a body ends the transfer`(hasHead: Bool) async throws {
        let transport = ScriptedTransport({ if hasHead { $0.receive(200) } })
        let request = try request(over: transport)
        let task = Task { try await Self.text(of: request.stream().body) }
        #expect(await eventually { !transport.calls.isEmpty })
        task.cancel()
        let error = await #expect(throws: RequestError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        // The task may be cancelled while the transfer is being started.
        #expect(await eventually { transport.calls[0].isCancelled })
    }

    @Test func `The delegate receives the events of a stream`() async throws {
        let listener = Listener()
        var request = try request(over: ScriptedTransport({ $0.answer(200, [:], "one".utf8) }))
        request.delegate = listener
        #expect(try await Self.text(of: request.stream().body) == "one")
        #expect(await eventually { listener.names.count >= 3 })
        #expect(listener.names == ["willSend", "didSend", "didLoad 200"])
    }

    @Test func `All bytes are received, whether the reader or the server is faster`() async throws {
        for round in 0..<200 {
            let transport = ScriptedTransport({ _ in })
            let request = try request(over: transport)
            let reader = Task {
                var count = 0
                for try await piece in try await request.stream().body {
                    count += piece.count
                    if round % 3 == 0 { await Task.yield() }
                }
                return count
            }
            #expect(await eventually { !transport.calls.isEmpty })
            let call = transport.calls[0]
            call.receive(200)
            let piece = [UInt8](repeating: 1, count: 50_000)
            var held = 0
            for _ in 0..<20 {
                if !call.receive(piece) { held += 1 }
                #expect(await eventually { call.resumes >= held })
            }
            call.finish()
            #expect(try await reader.value == 1_000_000)
        }
    }
}

/// Records the names of the events that a delegate receives.
private final class Listener: RequestDelegate {
    private let told = Mutex<[String]>([])
    var names: [String] { told.withLock { $0 } }

    func requestWillSend(_ request: RESTRequest) { told.withLock { $0.append("willSend") } }
    func requestDidSend(_ request: RESTRequest) { told.withLock { $0.append("didSend") } }
    func request(_ request: RESTRequest, didLoad response: RESTResponse) {
        told.withLock { $0.append("didLoad \(response.status)") }
    }

    @Test func `The second of two tasks that read a body gets an error`() async {
        let sink = StreamSink()
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 { group.addTask { await sink.wait() } }
            let first = await group.next()
            _ = [UInt8](repeating: 0, count: 1).withRawSpan { sink.receive($0) }
            return [first, await group.next()]
        }
        #expect(results == [false, true])
    }
}
