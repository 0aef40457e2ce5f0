import Foundation
import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Stub transport", .timeLimit(.minutes(5)))
struct StubTransportTests {
    private let stub = StubTransport()

    @Test func `a route responds with status, fields and body, and the request is recorded`() async throws {
        stub.on(.post, "/films") { request in
            StubResponse(status: 201, headers: ["Location": "/films/1"], json: #"{ "title": "\#(request.text)" }"#)
        }
        let request = try TransportRequest(.post, "/films?draft=1&x=a%20b", headers: ["A": "b"], body: .init("Ferry"))
        let result = await stub.exchange(request)
        #expect(result.events == ["connected", "sent 5", "status 201", "received 20", "finished"])
        #expect(result.text == #"{ "title": "Ferry" }"#)
        #expect(
            result.head?.headers == [
                "Location": "/films/1", "Content-Type": "application/json", "Content-Length": "20",
            ])
        let kept = try #require(stub.requests.first)
        #expect(kept.method == .post)
        #expect(kept.url.absoluteString == "https://example.com/films?draft=1&x=a%20b")
        #expect(kept.path == "/films")
        #expect(kept.query == ["draft": "1", "x": "a b"])
        #expect(kept.headers == ["A": "b"])
        #expect(kept.text == "Ferry")
        #expect(kept.contentLength == 5)
    }

    static let paths: [(pattern: String, target: String, parameters: [String: String]?)] = [
        ("/", "/", [:]),
        ("/accounts/:id", "/accounts/7", ["id": "7"]),
        ("/accounts/:id", "/accounts/7?full=1", ["id": "7"]),
        ("/accounts/:id?full=1", "/accounts/7?full=2", ["id": "7"]),
        ("/accounts?full=1", "/accounts", [:]),
        ("/accounts/:id", "/accounts/", nil),
        ("/accounts/:id", "/accounts/7/tasks", nil),
        ("/accounts/:id", "/accounts", nil),
        ("/accounts/:id/tasks/:task", "/accounts/7/tasks/8", ["id": "7", "task": "8"]),
        ("/names/:name", "/names/a%2Fb%20c", ["name": "a/b c"]),
        ("/names/a b", "/names/a%20b", [:]),
        ("/files/*", "/files/a/b/c", [:]),
        ("/files/*", "/files", nil),
        ("/a", "/a/", nil),
        ("https://example.com/a", "/a", [:]),
        ("https://Example.com/a", "https://example.com/a", [:]),
        ("https://example.com:8443/a", "https://example.com:8443/a", [:]),
        ("https://example.com:8443/a", "https://example.com/a", nil),
        ("http://example.com/a", "https://example.com/a", nil),
    ]

    @Test(arguments: paths) func `a pattern matches a path`(
        _ pattern: String, _ target: String, _ parameters: [String: String]?
    ) async throws {
        stub.on(.get, pattern) { _ in StubResponse() }
        let result = await stub.exchange(try TransportRequest(.get, target))
        #expect((result.failure == nil) == (parameters != nil))
        #expect(stub.requests.first?.parameters == parameters)
    }

    @Test func `the route added last wins, and the last of several responses is repeated`() async throws {
        stub.on(.get, "/a", StubResponse(status: 500))
        stub.on(.get, "/a", StubResponse(status: 503), StubResponse(status: 200), StubResponse(status: 304))
        var statuses: [Int?] = []
        for _ in 0..<4 { statuses.append(await stub.exchange(try TransportRequest(.get, "/a")).head?.status) }
        #expect(statuses == [503, 200, 304, 304])
    }

