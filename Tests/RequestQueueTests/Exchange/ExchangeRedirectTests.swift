import Synchronization
import Testing

@testable import RequestQueue

@Suite("Redirected exchanges")
struct ExchangeRedirectTests {
    private static func redirect(_ status: Int = 302, to location: String = "/b") -> ScriptedTransport.Script {
        { $0.answer(status, ["Location": location]) }
    }

    @Test func `The response is the last one, with its URL`() throws {
        let transport = ScriptedTransport(
            Self.redirect(), Self.redirect(301, to: "http://other.example/c"), { $0.answer(200, [:], "ok".utf8) })
        let response = try outcome(of: request(headers: ["Authorization": "x"], over: transport)).get()
        #expect(response.url.absoluteString == "http://other.example/c")
        #expect(response.redirects == 2)
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["x", "x", nil])
    }

    @Test(arguments: [(307, "POST", "hello"), (308, "POST", "hello"), (303, "GET", ""), (302, "GET", "")])
    func `A redirected request sends the complete body again, or fails`(status: Int, method: String, body: String)
        throws
    {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport(Self.redirect(status), { $0.answer() })
        recorder.exchange(try request(.post, body: "hello", over: transport)).start()
        #expect(recorder.outcomes.first?.failure == nil)
        #expect(transport.requests[1].method.rawValue == method)
        #expect(transport.calls.map(\.sentBody) == ["hello", body])
        #expect(transport.requests[1].headers["Content-Type"] == (body.isEmpty ? nil : "text/plain"))
        #expect(recorder.names.filter { $0 == "didSend" }.count == 1)
    }

    @Test func `A redirect with a body that can be read once is an error`() throws {
        var request = try request(.post, over: ScriptedTransport(Self.redirect(307), { $0.answer() }))
        request.body = try RequestBody(OneShot())
        let error = try outcome(of: request).failure
        #expect(error?.kind == .bodyNotRepeatable)
        #expect(error?.url?.absoluteString == "http://server.example/b")
    }

    @Test func `If the network is lost between two hops, the second is not sent`() throws {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let transport = ScriptedTransport { call in
            observer.report(.notReachable(.noCarrier(interface: "v0")))
            call.answer(302, ["Location": "/b"], "moved".utf8)
        }
        var request = try request(over: transport)
        request.reachabilityObserver = observer
        let error = try outcome(of: request).failure
        #expect(error?.description == "GET http://server.example/b: offline: v0 has no carrier")
        #expect(error?.phase == .preparing && error?.bytesReceived == 0)
        #expect(transport.calls.count == 1)
    }

    @Test func `Without a network the token is not refreshed`() throws {
        var request = try request(over: ScriptedTransport({ $0.answer() }))
        request.reachabilityObserver = ReachabilityObserver(initially: .notReachable(.noCarrier(interface: "v0")))
        request.authentication = .bearer(
            BearerToken {
                Issue.record("it was refreshed")
                return "t"
            })
        #expect(try outcome(of: request).failure?.kind == .offline)
    }

    @Test func `Redirects are followed up to the limit`() throws {
        let transport = ScriptedTransport(Self.redirect())
        var request = try request(over: transport)
        request.redirectLimit = 3
        let error = try outcome(of: request).failure
        #expect(error?.kind == .tooManyRedirects)
        #expect(transport.calls.count == 4)
    }

    @Test func `With a limit of 0, a redirect is the response`() throws {
        let transport = ScriptedTransport({ $0.answer(302, ["Location": "/b"], "see there".utf8) })
        var request = try request(over: transport)
        request.redirectLimit = 0
        let response = try outcome(of: request).get()
        #expect(response.status == 302)
        #expect(String(decoding: response.body, as: UTF8.self) == "see there")
    }

    @Test func `A redirect without a target is the response`() throws {
        #expect(try outcome(of: request(over: ScriptedTransport({ $0.answer(302) }))).get().status == 302)
    }

    @Test func `A redirect to another scheme than HTTP is an error`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in })
        recorder.exchange(try request(over: transport)).start()
        transport.calls[0].receive(302, ["Location": "file:///etc/passwd"])
        #expect(recorder.names == ["unsafeRedirect"])
        #expect(transport.calls[0].isCancelled)
    }

    @Test func `The small body of a redirect is read, so that its connection can be reused`() throws {
        let transport = ScriptedTransport(
            { $0.answer(302, ["Location": "/b", "Content-Length": "9"], "see there".utf8) }, { $0.answer() })
        #expect(try outcome(of: request(over: transport)).get().body.isEmpty)
        #expect(!transport.calls[0].isCancelled)
    }

    @Test(arguments: [true, false])
    func `The large body of a redirect is abandoned`(isDeclared: Bool) throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in }, { $0.answer() })
        let exchange = recorder.exchange(try request(over: transport))
        exchange.start()
        let call = transport.calls[0]
        call.connect()
        call.receive(302, isDeclared ? ["Location": "/b", "Content-Length": "100000"] : ["Location": "/b"])
        if !isDeclared { call.receive([UInt8](repeating: 0, count: 100_000)) }
        #expect(call.isCancelled)
        #expect(recorder.names == ["didSend", "response"])
    }

    @Test func `The rest of a body is not sent once a redirect arrives`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in }, { $0.answer() })
        recorder.exchange(try request(.post, body: "hello", over: transport)).start()
        let call = transport.calls[0]
        call.connect()
        call.sendBody(upTo: 2)
        call.receive(307, ["Location": "/b"])
        #expect(call.isCancelled)
        #expect(recorder.names.last == "response")
        #expect(transport.calls.map(\.sentBody) == ["he", "hello"])
    }

    @Test func `A redirect is followed even if its body fails`() throws {
        let transport = ScriptedTransport(
            { call in
                call.receive(302, ["Location": "/b", "Content-Length": "9"])
                call.finish(TransportFailure(.connectionLost, "reset"))
            }, { $0.answer() })
        #expect(try outcome(of: request(over: transport)).get().status == 200)
    }

    @Test func `Each hop has the cookies of its URL`() throws {
        let transport = ScriptedTransport(
            { $0.answer(302, ["Location": "/b", "Set-Cookie": "first=1"]) },
            { $0.answer(302, ["Location": "http://other.example/c", "Set-Cookie": "second=2"]) }, { $0.answer() })
        var request = try request(over: transport)
        request.cookies = CookieStore()
        _ = try outcome(of: request).get()
        #expect(transport.requests.map { $0.headers["Cookie"] } == [nil, "first=1", nil])
        #expect(request.cookies?.all.count == 2)
    }

    @Test func `A request cancelled between two hops does not continue`() throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ _ in })
        let exchange = recorder.exchange(try request(over: transport))
        exchange.start()
        transport.calls[0].receive(302, ["Location": "/b"])
        exchange.cancel()
        transport.calls[0].finish()
        #expect(transport.calls.count == 1)
        #expect(recorder.names == ["cancelled"])
    }
}

/// A body that can be read once.
private final class OneShot: RequestSerializable, Sendable {
    private let isTaken = Mutex(false)

    var contentType: String { "text/plain" }

    func makeBodyStream() throws -> (any BodyStream)? {
        guard
            !isTaken.withLock({ isTaken in
                defer { isTaken = true }; return isTaken
            })
        else {
            throw RequestError(.bodyNotRepeatable, "it was read already")
        }
        return Once()
    }

    private final class Once: BodyStream {
        private var isRead = false

        func read(into buffer: inout MutableRawSpan) throws -> BodyRead {
            if isRead { return .end }
            isRead = true
            buffer.storeBytes(of: 0x61, as: UInt8.self)
            return .bytes(1)
        }
    }
}
