import Testing

@testable import RequestQueue

@Suite("Redirects")
struct RedirectTests {
    private static func redirect(
        _ status: Int, _ location: String?, _ method: HTTPMethod = .get,
        from url: String = "http://a.example/b/c/d;p?q",
        headers: HTTPHeaders = [:], policy: RedirectPolicy? = nil
    ) throws -> (Redirect, TransportRequest)? {
        var head = ResponseHead(status: status)
        head.headers["Location"] = location
        let body = TransportRequest.Body(length: 1) { throw NoOutcome() }
        let request = TransportRequest(
            method: method, url: try #require(URL(string: url)), headers: headers, body: method == .get ? nil : body)
        guard let redirect = try Redirect(head, to: request, policy: policy) else { return nil }
        return (redirect, try redirect.request(after: request))
    }

    @Test(arguments: [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
        (301, "DELETE", "DELETE"),
        (302, "POST", "GET"), (302, "PATCH", "PATCH"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
        (307, "POST", "POST"), (307, "PUT", "PUT"), (308, "POST", "POST"), (308, "GET", "GET"),
    ])
    func `The status determines method and body`(status: Int, method: String, next: String) throws {
        let headers: HTTPHeaders = ["Content-Type": "a/b", "Content-Language": "de", "Accept": "c/d"]
        let (_, request) = try #require(
            try Self.redirect(status, "/x", HTTPMethod(rawValue: method), headers: headers))
        #expect(request.method.rawValue == next)
        let keepsBody = method == next && status != 303
        #expect((request.body != nil) == (keepsBody && method != "GET"))
        #expect(request.headers.fields.count == (keepsBody ? 3 : 1))
        #expect(request.headers["Accept"] == "c/d")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `Fields that describe the body are sent only with the body`(status: Int) throws {
        let fields: HTTPHeaders = [
            "Digest": "sha-256=x", "Repr-Digest": "sha-256=:x:", "Content-Digest": "sha-256=:x:", "Content-MD5": "x",
            "Last-Modified": "x", "Expect": "100-continue", "Trailer": "x", "Content-Type": "a/b",
        ]
        let (_, request) = try #require(try Self.redirect(status, "/x", .post, headers: fields))
        #expect(request.headers.fields.count == (status < 307 ? 0 : fields.fields.count))
    }

    @Test func `Other fields stay when the method becomes GET`() throws {
        let fields: HTTPHeaders = ["Accept": "a/b", "X-Trace": "1", "Digest": "x", "Idempotency-Key": "k"]
        let (_, request) = try #require(try Self.redirect(303, "/x", .post, headers: fields))
        #expect(request.headers.fields.map(\.name).sorted() == ["Accept", "Idempotency-Key", "X-Trace"])
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 399])
    func `Other statuses are responses`(status: Int) throws {
        #expect(try Self.redirect(status, "/x") == nil)
    }

    /// The examples of RFC 3986 §5.4, and what servers send.
    @Test(arguments: [
        ("g", "http://a.example/b/c/g"), ("./g", "http://a.example/b/c/g"), ("g/", "http://a.example/b/c/g/"),
        ("/g", "http://a.example/g"), ("//g.example", "http://g.example"), ("?y", "http://a.example/b/c/d;p?y"),
        ("g?y", "http://a.example/b/c/g?y"), ("#s", "http://a.example/b/c/d;p?q#s"),
        ("g;x?y#s", "http://a.example/b/c/g;x?y#s"), (".", "http://a.example/b/c/"), ("..", "http://a.example/b/"),
        ("../g", "http://a.example/b/g"), ("../..", "http://a.example/"), ("../../g", "http://a.example/g"),
        ("../../../g", "http://a.example/g"), ("/./g", "http://a.example/g"), ("/../g", "http://a.example/g"),
        ("g;x=1/../y", "http://a.example/b/c/y"), ("g?y/../x", "http://a.example/b/c/g?y/../x"),
        ("HTTP://G.example/A", "HTTP://G.example/A"), ("/a b", "http://a.example/a%20b"),
        ("/ä", "http://a.example/%C3%A4"), ("http://g.example:8080", "http://g.example:8080"),
    ])
    func `References are resolved against the requested URL`(location: String, url: String) throws {
        #expect(try Self.redirect(302, location)?.0.url.absoluteString == url)
    }

    @Test func `A relative target is resolved against a host without a path`() throws {
        #expect(try Self.redirect(302, "g", from: "http://a.example")?.0.url.absoluteString == "http://a.example/g")
    }

    @Test func `The fragment is inherited unless the target has one`() throws {
        let from = "http://a.example/b#old"
        #expect(try Self.redirect(302, "/g", from: from)?.0.url.absoluteString == "http://a.example/g#old")
        #expect(try Self.redirect(302, "/g#new", from: from)?.0.url.absoluteString == "http://a.example/g#new")
    }

