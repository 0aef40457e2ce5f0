import MappingTestSupport
import RequestQueue
import Testing

@Suite("The client")
struct RESTClientTests {
    private let stub = StubTransport()
    private let client: RESTClient

    init() throws {
        client = RESTClient(baseURL: try #require(URL(string: "http://h/v1")), transport: stub)
        for method: HTTPMethod in [.get, .head, .post, .put, .patch, .delete] {
            stub.on(method, "*") { _ in StubResponse(text: "ok") }
        }
    }

    @Test func `The deinitializer of replaced credentials can use the client`() throws {
        final class Session: Sendable {
            let client: RESTClient
            init(_ client: RESTClient) { self.client = client }
            deinit { client.setHeader(nil, for: "X-Session") }
        }
        let client = RESTClient(baseURL: try #require(URL(string: "http://stub")))
        var session: Session? = Session(client)
        client.authentication = .bearer(BearerToken { [session] in "\(session == nil)" })
        session = nil
        client.authentication = nil
        #expect(client.authentication == nil)
    }

    @Test func `A changed copy of a client has settings of its own, and the same transport and header fields`()
        async throws
    {
        client.timeouts.idle = .seconds(7)
        client.headers["X-App"] = "1"
        let slow = client.with { $0.timeouts.idle = .seconds(300) }
        client.redirectLimit = 3
        #expect(client.timeouts.idle == .seconds(7) && slow.timeouts.idle == .seconds(300))
        #expect(slow.redirectLimit == 20 && slow.cookies === client.cookies)
        _ = try await slow.get("a")
        #expect(stub.requests.map { $0.headers["X-App"] } == ["1"])
    }

    @Test func `Several tasks set header fields of a client concurrently`() async {
        client.headers["X-Old"] = "1"
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { [client] in
                    for number in 0..<100 { client.headers["X-\(task)-\(number)"] = "v" }
                    client.headers["x-old"] = nil
                }
            }
        }
        #expect(client.headers.fields.count == 400)
    }

    @Test func `A change of header fields keeps changes that are made during it`() {
        func change(_ headers: inout HTTPHeaders) {
            client.headers["X-Inner"] = "1"
            client.headers["X-Removed"] = nil
            headers["X-Outer"] = "2"
        }
        client.headers = ["X-Removed": "0", "X-Kept": "0"]
        change(&client.headers)
        #expect(client.headers == ["X-Kept": "0", "X-Inner": "1", "X-Outer": "2"])
    }

    @Test func `All settings of a client are replaced at once`() {
        var settings = RequestSettings()
        settings.redirectLimit = 1
        settings.cacheTimeout = .seconds(9)
        client.settings = settings
        let request = client.request(.get, "a")
        #expect(request.redirectLimit == 1 && request.settings.cacheTimeout == .seconds(9) && request.cookies == nil)
    }

