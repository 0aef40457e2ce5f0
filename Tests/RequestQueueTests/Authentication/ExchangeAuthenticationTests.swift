import Synchronization
import Testing

@testable import RequestQueue

@Suite("Exchanges that require authentication")
struct ExchangeAuthenticationTests {
    private static let basic = "Basic realm=\"r\""
    private static let md5 = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
    private static let sha256 = md5 + ", algorithm=SHA-256"

    private static func refusal(_ challenges: String...) -> ScriptedTransport.Script {
        { call in
            call.answer(401, HTTPHeaders(fields: challenges.map { .init(name: "WWW-Authenticate", value: $0) }))
        }
    }

    private static func fields(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map { $0.headers["Authorization"] ?? "none" }
    }

    /// The schemes of each hop's credentials.
    private static func schemes(_ transport: ScriptedTransport) -> [String] {
        fields(transport).map { String($0.prefix { $0 != " " }) }
    }

    private func authenticated(
        _ authentication: Authentication?, _ method: HTTPMethod = .get, body: String? = nil,
        at url: String = "http://server.example/a", over transport: ScriptedTransport
    ) throws -> RESTRequest {
        var request = try request(method, url, body: body, over: transport)
        request.authentication = authentication
        return request
    }

    @Test(arguments: [
        (Authentication.basic(user: "u", password: "p"), [basic], "Basic"),
        (.basic(user: "u", password: "p"), [md5, basic], "Basic"),
        (.digest(user: "u", password: "p"), [basic, md5], "Digest"),
        (.challenge(user: "u", password: "p"), [basic], "Basic"),
        (.challenge(user: "u", password: "p"), [basic + ", " + md5], "Digest"),
    ])
    func `A challenge is answered once, and the complete body is sent again`(
        authentication: Authentication, challenges: [String], scheme: String
    ) throws {
        let transport = ScriptedTransport(
            { call in
                call.answer(401, HTTPHeaders(fields: challenges.map { .init(name: "WWW-Authenticate", value: $0) }))
            }, { $0.answer(200, [:], "ok".utf8) })
        let response = try outcome(of: authenticated(authentication, .post, body: "hello", over: transport)).get()
        #expect(response.text == "ok")
        #expect(response.redirects == 0)
        #expect(Self.schemes(transport) == ["none", scheme])
        #expect(transport.calls.map(\.sentBody) == ["hello", "hello"])
        // The first one may be refused.
        #expect(transport.requests.map(\.mayBeRefused) == [true, false])
    }

    @Test(
        arguments: [
            (Authentication.basic(user: "u", password: "p", forced: true), "hello"), (nil, "hello"),
            (.bearer(BearerToken("a") { "b" }), "hello"),
        ] as [(Authentication?, String?)])
    func `The body is sent immediately if no challenge is expected`(
        authentication: Authentication?, body: String?
    ) throws {
        let transport = ScriptedTransport({ $0.answer() })
        _ = try outcome(of: authenticated(authentication, .post, body: body, over: transport)).get()
        #expect(transport.requests.map(\.mayBeRefused) == [false])
    }

    @Test func `The best digest challenge is answered, the first of equal ones`() throws {
        let other = Self.sha256.replacing("\"n\"", with: "\"other\"")
        let transport = ScriptedTransport(Self.refusal(Self.md5, Self.sha256, other), { $0.answer() })
        _ = try outcome(of: authenticated(.challenge(user: "u", password: "p"), over: transport)).get()
        #expect(Self.fields(transport)[1].contains("algorithm=SHA-256"))
        #expect(Self.fields(transport)[1].contains("nonce=\"n\""))
    }

    @Test(arguments: [
        (Authentication.basic(user: "u", password: "wrong"), basic), (.digest(user: "u", password: "wrong"), md5),
        (.challenge(user: "u", password: "wrong"), md5 + ", " + basic),
        (.digest(user: "u", password: "wrong"), md5 + ", stale=false"),
    ])
    func `A wrong password is sent once, and the refusal is the response`(
        authentication: Authentication, challenge: String
    ) throws {
        let recorder = ExchangeRecorder()
        let transport = ScriptedTransport({ call in
            call.answer(401, ["WWW-Authenticate": challenge], "who are you?".utf8)
        })
        recorder.exchange(try authenticated(authentication, over: transport)).start()
        let response = try #require(recorder.outcomes.first).get()
        #expect(response.status == 401)
        #expect(response.text == "who are you?")
        #expect(transport.calls.count == 2)
        #expect(recorder.names.filter { $0 == "didSend" || $0 == "response" } == ["didSend", "response"])
    }