    @Test(arguments: [
        nil, "", "http://", "http:///x", "http://a.example:0/", "http://a.example:99999/", "http://[::1/",
    ])
    func `A redirect with an invalid location is the response`(location: String?) throws {
        #expect(try Self.redirect(302, location) == nil)
    }

    @Test func `A redirect with two different locations is the response`() throws {
        var head = ResponseHead(status: 302)
        head.headers.add("/a", for: "Location")
        head.headers.add("/b", for: "Location")
        let url = try #require(URL(string: "http://a.example"))
        #expect(try Redirect(head, to: TransportRequest(method: .get, url: url)) == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://a.example/x", "javascript:alert(1)", "data:,x"])
    func `A target with another scheme than HTTP is rejected`(location: String) throws {
        let failure = #expect(throws: TransportFailure.self) { try Self.redirect(302, location) }
        #expect(failure?.kind == .unsafeRedirect)
    }

    @Test(arguments: [
        ("http://a.example/x", "http://a.example/y", true), ("http://a.example/x", "http://A.EXAMPLE:80/y", true),
        ("https://a.example/x", "https://a.example:443/y", true), ("http://a.example/x", "https://a.example/y", false),
        ("http://a.example/x", "http://b.example/y", false), ("http://a.example/x", "http://sub.a.example/y", false),
        ("http://a.example/x", "http://a.example:81/y", false),
    ])
    func `Fields that may identify the user are sent to their origin only`(from: String, to: String, keeps: Bool) throws
    {
        let headers: HTTPHeaders = [
            "authorization": "a", "Proxy-Authorization": "b", "COOKIE": "c", "X-API-Key": "d", "Referer": "e",
            "Content-Type": "f", "accept": "g", "Accept-Language": "h", "User-Agent": "i", "Range": "j",
        ]
        let (_, request) = try #require(try Self.redirect(307, to, from: from, headers: headers))
        let sent = request.headers.map(\.value).joined()
        #expect(sent == (keeps ? "abcdefghij" : "ghij"))
    }

    @Test func `User and password in a location are removed`() throws {
        let (_, request) = try #require(
            try Self.redirect(302, "http://u:p%40@b.example/", headers: ["Authorization": "mine"]))
        #expect(request.url.absoluteString == "http://b.example/")
        #expect(request.headers["Authorization"] == nil)
    }

    @Test func `A redirection from https to http needs consent`() throws {
        let from = "https://a.example/x?token=1"
        let failure = #expect(throws: TransportFailure.self) {
            try Self.redirect(302, "http://a.example/y", from: from)
        }
        #expect(failure?.kind == .unsafeRedirect)
        let cause =
            "the server redirects from https to http, to 'http://a.example/y'; "
            + "to allow it, return .follow() from redirectPolicy"
        #expect(failure?.cause == cause)
        let allowed = try Self.redirect(
            302, "http://a.example/y", from: from, headers: ["X-Mine": "1"], policy: RedirectPolicy { _ in .follow() })
        #expect(allowed?.1.url.absoluteString == "http://a.example/y" && allowed?.1.headers.fields.isEmpty == true)
    }

    @Test func `A body is sent to another origin with consent only`() throws {
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "X-Trace": "1", "X-API-Key": "2"]
        let failure = #expect(throws: TransportFailure.self) {
            try Self.redirect(307, "http://b.example/y", .post, headers: headers)
        }
        #expect(failure?.kind == .unsafeRedirect)
        let (_, allowed) = try #require(
            try Self.redirect(
                307, "http://b.example/y", .post, headers: headers,
                policy: RedirectPolicy { _ in .follow(headers: ["x-trace"]) }))
        #expect(allowed.body != nil && allowed.headers.map(\.name) == ["Content-Type", "X-Trace"])
        // A body that is not sent on needs none.
        let (_, get) = try #require(try Self.redirect(302, "http://b.example/y", .post, headers: headers))
        #expect(get.body == nil && get.headers.fields.isEmpty)
    }

    @Test func `The policy receives the redirect, and can return it as the response`() throws {
        let policy = RedirectPolicy { redirection in
            "\(redirection)" == "308 from http://a.example/b to http://u.example/x" && !redirection.isSameOrigin
                && redirection.method == .put && redirection.sendsBody && !redirection.isInsecure
                ? .respond : .follow()
        }
        let location = "http://me:secret@u.example/x"
        #expect(try Self.redirect(308, location, .put, from: "http://a.example/b", policy: policy) == nil)
        #expect(try Self.redirect(303, location, .put, from: "http://a.example/b", policy: policy) != nil)
    }
}