    @Test func `Every short call sends its method`() async throws {
        _ = try await client.get("a")
        _ = try await client.head("a")
        _ = try await client.delete("a", query: ["force": true])
        _ = try await client.post("a", ["n": "1"])
        _ = try await client.put("a", query: ["v": 2], .data(Data("x".utf8), contentType: "text/plain"))
        _ = try await client.patch("a", .json(["n": 1]))
        _ = try await client.post("a")
        #expect(stub.requests.map(\.method) == [.get, .head, .delete, .post, .put, .patch, .post])
        #expect(stub.requests.map(\.text) == ["", "", "", "n=1", "x", #"{"n":1}"#, ""])
        #expect(
            stub.requests.map { $0.headers["Content-Type"] } == [
                nil, nil, nil, "application/x-www-form-urlencoded", "text/plain", "application/json", nil,
            ])
        #expect(stub.requests.map { $0.url.query() } == [nil, nil, "force=true", nil, "v=2", nil, nil])
    }

    @Test func `A request without a method is a GET`() {
        let request = client.request("a", query: ["b": 1])
        #expect(request.method == .get)
        #expect(request.url?.absoluteString == "http://h/v1/a?b=1")
    }

    @Test func `A literal can have fields of several types`() async throws {
        _ = try await client.post("a", ["person": ["name": "x", "age": 3] as FormValue])
        #expect(stub.requests.map(\.text) == ["person[name]=x&person[age]=3"])
    }

    @Test func `Every short call has a form for synchronous code`() async throws {
        func call(_ start: (@escaping @Sendable (Result<RESTResponse, RequestError>) -> Void) -> RequestHandle)
            async throws
        {
            let outcome = await withCheckedContinuation { continuation in
                _ = start { continuation.resume(returning: $0) }
            }
            #expect(try outcome.get().isOK)
        }
        try await call { completion in client.get("a", query: ["b": 1]) { result in completion(result) } }
        try await call { client.head("a", completion: $0) }
        try await call { client.delete("a", completion: $0) }
        try await call { completion in client.post("a", ["n": "1"]) { result in completion(result) } }
        try await call { completion in client.put("a", ["n": 1, "m": "x"]) { result in completion(result) } }
        try await call { client.patch("a", completion: $0) }
        #expect(stub.requests.map(\.method) == [.get, .head, .delete, .post, .put, .patch])
        #expect(stub.requests.map(\.text) == ["", "", "", "n=1", "n=1&m=x", ""])
    }

    @Test func `The handler of a request receives the progress, and the closure of a call the outcome`() async throws {
        let told = Collected<Double>()
        _ = try await client.request(.post, "a", ["n": "1"]).onProgress { told.add($0.fractionCompleted) }.send()
        #expect(told.all.last == 1)

        let kinds: RequestError.Kind? = await withCheckedContinuation { continuation in
            func notAsync() {
                client.post("b ", [:]) { result in
                    if case .failure(let error) = result {
                        continuation.resume(returning: error.kind)
                    } else {
                        continuation.resume(returning: nil)
                    }
                }
            }
            notAsync()
        }
        #expect(kinds == nil)
    }

    @Test func `A request has the client's settings at its creation`() throws {
        client.headers["A"] = "1"
        client.setHeader("2", for: "B")
        client.timeouts.idle = .seconds(7)
        client.limits.bodyInMemory = 5
        client.redirectLimit = 0
        client.cookies = nil
        let request = client.request(.get, "a")
        client.headers = [:]
        client.timeouts = Timeouts()
        #expect(request.headers == ["A": "1", "B": "2"])
        #expect(request.timeouts.idle == .seconds(7) && request.limits.bodyInMemory == 5 && request.redirectLimit == 0)
        #expect(client.request(.get, "a").headers.fields.isEmpty)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("application/vnd.api+json", "application/vnd.api+json"),
        ("application/json; charset=utf-8", "application/json; charset=utf-8"), ("text/plain", nil), ("no type", nil),
    ])
    func `The client's content type is used for a body of the same format, and refused for another`(
        type: String, sent: String?
    ) async throws {
        client.headers["Content-Type"] = type
        #expect(client.request(.get, "a").headers["Content-Type"] == nil)
        var request = client.request(.post, "a", try .json([1]))
        request.headers["X"] = "y"
        stub.on(.post, "/v1/a", StubResponse())
        guard let sent else {
            let sentRequest = request
            let error = await #expect(throws: RequestError.self) { try await sentRequest.send() }
            #expect(error?.kind == .invalidHeader)
            let cause =
                "the client's header 'Content-Type' is '\(type)', and the body is 'application/json'; "
                + "remove the header, and set the content type of the body"
            #expect(error?.cause == cause)
            return
        }
        #expect(request.headers["Content-Type"] == sent)
        _ = try await request.send()
        #expect(stub.requests.map { $0.headers["Content-Type"] } == [sent])
        let params = Params()
        params.set("1", for: "a")
        let form = client.request(.post, "a", params)
        let error = await #expect(throws: RequestError.self) { try await form.send() }
        #expect(error?.kind == .invalidHeader)
        let data = client.request(.post, "a", DataBody(Data()))
        #expect(data.headers["Content-Type"] == sent)
    }

    @Test func `Cookies of a client are sent to their server, and not by other clients`() async throws {
        stub.on(.get, "/v1/in", StubResponse(headers: ["Set-Cookie": "id=7; Path=/v1"]))
        _ = try await client.get("in")
        _ = try await client.get("a")
        _ = try await RESTClient(baseURL: client.baseURL, transport: stub).get("a")
        #expect(stub.requests.map { $0.headers["Cookie"] } == [nil, "id=7", nil])
    }

    @Test func `The shared client is nil until it is set`() throws {
        #expect(RESTClient.shared == nil)
        RESTClient.shared = client
        #expect(RESTClient.shared === client)
        RESTClient.shared = nil
    }

    @Test func `Dictionaries of all kinds can be queries and forms`() async throws {
        let texts = ["b": "1", "a": "2"]
        let numbers = ["n": 1]
        let lists = ["k": [1, 2]]
        let optionals: [String: String?] = ["x": nil]
        let mixed: [String: any FormValueConvertible] = ["f": ["b": 1, "a": "x"] as FormValue, "d": 1.5]
        #expect(client.request(.get, "a", query: texts).url?.query() == "a=2&b=1")
        #expect(client.request(.get, "a", query: numbers).url?.query() == "n=1")
        #expect(client.request(.get, "a", query: lists).url?.query(percentEncoded: false) == "k[]=1&k[]=2")
        #expect(client.request(.get, "a", query: optionals).url?.query() == "x")
        #expect(
            client.request(.get, "a", query: FormValue(mixed)).url?.query(percentEncoded: false)
                == "d=1.5&f[b]=1&f[a]=x")
        for body in [
            client.request(.post, "a", texts), client.request(.post, "a", FormValue(mixed)),
            client.request(.post, "a", lists),
        ] {
            _ = try await body.send()
        }
        #expect(stub.requests.map(\.text) == ["a=2&b=1", "d=1.5&f[b]=1&f[a]=x", "k[]=1&k[]=2"])
    }

    @Test func `A call that is cancelled at any time ends once`() async throws {
        let ends = Collected<Bool>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [client] in
                    let task = Task {
                        _ = try await client.request(.post, "a", ["n": number]).onProgress { _ in }.send()
                    }
                    for _ in 0..<number % 7 { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success: ends.add(true)
                    case .failure(let error): ends.add((error as? RequestError)?.kind == .cancelled)
                    }
                }
            }
        }
        #expect(ends.all == Array(repeating: true, count: 200))
    }
}