    @Test(arguments: [
        (nil, basic), (Authentication.digest(user: "u", password: "p"), basic),
        (.basic(user: "u", password: "p"), md5), (.challenge(user: "u", password: "p"), "Negotiate, NTLM"),
        (.challenge(user: "u", password: "p"), "Bearer error=\"invalid_token\""),
        (.challenge(user: "u", password: "p"), ""), (.digest(user: "u", password: "p"), "Digest realm=\"r"),
        (.digest(user: "u", password: "p"), md5 + ", algorithm=SHA-512-256"),
        (.digest(user: "u", password: "p"), "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\""),
        (.basic(user: "u", password: "p", forced: true), basic),
    ])
    func `A refusal with an unknown challenge is the response`(authentication: Authentication?, challenge: String)
        throws
    {
        let transport = ScriptedTransport({ $0.answer(401, ["WWW-Authenticate": challenge]) })
        #expect(try outcome(of: authenticated(authentication, over: transport)).get().status == 401)
        #expect(transport.calls.count == 1)
    }

    @Test func `Other statuses are not challenges`() throws {
        let transport = ScriptedTransport({ $0.answer(407, ["Proxy-Authenticate": Self.basic]) })
        let basic = Authentication.basic(user: "u", password: "p")
        #expect(try outcome(of: authenticated(basic, over: transport)).get().status == 407)
        #expect(Self.schemes(transport) == ["none"])
    }

    @Test func `A stale nonce is replaced once more, not endlessly`() throws {
        let transport = ScriptedTransport(
            Self.refusal(Self.md5), Self.refusal(Self.md5.replacing("\"n\"", with: "\"m\"") + ", stale=TRUE"))
        let digest = Authentication.digest(user: "u", password: "p")
        #expect(try outcome(of: authenticated(digest, over: transport)).get().status == 401)
        #expect(Self.schemes(transport) == ["none", "Digest", "Digest"])
        #expect(Self.fields(transport)[2].contains("nonce=\"m\""))
    }

    @Test func `Accepted credentials are sent with the next request`() throws {
        let digest = Authentication.digest(user: "u", password: "p")
        let transport = ScriptedTransport(Self.refusal(Self.md5), { $0.answer() })
        for _ in 0..<3 { _ = try outcome(of: authenticated(digest, over: transport)).get() }
        #expect(Self.schemes(transport) == ["none", "Digest", "Digest", "Digest"])
        #expect(Self.fields(transport)[3].contains("nc=00000003"))
        // Another object has no state of it.
        _ = try outcome(of: authenticated(.digest(user: "u", password: "p"), over: transport)).get()
        #expect(Self.schemes(transport).last == "none")
    }

