import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Users of a cache")
struct CacheIdentityTests {
    /// A server that lets everyone in who names a token or a password, and tells whom.
    private func origin(challenge: String? = nil) throws -> CachedOrigin {
        try CachedOrigin { call in
            guard let name = call.request.headers["Authorization"] else {
                if let challenge { return call.answer(401, ["WWW-Authenticate": challenge]) }
                return call.answer(200, ["Cache-Control": "max-age=60"], "nobody".utf8)
            }
            call.answer(200, ["Cache-Control": "max-age=60"], name.utf8)
        }
    }

    @Test(arguments: ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
    func `A user is identified by the password, and not by the digest that is sent`(challenge: String) async throws {
        let origin = try origin(challenge: challenge)
        var request = try origin.request()
        for (user, password) in [("a", "x"), ("b", "x"), ("a", "y")] {
            for isFromCache in [false, true] {
                request.authentication = .challenge(user: user, password: password)
                let response = try await request.send()
                #expect(response.isOK)
                #expect(response.isFromCache == isFromCache)
            }
        }
        #expect(try await origin.get().status == 401)
    }

    @Test func `A token identifies a user, an account spans its tokens, and no token is no user`() async throws {
        let origin = try origin()
        func request(_ token: BearerToken) throws -> RESTRequest {
            var request = try origin.request()
            request.authentication = .bearer(token)
            return request
        }
        // Whose responses these are is not known before the token is.
        #expect(try await request(BearerToken { "a" }).send().text == "Bearer a")
        #expect(try await origin.files().isEmpty)
        #expect(try await request(BearerToken { "b" }).send().text == "Bearer b")

        let token = BearerToken("a") { "c" }
        #expect(try await request(token).send().isFromCache == false)
        #expect(try await request(token).send().isFromCache)
        #expect(try await request(BearerToken("b") { "c" }).send().text == "Bearer b")

        let account = BearerToken("a", account: "me") { "c" }
        #expect(try await request(account).send().isFromCache == false)
        #expect(try await request(BearerToken("d", account: "me") { "c" }).send().text == "Bearer a")
    }

    @Test func `A response received with a new token is not stored for the old one`() async throws {
        let origin = try CachedOrigin { call in
            let name = call.request.headers["Authorization"]
            if name == "Bearer old" { return call.answer(401, ["WWW-Authenticate": "Bearer"]) }
            call.answer(200, ["Cache-Control": "max-age=60"], (name ?? "").utf8)
        }
        var request = try origin.request()
        request.authentication = .bearer(BearerToken("old") { "new" })
        #expect(try await request.send().text == "Bearer new")
        #expect(try await origin.files().isEmpty)
        #expect(try await request.send().isFromCache == false)
        #expect(try await request.send().isFromCache)
    }

    @Test func `A cookie set after the lookup discards its result`() async throws {
        let store = CookieStore()
        let count = Mutex(0)
        let origin = try CachedOrigin { call in
            guard
                count.withLock({ count in
                    count += 1; return count
                }) > 1
            else {
                return call.answer(401, ["Set-Cookie": "sid=b", "WWW-Authenticate": "Basic realm=\"r\""])
            }
            call.answer(200, ["Cache-Control": "max-age=60"], (call.request.headers["Cookie"] ?? "").utf8)
        }
        var request = try origin.request()
        request.cookies = store
        request.authentication = .challenge(user: "a", password: "x")
        #expect(try await request.send().text == "sid=b")
        #expect(try await origin.files().isEmpty)
    }

    @Test func `TLS options identify the user`() async throws {
        let origin = try origin()
        var request = try origin.request(.get, "https://server.example/a")
        #expect(try await request.send().isFromCache == false)
        request.tls.minimumVersion = .tls13
        #expect(try await request.send().isFromCache == false)
        #expect(try await request.send().isFromCache)
        request.tls = TLSOptions()
        #expect(try await request.send().isFromCache)
    }

    @Test func `Header fields that may identify the user separate responses, harmless ones do not`() async throws {
        let origin = try CachedOrigin(["Cache-Control": "max-age=60"])
        #expect(try await origin.get(headers: ["X-API-Key": "a"]).text == "1")
        #expect(try await origin.get(headers: ["X-API-Key": "b"]).text == "2")
        #expect(try await origin.get().text == "3")
        #expect(try await origin.get(headers: ["x-api-key": "a", "Accept-Language": "de"]).text == "1")
        let harmless: HTTPHeaders = ["X-API-Key": "b", "User-Agent": "u", "traceparent": "t"]
        #expect(try await origin.get(headers: harmless).text == "2")
    }
}
