import MappingTestSupport
import RequestQueue
import Testing

@Suite("Paths joined to a base URL")
struct BaseURLTests {
    struct Join: CustomTestStringConvertible, Sendable {
        let base: String
        let path: String
        let url: String

        init(_ base: String, _ path: String, _ url: String) { (self.base, self.path, self.url) = (base, path, url) }

        var testDescription: String { "\(base) + \(path)" }
    }

    private func url(_ base: String, _ path: String, _ query: FormValue = [:]) throws
        -> String?
    {
        let client = RESTClient(baseURL: try #require(URL(string: base)), transport: StubTransport())
        return client.request(.get, path, query: query).url?.absoluteString
    }

    @Test(arguments: [
        Join("http://h", "a", "http://h/a"), Join("http://h", "/a", "http://h/a"), Join("http://h/", "a", "http://h/a"),
        Join("http://h/", "/a", "http://h/a"), Join("http://h/v1", "a", "http://h/v1/a"),
        Join("http://h/v1", "/a", "http://h/v1/a"), Join("http://h/v1/", "a", "http://h/v1/a"),
        Join("http://h/v1//", "//a", "http://h/v1/a"), Join("http://h/v1", "a/", "http://h/v1/a/"),
        Join("http://h/v1", "a//b", "http://h/v1/a//b"),
        Join("http://h/v1", "users:search", "http://h/v1/users:search"),
    ])
    func `Slashes between base URL and path do not matter`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: [
        Join("http://h", "", "http://h/"), Join("http://h", "/", "http://h/"), Join("http://h/v1", "", "http://h/v1"),
        Join("http://h/v1", "/", "http://h/v1"), Join("http://h/v1/", "/", "http://h/v1/"),
        Join("http://h/v1", "#top", "http://h/v1"), Join("http://h/v1", "?a=1", "http://h/v1?a=1"),
    ])
    func `An empty path is the base URL`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: [
        Join("http://h/v1", "a?b=1", "http://h/v1/a?b=1&q=x"), Join("http://h/v1?k=2", "a", "http://h/v1/a?k=2&q=x"),
        Join("http://h/v1?k=2", "a?b=1#c", "http://h/v1/a?k=2&b=1&q=x"), Join("http://h", "a?", "http://h/a?q=x"),
        Join("http://h", "a?b=?/:@", "http://h/a?b=?/:@&q=x"),
        Join("http://h#f", "http://o/c?d=1#e", "http://o/c?d=1&q=x"), Join("http://h", "#f?g", "http://h/?q=x"),
    ])
    func `Queries of base, path and call are joined, and fragments are removed`(_ join: Join) throws {
        #expect(try url(join.base, join.path, ["q": "x"]) == join.url)
    }

    @Test(arguments: [
        Join("http://h", "a b", "http://h/a%20b"), Join("http://h", "ä/日本", "http://h/%C3%A4/%E6%97%A5%E6%9C%AC"),
        Join("http://h", "a%20b%zz%", "http://h/a%20b%25zz%25"),
        Join("http://h", "a\\b\"<>^`{|}[]", "http://h/a%5Cb%22%3C%3E%5E%60%7B%7C%7D%5B%5D"),
        Join("http://h", "a\r\nX: y", "http://h/a%0D%0AX:%20y"), Join("http://h", "a\0", "http://h/a%00"),
        Join("http://h", "a?b[]=ä&c=d e%41", "http://h/a?b%5B%5D=%C3%A4&c=d%20e%41"),
        Join("http://h", "a?\u{301}b", "http://h/a?%CC%81b"),
        Join("http://h", "a/\u{301}b#\u{301}", "http://h/a/%CC%81b"),
        Join("http://h", "a;v=1,2(3)!$&'*+=:@~", "http://h/a;v=1,2(3)!$&'*+=:@~"),
    ])
    func `Invalid characters are escaped as UTF-8, and escapes are kept`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: [
        Join("http://h/v1", "a/../b", "http://h/v1/b"), Join("http://h/v1", "./a/./b/.", "http://h/v1/a/b/"),
        Join("http://h/v1", "a/b/..", "http://h/v1/a/"),
        Join("http://h/v1", "a/...", "http://h/v1/a/..."), Join("http://h/v1", "a.b/.c", "http://h/v1/a.b/.c"),
        Join("http://h/v1", "a/..", "http://h/v1"),
    ])
    func `Dot segments are resolved within the resource path`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: ["..", "../a", "a/../../b", "/../etc/passwd"])
    func `A path cannot lead out of the base URL`(_ path: String) async throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://h/v1")), transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await client.get(path) }
        #expect(error?.kind == .invalidURL && error?.method == .get)
        #expect(error?.url?.absoluteString == "http://h/v1")
        #expect(error?.description.contains("is outside the base URL") == true)
    }

    @Test(arguments: [
        "%2e%2E/a", "a/.%2e/../c", "a/%2E%2e/b", "a/%2e", "users/\(component: "..")/posts", "a/\(component: "")",
    ])
    func `A component that servers remove is an error`(_ path: String) async throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://h/v1")), transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await client.get(path) }
        #expect(error?.kind == .invalidURL)
        #expect(error?.cause.contains("has a component that is empty or consists of dots") == true)
    }

    @Test func `A value is one component of a path, with any characters`() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let cases = [
            ("a/b", "a%2Fb"), ("?#", "%3F%23"), ("a b%20", "a%20b%2520"), ("ä😀", "%C3%A4%F0%9F%98%80"), ("...", "..."),
            ("a.b-c_d~", "a.b-c_d~"),
        ]
        for (value, text) in cases {
            #expect(try url("http://h/v1", "tags/\(component: value)/x") == "http://h/v1/tags/\(text)/x")
        }
        #expect(try url("http://h", "\(component: 7)/\(component: id)") == "http://h/7/\(id)")
    }

    @Test(arguments: [
        Join("http://h/v1", "https://o:8/c?d#e", "https://o:8/c?d"), Join("http://h", "HTTP://O", "HTTP://O/"),
        Join("http://h", "http://[::1]:80/ä b", "http://[::1]:80/%C3%A4%20b"),
        Join("http://[fe80::1]/v1", "a", "http://[fe80::1]/v1/a"),
    ])
    func `An absolute URL is used unchanged, and hosts can be addresses`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: [
        "http://bücher.example/a", "http://b%C3%BCcher.example/", "http://a b/", "http://h:port/", "http://[::1/",
    ])
    func `An invalid host is an error with advice`(_ path: String) async throws {
        let client = RESTClient(baseURL: try #require(URL(string: "http://h")), transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await client.get(path) }
        #expect(error?.kind == .invalidURL)
        #expect(error?.description.contains("xn--") == true)
    }

    @Test(arguments: [
        ("http://localhost:3000", "localhost:3000/a"), ("http://h.example/v1", "h.example"),
        ("http://me:pw@127.0.0.1:80", "127.0.0.1:80?a=b"),
    ])
    func `A path that begins with the host is an error instead of a path below it`(base: String, path: String)
        async throws
    {
        let client = RESTClient(baseURL: try #require(URL(string: base)), transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await client.get(path) }
        #expect(error?.cause.contains("begins with the host of the base URL") == true)
    }

    @Test(arguments: [
        Join("http://wiki/v1", "wiki/a", "http://wiki/v1/wiki/a"), Join("http://h:1", "h/a", "http://h:1/h/a"),
        Join("http://h.example", "/h.example/a", "http://h.example/h.example/a"),
        Join("http://h.example", "other.example/a", "http://h.example/other.example/a"),
        Join("http://h.example/v1", "items:batch", "http://h.example/v1/items:batch"),
    ])
    func `Paths can begin with names that are similar to the host`(_ join: Join) throws {
        #expect(try url(join.base, join.path) == join.url)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://h/a", "api.example.com", "http:///a", "http://h:70000"])
    func `A base URL without HTTP fails each request`(_ base: String) async throws {
        let client = RESTClient(baseURL: try #require(URL(string: base)), transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await client.get("/a") }
        #expect(error?.kind == .invalidURL)
    }

    @Test func `Credentials of the client are not sent to another origin`() throws {
        let client = RESTClient(baseURL: try #require(URL(string: "https://h/v1")), transport: StubTransport())
        client.headers = ["Authorization": "secret", "Cookie": "a=b", "Accept": "text/html"]
        for path in ["/a", "https://h/a", "HTTPS://H:443/a"] {
            #expect(client.request(.get, path).headers["authorization"] == "secret")
        }
        for path in ["https://o/a", "http://h/a", "https://h:444/a", "https://h.o/a"] {
            #expect(client.request(.get, path).headers.fields.map(\.name) == ["Accept"])
        }
    }

    @Test func `Another origin receives the same fields of the client by its URL and by a redirect`() async throws {
        let stub = StubTransport()
        stub.on(.get, "https://h/a", StubResponse(status: 302, headers: ["Location": "https://o/b"]))
        stub.on(.get, "https://o/b", StubResponse())
        let client = RESTClient(baseURL: try #require(URL(string: "https://h")), transport: stub)
        client.headers = [
            "X-API-Key": "secret", "X-App": "1", "Api-Version": "2", "Accept": "text/html", "Accept-Language": "de",
            "User-Agent": "App/1", "Range": "bytes=0-9", "If-Match": "1",
        ]
        client.authentication = .basic(user: "me", password: "secret", forced: true)
        _ = try await client.get("/a")
        _ = try await client.get("https://o/b")
        #expect(stub.requests.map(\.url.host) == ["h", "o", "o"])
        for request in stub.requests.dropFirst() {
            let names = request.headers.fields.map(\.name).filter { $0 != "Accept-Encoding" }
            #expect(names.sorted() == ["Accept", "Accept-Language", "Range", "User-Agent"])
        }
        // Fields of one request are sent.
        _ = try await client.get("https://o/b", headers: ["X-API-Key": "other"])
        #expect(stub.requests.last?.headers["X-API-Key"] == "other")
    }

    @Test func `User and password of a base URL can have escapes`() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/a", StubResponse())
        let base = try #require(URL(string: "http://me%40home:p%3A%2F%40w@h/v1"))
        let client = RESTClient(baseURL: base, transport: stub)
        _ = try await client.get("a")
        let sent = try #require(stub.requests.first)
        #expect(sent.url.absoluteString == "http://h/v1/a")
        #expect(sent.headers["Authorization"] == "Basic " + Data("me@home:p:/@w".utf8).base64EncodedString())
        #expect(try url("http://me%40home@h%C3%A4/v1", "a") == nil)
    }
}