    @Test func `A nonce that the server has forgotten costs one more round trip`() throws {
        let digest = Authentication.digest(user: "u", password: "p")
        let transport = ScriptedTransport(
            Self.refusal(Self.md5), { $0.answer() }, Self.refusal(Self.md5.replacing("\"n\"", with: "\"m\"")),
            { $0.answer() })
        for _ in 0..<3 { #expect(try outcome(of: authenticated(digest, over: transport)).get().status == 200) }
        #expect(Self.schemes(transport) == ["none", "Digest", "Digest", "Digest", "Digest"])
        #expect(Self.fields(transport)[4].contains("nonce=\"m\", response"))
        #expect(Self.fields(transport)[4].contains("nc=00000002"))
    }

    @Test func `Credentials that are refused later are not sent again`() throws {
        let basic = Authentication.basic(user: "u", password: "p")
        let transport = ScriptedTransport(
            Self.refusal(Self.basic), { $0.answer() }, Self.refusal(Self.basic), Self.refusal(Self.basic))
        #expect(try outcome(of: authenticated(basic, over: transport)).get().status == 200)
        #expect(try outcome(of: authenticated(basic, over: transport)).get().status == 401)
        #expect(try outcome(of: authenticated(basic, over: transport)).get().status == 401)
        #expect(Self.schemes(transport) == ["none", "Basic", "Basic", "none", "Basic"])
    }

    @Test func `The server's next nonce is used`() throws {
        let digest = Authentication.digest(user: "u", password: "p")
        let transport = ScriptedTransport(
            Self.refusal(Self.md5), { $0.answer(200, ["Authentication-Info": "nextnonce=\"m\", qop=auth"]) },
            { $0.answer() })
        for _ in 0..<2 { _ = try outcome(of: authenticated(digest, over: transport)).get() }
        #expect(Self.fields(transport)[2].contains("nonce=\"m\""))
        #expect(Self.fields(transport)[2].contains("nc=00000001"))
    }

    @Test func `Preemptive credentials are sent without a challenge`() throws {
        let transport = ScriptedTransport({ $0.answer() })
        _ = try outcome(of: authenticated(.basic(user: "u", password: "p", forced: true), over: transport)).get()
        #expect(Self.fields(transport) == ["Basic dTpw"])
    }

    @Test(arguments: [(true, "u:v"), (false, "u:v"), (true, "u:\u{301}")])
    func `A user with a colon is refused`(forced: Bool, user: String) throws {
        let transport = ScriptedTransport(Self.refusal(Self.basic))
        let failure = try outcome(
            of: authenticated(.basic(user: user, password: "p", forced: forced), over: transport)
        ).failure
        #expect(
            failure?.description == """
                GET http://server.example/a: no credentials are available\(
                    forced ? "" : " while receiving (0 bytes sent, 0 received)"): \
                a user name with a colon cannot be sent by basic authentication
                """)
        #expect(transport.calls.count == (forced ? 0 : 1))
    }

    @Test(arguments: [("u\0", "p"), ("u", "p\n"), ("u\u{7F}", "p"), ("u", "\u{85}")])
    func `Control characters are not sent by basic authentication`(user: String, password: String) throws {
        let transport = ScriptedTransport({ $0.answer() })
        let failure = try outcome(
            of: authenticated(.basic(user: user, password: password, forced: true), over: transport)
        ).failure
        #expect(failure?.kind == .authenticationFailed)
        #expect(transport.calls.isEmpty)
    }

    @Test func `A request with its own field gets no credentials`() throws {
        let transport = ScriptedTransport(Self.refusal(Self.basic))
        var own = try authenticated(.basic(user: "u", password: "p"), over: transport)
        own.headers["authorization"] = "Mine"
        #expect(try outcome(of: own).get().status == 401)
        let inURL = try authenticated(
            .basic(user: "u", password: "p", forced: true), at: "http://x:y@server.example/a", over: transport)
        #expect(try outcome(of: inURL).get().status == 401)
        #expect(Self.fields(transport) == ["Mine", "Basic eDp5"])
    }

    @Test(arguments: [
        ("http://server.example/b", ["Basic", "Basic"]), ("http://other.example/b", ["Basic", "none"]),
        ("https://server.example/b", ["Basic", "none"]), ("http://server.example:81/b", ["Basic", "none"]),
    ])
    func `No credentials are sent to another origin`(location: String, schemes: [String]) throws {
        let transport = ScriptedTransport({ $0.answer(302, ["Location": location]) }, Self.refusal(Self.basic))
        let forced = Authentication.basic(user: "u", password: "p", forced: true)
        #expect(try outcome(of: authenticated(forced, over: transport)).get().status == 401)
        #expect(Self.schemes(transport) == schemes)
    }

