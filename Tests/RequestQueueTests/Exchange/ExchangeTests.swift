import Synchronization
import Testing

@testable import RequestQueue

@Suite("Exchanges and their outcome")
struct ExchangeTests {
    @Test func `A response is delivered unchanged`() throws {
        let transport = ScriptedTransport({ $0.answer(404, ["X-Mine": "a"], "gone".utf8) })
        let response = try outcome(of: request(over: transport)).get()
        #expect(response.status == 404)
        #expect(response.headers["x-mine"] == "a")
        #expect(String(decoding: response.body, as: UTF8.self) == "gone")
        #expect(response.url.absoluteString == "http://server.example/a")
        #expect(response.redirects == 0)
    }

    @Test func `Sending is reported once, and the outcome last`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Length": "2"], "ok".utf8) })
        recorder.exchange(try request(.post, body: "hello", over: transport)).start()
        #expect(recorder.names == ["progress", "didSend", "progress", "response"])
        #expect(
            recorder.progress == [
                RequestProgress(bytesSent: 5, bytesExpectedToSend: 5),
                RequestProgress(
                    bytesSent: 5, bytesExpectedToSend: 5, bytesReceived: 2, bytesExpectedToReceive: 2),
            ])
    }

    @Test func `Sending is reported before a response that arrives before the complete body`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ call in
            call.connect()
            call.sendBody(upTo: 2)
            call.receive(413)
            call.finish()
        })
        recorder.exchange(try request(.post, body: "hello", over: transport)).start()
        #expect(recorder.names == ["progress", "didSend", "response"])
    }

    @Test(arguments: [200, 201, 204, 299])
    func `A success before the complete body was sent is an error`(status: Int) throws {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.sendBody(upTo: 2)
            call.receive(status)
            call.finish()
        })
        let error = try outcome(of: request(.post, body: "hello", over: transport)).failure
        #expect(error?.kind == .bodyNotSent)
        #expect(error?.bytesSent == 2)
        #expect(error?.cause == "the server answered \(status) before it received the complete body")
    }

    @Test func `A success is an error if the system did not accept all bytes of the body`() throws {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.sendBody(tells: false)
            call.receive(200)
            call.finish()
        })
        #expect(try outcome(of: request(.post, body: "hello", over: transport)).failure?.kind == .bodyNotSent)
    }

    @Test func `An empty body is complete without being read`() throws {
        let transport = ScriptedTransport({ call in
            call.receive(200)
            call.finish()
        })
        #expect(try outcome(of: request(.post, body: "", over: transport)).get().status == 200)
    }

    @Test func `A failure of the transport becomes an error with the request's details`() throws {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.sendBody()
            call.receive(200, ["Content-Length": "9"])
            call.receive("abc".utf8)
            call.finish(TransportFailure(.connectionLost, "reset by peer"))
        })
        let error = try #require(try outcome(of: request(.put, body: "hello", over: transport)).failure)
        #expect(error.kind == .connectionLost)
        #expect(error.cause == "reset by peer")
        #expect(error.method == .put)
        #expect(error.url?.absoluteString == "http://server.example/a")
        #expect(error.phase == .receiving)
        #expect(error.bytesSent == 5)
        #expect(error.bytesReceived == 3)
    }

    @Test(arguments: [
        (0, RequestError.Phase.connecting), (1, .sending), (2, .waiting), (3, .receiving),
    ])
    func `An error contains the phase`(steps: Int, phase: RequestError.Phase) throws {
        let transport = ScriptedTransport({ call in
            if steps > 0 { call.connect() }
            if steps > 1 { call.sendBody() }
            if steps > 2 { call.receive(200) }
            call.finish(TransportFailure(.connectionLost, "reset"))
        })
        #expect(try outcome(of: request(.post, body: "hello", over: transport)).failure?.phase == phase)
    }

    @Test func `A body that waits for bytes does not cause an idle timeout`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in })
        let source = WaitingBody()
        var request = try request(.post, over: transport)
        request.body = try RequestBody(source)
        let exchange = recorder.exchange(request)
        exchange.start()
        let call = transport.calls[0]
        call.connect()
        let stream = try #require(try call.request.body?.open())
        call.sendBody(of: stream)
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(1000)) != nil)
        stream.whenReadable {}
        source.goOn()
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(59)) != nil)
        #expect(recorder.outcomes.isEmpty)
        #expect(exchange.check(at: Watchdog.shared.now + .seconds(61)) == nil)
        #expect(recorder.names.last == "idleTimedOut")
    }

    @Test func `A head that arrives slowly does not cause an idle timeout`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.connect() })
        var request = try request(over: transport)
        request.timeouts = Timeouts(connect: nil, idle: .seconds(60))
        let exchange = recorder.exchange(request)
        exchange.start()
        let before = Watchdog.shared.now
        while Watchdog.shared.now == before {}
        transport.calls[0].receiveHeadBytes()
        #expect(exchange.check(at: before + .seconds(60)) != nil)
        #expect(recorder.outcomes.isEmpty)
    }

    @Test func `The error of a body is the outcome, with its description`() throws {
        var request = try request(.post, over: ScriptedTransport({ $0.answer() }))
        request.body = try RequestBody(FailingBody())
        let error = try outcome(of: request).failure
        #expect(error?.kind == .bodyUnreadable)
        #expect(error?.cause == "the body cannot be read: the disk is gone")
        #expect(error?.phase == .sending)
    }

    @Test func `Events after the outcome are ignored`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in })
        let exchange = recorder.exchange(try request(.post, body: "hello", over: transport))
        exchange.start()
        exchange.cancel()
        exchange.cancel()
        let call = transport.calls[0]
        call.answer()
        #expect(call.isCancelled)
        #expect(recorder.names == ["cancelled"])
    }

    @Test func `A request cancelled before its start is not sent`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.answer() })
        let exchange = recorder.exchange(try request(over: transport))
        exchange.cancel()
        exchange.start()
        #expect(recorder.names == ["cancelled"])
        #expect(transport.calls.isEmpty)
    }

    @Test func `A request started twice is sent once`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ $0.answer() })
        let exchange = recorder.exchange(try request(over: transport))
        exchange.start()
        exchange.start()
        #expect(recorder.names == ["didSend", "response"])
        #expect(transport.calls.count == 1)
    }

    @Test func `A request cancelled while the transport starts it is cancelled in the transport`() throws {
        let recorder = ExchangeRecorder()
        let later = Mutex<Exchange?>(nil)
        let transport = ScriptedTransport({ _ in later.withLock { $0 }?.cancel() })
        let exchange = recorder.exchange(try request(over: transport))
        later.withLock { $0 = exchange }
        exchange.start()
        #expect(recorder.names == ["cancelled"])
        #expect(transport.calls[0].isCancelled)
    }

    @Test func `The observer can cancel the request`() throws {
        let recorder = ExchangeRecorder()
        let later = Mutex<Exchange?>(nil)
        let transport = ScriptedTransport({ $0.answer(200, [:], "ok".utf8) })
        let exchange = Exchange(
            try request(.post, body: "hello", over: transport),
            observer: { event in
                recorder.note(.event(event))
                later.withLock { $0 }?.cancel()
                recorder.note(.event(event))
            }, completion: { recorder.note(.outcome($0)) })
        later.withLock { $0 = exchange }
        exchange.start()
        #expect(recorder.names == ["progress", "progress", "cancelled"])
    }

    @Test func `An exchange is released after its outcome`() throws {
        weak var old: Exchange?
        let transport = ScriptedTransport({ $0.answer() })
        do {
            let exchange = Exchange(try request(.post, body: "hello", over: transport)) { _ in }
            old = exchange
            exchange.start()
        }
        // The script keeps its handler: what counts is that nothing else does.
        transport.forget()
        #expect(old == nil)
    }

    @Test func `A connection that closes without a response is an error`() throws {
        let transport = ScriptedTransport({ $0.finish() })
        #expect(try outcome(of: request(over: transport)).failure?.kind == .malformedResponse)
    }

    /// All possible ends of an exchange, concurrently from separate threads.
    @Test func `The first end of a request is its only outcome`() async throws {
        for round in 0..<1000 {
            let recorder = ExchangeRecorder()
            let transport = ScriptedTransport({ _ in })
            let exchange = recorder.exchange(try request(.post, body: "hello", over: transport))
            exchange.start()
            let call = transport.calls[0]
            await withTaskGroup(of: Void.self) { group in
                group.addTask { call.answer(round % 2 == 0 ? 200 : 404, [:], "body".utf8) }
                group.addTask { exchange.cancel() }
                group.addTask { _ = exchange.check(at: .seconds(1_000_000)) }
                if round % 3 == 0 { group.addTask { call.cancel() } }
            }
            #expect(recorder.outcomes.count == 1)
            guard case .outcome = recorder.all.last else {
                Issue.record("an event was received after the outcome: \(recorder.names)")
                return
            }
        }
    }
}

/// A body that waits until the test resumes it.
private final class WaitingBody: RequestSerializable, Sendable {
    private let resume = Mutex<(@Sendable () -> Void)?>(nil)

    var contentType: String { "text/plain" }

    func makeBodyStream() throws -> (any BodyStream)? { Stream(self) }

    func goOn() { resume.withLock { $0.take() }?() }

    private final class Stream: BodyStream {
        private let body: WaitingBody

        init(_ body: WaitingBody) { self.body = body }

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead { .wait }

        func whenReadable(_ resume: @escaping @Sendable () -> Void) { body.resume.withLock { $0 = resume } }
    }
}

/// A body whose disk breaks.
private struct FailingBody: RequestSerializable {
    var contentType: String { "text/plain" }

    func makeBodyStream() throws -> (any BodyStream)? { Stream() }

    private final class Stream: BodyStream {
        struct Broken: Error, CustomStringConvertible { let description = "the disk is gone" }

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead { throw Broken() }
    }
}