    @Test func `a request without a route is an error that lists the routes`() async throws {
        let empty = await stub.exchange(try TransportRequest(.get, "/a?b=c"))
        #expect(
            empty.failure
                == TransportFailure(
                    .invalidURL,
                    "the stub transport has no route for GET https://example.com/a?b=c; it has no routes; add them with `on`"
                ))
        stub.on(.get, "/accounts/:id", StubResponse())
        stub.on(.post, "/a", StubResponse())
        let other = await stub.exchange(try TransportRequest(.get, "/a"))
        #expect(
            other.failure?.cause
                == "the stub transport has no route for GET https://example.com/a; its routes are GET /accounts/:id, POST /a"
        )
        #expect(other.events == ["failed invalidURL"])
        #expect(stub.requests.isEmpty)
    }

    @Test func `a failure occurs before the request, after it, or within the response`() async throws {
        let lost = TransportFailure(.connectionLost, "reset")
        stub.on(.get, "/none", failure: TransportFailure(.connectionRefused, "refused"))
        stub.on(.post, "/empty", StubResponse(failure: lost))
        stub.on(.get, "/half", StubResponse(text: "abcdef").failing(with: lost, afterBytes: 4))
        stub.on(.get, "/all", StubResponse(text: "abc").failing(with: lost, afterBytes: 9))
        let none = await stub.exchange(try TransportRequest(.get, "/none"))
        #expect(none.events == ["failed connectionRefused"])
        let empty = await stub.exchange(try TransportRequest(.post, "/empty", body: .init("ab")))
        #expect(empty.events == ["connected", "sent 2", "failed connectionLost"])
        let half = await stub.exchange(try TransportRequest(.get, "/half"))
        #expect(half.events == ["connected", "status 200", "received 4", "failed connectionLost"])
        #expect(half.head?.headers["Content-Length"] == "6")
        let all = await stub.exchange(try TransportRequest(.get, "/all"))
        #expect(all.events == ["connected", "status 200", "received 3", "failed connectionLost"])
    }

    @Test func `a response to HEAD has no body, and some statuses have no length`() async throws {
        stub.on(.head, "/a", StubResponse(text: "abc"))
        stub.on(.get, "/empty", StubResponse(status: 204))
        let head = await stub.exchange(try TransportRequest(.head, "/a"))
        #expect(head.events == ["connected", "status 200", "finished"])
        #expect(head.head?.headers["Content-Length"] == "3")
        let empty = await stub.exchange(try TransportRequest(.get, "/empty"))
        #expect(empty.head?.headers.fields == [])
    }

    @Test func `a body arrives in pieces, and pauses while the handler is not ready`() async throws {
        stub.on(.get, "/a", StubResponse(text: "abcdefgh").inChunks(of: 3))
        let flowing = await stub.exchange(try TransportRequest(.get, "/a"))
        #expect(flowing.events.dropFirst(2) == ["received 3", "received 3", "received 2", "finished"])

        let gate = StubGate()
        stub.on(.get, "/b", StubResponse(status: 204).held(by: gate))
        let pausing = Recorder(pausesAfterEachPiece: true)
        let task = stub.start(try TransportRequest(.get, "/a"), handler: pausing)
        // Responses are in order: when this one is at its gate, the others have continued.
        let last = stub.start(try TransportRequest(.get, "/b"), handler: Recorder())
        await gate.arrivals(1)
        #expect(pausing.text == "abc")
        for text in ["abc", "abcdef", "abcdefgh"] {
            #expect(await eventually { pausing.text == text })
            task.resume()
        }
        await pausing.finished()
        #expect(pausing.failure == nil)
        last.cancel()
    }

    @Test func `a gate holds responses until it opens or releases one`() async throws {
        let gate = StubGate()
        stub.on(.get, "/a/:n", StubResponse(text: "abcd").held(by: gate))
        stub.on(.get, "/b", StubResponse(text: "abcd").held(by: gate, afterBytes: 3))
        let recorders = [Recorder(), Recorder(), Recorder()]
        for (target, recorder) in zip(["/a/1", "/a/2", "/b"], recorders) {
            _ = stub.start(try TransportRequest(.get, target), handler: recorder)
        }
        await gate.arrivals(3)
        #expect(recorders.map(\.events) == [["connected"], ["connected"], ["connected", "status 200", "received 3"]])
        gate.releaseFirst()
        await recorders[0].finished()
        #expect(recorders[0].text == "abcd")
        #expect(recorders[1].events == ["connected"])
        gate.open()
        for recorder in recorders {
            await recorder.finished()
            #expect(recorder.text == "abcd")
        }
        let late = await stub.exchange(try TransportRequest(.get, "/a/4"))
        #expect(late.text == "abcd")
    }

    @Test func `waiting for a request at a gate can be cancelled`() async {
        let gate = StubGate()
        let waiting = Task { await gate.arrivals(1) }
        waiting.cancel()
        await waiting.value
    }

    enum Hold: CaseIterable { case gate, gateInBody, pause, requestBody }

    @Test(arguments: Hold.allCases) func `a waiting request can be cancelled, and ends once`(_ hold: Hold)
        async throws
    {
        let gate = StubGate()
        let body = PiecewiseBody(["ab", nil, "cd"])
        stub.on(.get, "/gate", StubResponse(text: "abcd").held(by: gate))
        stub.on(.get, "/gateInBody", StubResponse(text: "abcd").held(by: gate, afterBytes: 4))
        stub.on(.get, "/pause", StubResponse(text: "abcd"))
        stub.on(.get, "/requestBody", StubResponse())
        let recorder = Recorder(pausesAfterEachPiece: hold == .pause)
        let stream = TransportRequest.Body(length: nil) { body }
        let task = stub.start(try TransportRequest(.get, "/\(hold)", body: stream), handler: recorder)
        #expect(await eventually { body.isAwaited })
        if hold != .requestBody { body.goOn() }
        if hold == .gate || hold == .gateInBody { await gate.arrivals(1) }
        if hold == .pause { #expect(await eventually { recorder.text == "abcd" }) }
        task.cancel()
        task.cancel()
        task.resume()
        gate.open()
        body.goOn()
        await recorder.finished()
        #expect(recorder.failure?.kind == .cancelled)
        #expect(recorder.events.count { $0.hasPrefix("f") } == 1)
    }

    @Test func `a body stream that pauses is read completely`() async throws {
        let body = PiecewiseBody(["ab", nil, "cd"])
        stub.on(.put, "/a") { StubResponse(text: $0.text) }
        let recorder = Recorder()
        let request = try TransportRequest(.put, "/a", body: .init(length: nil) { body })
        _ = stub.start(request, handler: recorder)
        #expect(await eventually { body.isAwaited })
        body.goOn()
        await recorder.finished()
        #expect(recorder.events == ["connected", "sent 2", "sent 4", "status 200", "received 4", "finished"])
        #expect(stub.requests.map(\.contentLength) == [nil])
        #expect(stub.requests.map(\.text) == ["abcd"])
    }

    static let wrongBodies: [(length: Int64?, pieces: [String?], error: (any Error)?, failure: TransportFailure)] = [
        (
            3, ["ab"], nil,
            TransportFailure(.bodyChanged, "the body ended unexpectedly after 2 of the 3 bytes that were declared")
        ),
        (
            3, ["ab", "cd"], nil,
            TransportFailure(.bodyChanged, "the body has more than the 3 bytes that were declared")
        ),
        (
            nil, ["ab"], PiecewiseBody.Broken(description: "disk on fire"),
            TransportFailure(.bodyUnreadable, "the body cannot be read: disk on fire")
        ),
        (nil, [], RequestError(.bodyNotRepeatable, "read once"), TransportFailure(.bodyNotRepeatable, "read once")),
    ]

    @Test(arguments: wrongBodies.indices) func `a body that cannot be sent as declared fails the request`(_ index: Int)
        async throws
    {
        let (length, pieces, error, failure) = Self.wrongBodies[index]
        stub.on(.put, "/a", StubResponse())
        let body = TransportRequest.Body(length: length) { PiecewiseBody(pieces, thenThrowing: error) }
        let result = await stub.exchange(try TransportRequest(.put, "/a", body: body))
        #expect(result.failure == failure)
        #expect(stub.requests.isEmpty)
    }

    @Test func `a server may respond before it has received the whole body`() async throws {
        stub.on(.post, "/a", bodyLimit: 3) { _ in StubResponse(status: 413) }
        let body = TransportRequest.Body(length: 6) { PiecewiseBody(["abc", "def"]) }
        let result = await stub.exchange(try TransportRequest(.post, "/a", body: body))
        #expect(result.events == ["connected", "sent 3", "status 413", "finished"])
        #expect(stub.requests.map(\.text) == ["abc"])
        #expect(stub.requests.map(\.contentLength) == [6])
    }
}
