import Foundation
import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Recording and replaying", .timeLimit(.minutes(5)))
struct RecordAndReplayTests {
    private let stub = StubTransport()
    private let folder: TemporaryDirectory
    private let fixture: URL

    init() throws {
        folder = try TemporaryDirectory()
        fixture = folder.file("fixture.json")
    }

    @Test func `secret items of a query are not recorded, and any value replays them`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/film", StubResponse(text: "a film"))
        let recording = RecordingTransport(over: stub, into: fixture, redactedQueryItems: ["Mine"])
        let query = "/film?id=7&access_token=s3cret&mine=s3cret&api_key=s3cret&flag"
        _ = await recording.exchange(try TransportRequest(.get, query))
        try recording.save()
        let text = try folder.text(of: "fixture.json")
        #expect(
            text.contains("/film?id=7&access_token=REDACTED&mine=REDACTED&api_key=REDACTED&flag\"")
                && !text.contains("s3cret"))
        for (url, isFound) in [
            ("/film?id=8&access_token=a&mine=b&api_key=c&flag", false),
            ("/film?id=7&access_token=a&mine=b&api_key=c&flag", true),
        ] {
            let replay = try ReplayTransport(contentsOf: fixture)
            _ = await replay.exchange(try TransportRequest(.get, url))
            #expect(replay.unused.isEmpty == isFound, "\(url)")
        }
    }

    @Test func `secret items of URLs in header fields are not recorded, and are replayed`() async throws {
        stub.on(
            .get, "/start",
            StubResponse(
                status: 302,
                headers: [
                    "Location": "/next?access_token=s3cret&x=1#id_token=s3cret&a=b",
                    "Content-Location": "/start?api_key=s3cret", "Refresh": "5; url=/start?mine=s3cret",
                ]))
        let links = #"</next?access_token=s3cret&page=2>; rel="next", </next?page=9&sig=s3cret>; rel="last""#
        stub.on(.get, "/next", StubResponse(headers: ["Link": links, "X-Query": "?token=shown"], text: "ok"))
        let recording = RecordingTransport(over: stub, into: fixture, redactedQueryItems: ["Mine"])
        let url = try #require(URL(string: "https://api.example.com"))
        let headers: HTTPHeaders = ["Referer": "https://a.example.com/?password=s3cret&q=1"]
        _ = try await RESTClient(baseURL: url, transport: recording).get("/start", headers: headers)
        try recording.save()
        let text = try folder.text(of: "fixture.json")
        #expect(!text.contains("s3cret"))
        for line in [
            "Location: /next?access_token=REDACTED&x=1#id_token=REDACTED&a=b",
            "Content-Location: /start?api_key=REDACTED",
            "Refresh: 5; url=/start?mine=REDACTED", "Referer: https://a.example.com/?password=REDACTED&q=1",
            #"Link: </next?access_token=REDACTED&page=2>; rel=\"next\", </next?page=9&sig=REDACTED>; rel=\"last\""#,
            "X-Query: ?token=shown",
        ] { #expect(text.contains("\"\(line)\""), "\(line)") }

        let replay = try ReplayTransport(contentsOf: fixture)
        let client = RESTClient(baseURL: url, transport: replay)
        let response = try await client.get("/start")
        #expect(response.text == "ok" && replay.unused.isEmpty)
        #expect(response.links["next"]?.query == "access_token=REDACTED&page=2")
    }

    @Test func `a fixture is readable, reproducible and without secrets`() async throws {
        stub.on(
            .post, "/login",
            StubResponse(status: 201, headers: ["Set-Cookie": "session=secret"], json: #"{ "path": "/näher" }"#))
        stub.on(.get, "/image", StubResponse(headers: ["ETag": "1"], body: Data([0x89, 0x50, 0xff])))
        stub.on(.get, "/lost", StubResponse(text: "abc").failing(with: .init(.connectionLost, "reset"), afterBytes: 2))
        let recording = RecordingTransport(over: stub, into: fixture)
        let login = try TransportRequest(
            .post, "/login", headers: ["authorization": "Bearer secret", "Accept": "*/*"],
            body: .init("password=secret"))
        for request in [
            login, try TransportRequest(.get, "/image", headers: ["Accept-Encoding": "gzip"]),
            try TransportRequest(.get, "/lost"),
        ] { _ = await recording.exchange(request) }
        try recording.save()

        #expect(
            try folder.text(of: "fixture.json") == """
                {
                  "exchanges" : [
                    {
                      "request" : {
                        "body" : {
                          "bytes" : 15,
                          "sha256" : "ef9f9093ba992665339b33c899e3770b1e34891e4ca62c34d234bef901c0e329"
                        },
                        "headers" : [
                          "authorization: REDACTED",
                          "Accept: */*",
                          "Accept-Encoding: identity"
                        ],
                        "method" : "POST",
                        "url" : "https://example.com/login"
                      },
                      "response" : {
                        "body" : {
                          "text" : "{ \\"path\\": \\"/näher\\" }"
                        },
                        "headers" : [
                          "Set-Cookie: REDACTED",
                          "Content-Type: application/json",
                          "Content-Length: 21"
                        ],
                        "status" : 201
                      }
                    },
                    {
                      "request" : {
                        "headers" : [
                          "Accept-Encoding: identity"
                        ],
                        "method" : "GET",
                        "url" : "https://example.com/image"
                      },
                      "response" : {
                        "body" : {
                          "base64" : "iVD/"
                        },
                        "headers" : [
                          "ETag: 1",
                          "Content-Length: 3"
                        ],
                        "status" : 200
                      }
                    },
                    {
                      "failure" : {
                        "cause" : "reset",
                        "kind" : "connectionLost"
                      },
                      "request" : {
                        "headers" : [
                          "Accept-Encoding: identity"
                        ],
                        "method" : "GET",
                        "url" : "https://example.com/lost"
                      },
                      "response" : {
                        "body" : {
                          "text" : "ab"
                        },
                        "headers" : [
                          "Content-Type: text/plain; charset=utf-8",
                          "Content-Length: 3"
                        ],
                        "status" : 200
                      }
                    }
                  ],
                  "format" : 1
                }

                """)
        #expect(try folder.names == ["fixture.json"])
        #expect(stub.requests.map { $0.headers["Accept-Encoding"] } == ["identity", "identity", "identity"])
        #expect(stub.requests.first?.headers["Authorization"] == "Bearer secret")
    }

    @Test func `recorded responses are replayed, byte for byte and in order`() async throws {
        stub.on(.get, "/a", StubResponse(text: "one"), StubResponse(status: 304), StubResponse(status: 204))
        stub.on(.put, "/a") { StubResponse(headers: ["Set-Cookie": "a=b"], body: Data([0xff]) + $0.body) }
        stub.on(.get, "/lost", StubResponse(text: "abc").failing(with: .init(.connectionLost, "reset"), afterBytes: 2))
        stub.on(.get, "/refused", failure: .init(.connectionRefused, "nobody there"))
        let requests = try [
            TransportRequest(.get, "/a"), TransportRequest(.get, "/a"), TransportRequest(.get, "/a"),
            TransportRequest(.put, "/a", body: .init("x")), TransportRequest(.put, "/a", body: .init("y")),
            TransportRequest(.get, "/lost"), TransportRequest(.get, "/refused"),
        ]
        let recording = RecordingTransport(over: stub, into: fixture)
        var recorded: [Recorder] = []
        for request in requests { recorded.append(await recording.exchange(request)) }
        try recording.save()

        let replay = try ReplayTransport(contentsOf: fixture)
        #expect(replay.unused.count == 7)
        #expect(replay.unused.first == "GET https://example.com/a")
        // In another order of the bodies: each request gets the response to its body.
        for index in [0, 1, 2, 4, 3, 5, 6] {
            let result = await replay.exchange(requests[index])
            #expect(result.body == recorded[index].body)
            #expect(result.failure == recorded[index].failure)
            #expect(result.head?.status == recorded[index].head?.status)
            var headers = try #require(recorded[index].head?.headers ?? [:])
            headers["Set-Cookie"] = nil
            #expect(result.head?.headers ?? [:] == headers)
        }
        #expect(replay.unused.isEmpty)
    }

    @Test func `a request that was not recorded, or less often, fails with advice`() async throws {
        stub.on(.get, "/a", StubResponse(text: "one"))
        let recording = RecordingTransport(over: stub, into: fixture)
        _ = await recording.exchange(try TransportRequest(.get, "/a"))
        try recording.save()
        let replay = try ReplayTransport(contentsOf: fixture)
        _ = await replay.exchange(try TransportRequest(.get, "/a"))
        let advice =
            "To record it, run the test once with RecordingTransport(into: …) and save()"
        let again = await replay.exchange(try TransportRequest(.get, "/a"))
        #expect(
            again.failure
                == TransportFailure(
                    .connectionFailed,
                    "\(fixture.path) contains no unused response for GET https://example.com/a. \(advice)"))
        let other = await replay.exchange(try TransportRequest(.post, "/a", body: .init("abc")))
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(
            other.failure?.cause
                == "\(fixture.path) contains no unused response for POST https://example.com/a with a body of 3 bytes "
                + "(SHA-256 \(digest)). \(advice)")
    }

    @Test func `the boundary of a multipart body is not compared`() async throws {
        stub.on(.post, "/films", StubResponse(status: 201))
        func upload(_ boundary: String, _ content: String = "abc") throws -> TransportRequest {
            try TransportRequest(
                .post, "/films", headers: ["Content-Type": "multipart/form-data; boundary=\"\(boundary)\""],
                body: .init("--\(boundary)\r\n\r\n\(content)\r\n--\(boundary)--\r\n"))
        }
        let recording = RecordingTransport(over: stub, into: fixture)
        _ = await recording.exchange(try upload("x1y2"))
        try recording.save()
        #expect(try folder.text(of: "fixture.json").contains("boundary=\\\"BOUNDARY\\\""))
        let replay = try ReplayTransport(contentsOf: fixture)
        let other = await replay.exchange(try upload("z3", "abd"))
        #expect(other.failure != nil)
        let same = await replay.exchange(try upload("z3"))
        #expect(same.head?.status == 201)
    }

    /// A transport that decodes content codings itself, like URLSession.
    private struct Decoding: Transport {
        struct Task: TransportTask {
            func cancel() {}
            func resume() {}
        }

        func start(_ request: TransportRequest, handler: any TransportHandler) -> any TransportTask {
            let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Length": "25", "ETag": "1"]
            handler.transportDidReceiveHeadBytes()
            handler.transportDidReceive(ResponseHead(status: 200, headers: headers, isDecoded: true))
            _ = handler.transportDidReceive(Data("abc".utf8).bytes)
            handler.transportDidFinish(nil)
            return Task()
        }
    }

    @Test func `a response that the transport decompressed has no fields of the compressed one`() async throws {
        let recording = RecordingTransport(over: Decoding(), into: fixture)
        let original = await recording.exchange(try TransportRequest(.get, "/a"))
        #expect(original.events == ["head bytes", "status 200", "received 3", "finished"])
        try recording.save()
        let result = try await ReplayTransport(contentsOf: fixture).exchange(try TransportRequest(.get, "/a"))
        #expect(result.head == ResponseHead(status: 200, headers: ["ETag": "1"]))
        #expect(result.text == "abc")
    }

    @Test func `unfinished and cancelled requests are not recorded, except redirects whose body was cancelled`()
        async throws
    {
        let gate = StubGate()
        stub.on(.get, "/a", StubResponse(text: "a").held(by: gate))
        stub.on(.get, "/b", StubResponse(status: 302, headers: ["Location": "/c"], body: Data(count: 9)))
        let recording = RecordingTransport(over: stub, into: fixture)
        let cancelled = Recorder()
        let task = recording.start(try TransportRequest(.get, "/a"), handler: cancelled)
        _ = recording.start(try TransportRequest(.get, "/a"), handler: Recorder())
        await gate.arrivals(2)
        task.cancel()
        await cancelled.finished()
        let redirected = Recorder(pausesAfterEachPiece: true)
        let redirect = recording.start(try TransportRequest(.get, "/b"), handler: redirected)
        #expect(await eventually { !redirected.body.isEmpty })
        redirect.cancel()
        await redirected.finished()
        try recording.save()
        gate.open()
        let replay = try ReplayTransport(contentsOf: fixture)
        #expect(replay.unused == ["GET https://example.com/b"])
        let result = await replay.exchange(try TransportRequest(.get, "/b"))
        #expect(result.head == ResponseHead(status: 302, headers: ["Location": "/c"]))
        #expect(result.failure == nil)
    }

    static let brokenFixtures: [(text: String, cause: String)] = [
        ("{", "the file does not contain recorded exchanges: "),
        (#"{ "exchanges": [] }"#, "the file does not contain recorded exchanges: "),
        (#"{ "exchanges": [], "format": 9 }"#, "unsupported format 9; expected 1"),
    ]

    @Test(arguments: brokenFixtures) func `a file that is not a fixture is an error`(_ text: String, _ cause: String)
        throws
    {
        try folder.write(text, to: "fixture.json")
        let error = try #require(throws: FixtureError.self) { try ReplayTransport(contentsOf: fixture) }
        #expect(error.description.hasPrefix("\(fixture.path): \(cause)"))
    }

    @Test func `a missing fixture is an error with advice, a fixture that cannot be written is an error`() throws {
        let missing = try #require(throws: FixtureError.self) { try ReplayTransport(contentsOf: fixture) }
        #expect(missing.description.hasPrefix("\(fixture.path): file not found. To record it, "))
        #expect(missing.description.hasSuffix("into: …) and save()"))
        let recording = RecordingTransport(over: stub, into: folder.file("none/fixture.json"))
        let error = try #require(throws: FixtureError.self) { try recording.save() }
        #expect(error.cause.hasPrefix("the file cannot be written: "))
    }
}