    @Test func `A redirect to another origin and back loses the credentials`() throws {
        let transport = ScriptedTransport(
            { $0.answer(302, ["Location": "http://other.example/b"]) },
            { $0.answer(302, ["Location": "http://server.example/c"]) }, { $0.answer() })
        var request = try authenticated(.basic(user: "u", password: "p", forced: true), over: transport)
        request.headers["Authorization"] = "Mine"
        request.headers["Cookie"] = "a=mine"
        request.cookies = CookieStore()
        request.cookies?.receive(["Set-Cookie": "a=other"], from: try #require(request.url))
        #expect(try outcome(of: request).get().redirects == 2)
        #expect(Self.fields(transport) == ["Mine", "none", "none"])
        #expect(transport.requests.map { $0.headers["Cookie"] } == ["a=mine", nil, nil])
    }

    @Test(arguments: [true, false])
    func `A challenge is not answered without a network`(isBearer: Bool) throws {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let refreshes = Mutex(0)
        let transport = ScriptedTransport({ call in
            call.connect()
            call.receive(401, ["WWW-Authenticate": isBearer ? "Bearer" : Self.md5])
            observer.report(.notReachable(.noRoute))
            call.finish()
        })
        let token = BearerToken("old") {
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        var request = try authenticated(
            isBearer ? .bearer(token) : .digest(user: "u", password: "p"), over: transport)
        request.reachabilityObserver = observer
        #expect(try outcome(of: request).failure?.kind == .offline)
        #expect(transport.calls.count == 1)
        #expect(refreshes.withLock { $0 } == 0)
    }

    @Test(arguments: [("http://other.example/b", false), ("https://SERVER.example:444/b", true)])
    func `An observer applies to its host, not to another one after a redirect`(
        location: String, isOffline: Bool
    ) throws {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let transport = ScriptedTransport(
            { call in
                observer.report(.notReachable(.noRoute))
                call.answer(302, ["Location": location])
            }, { $0.answer() })
        var request = try authenticated(nil, over: transport)
        request.reachabilityObserver = observer
        #expect(try outcome(of: request).failure?.kind == (isOffline ? .offline : nil))
    }

    @Test(arguments: [("/a", true), ("http://SERVER.example:81/a", true), ("http://other.example/a", false)])
    func `A client's observer applies to requests to its host`(path: String, isObserved: Bool) throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://server.example")))
        client.reachabilityObserver = ReachabilityObserver(initially: .indeterminate)
        #expect((client.request(.get, path).reachabilityObserver != nil) == isObserved)
    }

    @Test func `A challenge of another origin is not answered`() throws {
        let transport = ScriptedTransport(
            { $0.answer(302, ["Location": "http://other.example/b"]) }, Self.refusal(Self.md5, Self.basic))
        let challenge = Authentication.challenge(user: "u", password: "p")
        #expect(try outcome(of: authenticated(challenge, over: transport)).get().status == 401)
        #expect(Self.schemes(transport) == ["none", "none"])
    }

    @Test func `After a redirect at the origin the digest is of the new URL`() throws {
        let transport = ScriptedTransport(
            Self.refusal(Self.md5), { $0.answer(302, ["Location": "/b?c"]) }, { $0.answer() })
        let digest = Authentication.digest(user: "u", password: "p")
        #expect(try outcome(of: authenticated(digest, over: transport)).get().redirects == 1)
        #expect(Self.fields(transport)[1].contains("uri=\"/a\""))
        #expect(Self.fields(transport)[2].contains("uri=\"/b?c\""))
        #expect(Self.fields(transport)[2].contains("nc=00000002"))
    }

    @Test func `A body that can be read only once is an error`() throws {
        let transport = ScriptedTransport(Self.refusal(Self.basic), { $0.answer() })
        var once = try authenticated(.basic(user: "u", password: "p"), .post, over: transport)
        once.setBody(
            StreamBody(
                AsyncStream<Data> {
                    $0.yield(Data([1]))
                    $0.finish()
                }))
        #expect(try outcome(of: once).failure?.kind == .bodyNotRepeatable)
    }

    @Test func `A client's requests have its credentials, except to another origin`() throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://server.example")))
        client.authentication = .digest(user: "u", password: "p")
        #expect(client.request(.get, "/a").authentication === client.authentication)
        #expect(client.request(.get, "http://server.example/a").authentication === client.authentication)
        #expect(client.request(.get, "http://other.example/a").authentication == nil)
    }

    @Test(arguments: [
        (Authentication.basic(user: "user", password: "secret"), "basic authentication"),
        (.basic(user: "user", password: "secret", forced: true), "forced basic authentication"),
        (.digest(user: "user", password: "secret"), "digest authentication"),
        (.challenge(user: "user", password: "secret"), "basic or digest authentication"),
        (.bearer(BearerToken("secret") { "secret" }), "bearer authentication"),
    ])
    func `Secrets are not shown`(authentication: Authentication, description: String) {
        var dumped = ""
        dump(authentication, to: &dumped)
        dump(BearerToken("secret") { "secret" }, to: &dumped)
        #expect("\(authentication)" == description)
        #expect("\(BearerToken("secret") { "secret" })" == "bearer token")
        #expect(!dumped.contains("secret") && !dumped.contains("user"))
        #expect(!String(reflecting: authentication).contains("secret"))
    }
}
