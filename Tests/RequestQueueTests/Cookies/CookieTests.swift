@testable import RequestQueue
import Synchronization
import Testing

@Suite("Cookies")
struct CookieTests {
    private static let start = Date(timeIntervalSince1970: 1_000_000_000)

    /// A clock that changes only when it is set.
    private final class Clock: Sendable {
        private let seconds = Mutex(0.0)

        var now: Date { CookieTests.start + seconds.withLock { $0 } }

        func advance(_ by: Double) { seconds.withLock { $0 += by } }
    }

    private let clock = Clock()
    private let store: CookieStore

    init() { store = CookieStore { [clock] in clock.now } }

    private func receive(_ fields: String..., from url: String = "http://www.example.com/a/b") throws {
        var headers = HTTPHeaders()
        for field in fields { headers.add(field, for: "Set-Cookie") }
        store.receive(headers, from: try #require(URL(string: url)))
    }

    private func sent(_ url: String) throws -> String? { store.header(for: try #require(URL(string: url))) }

    @Test(arguments: [
        ("a=b", "a=b"), (" a = b c ; Path=/", "a=b c"), ("a=", "a="), ("a=\"b\"", "a=\"b\""), ("a=b=c", "a=b=c"),
        ("a", nil), ("=b", nil), ("", nil), (";a=b", nil), ("a=b\u{1}", nil), ("a=b\r\nX: y", nil),
        ("a=" + String(repeating: "x", count: 4095), "a=" + String(repeating: "x", count: 4095)),
        ("a=" + String(repeating: "x", count: 4096), nil), ("a=b; Unknown; =; ;;", "a=b"), ("ä=ö", "ä=ö"),
    ])
    func `Name and value are parsed`(_ field: String, _ header: String?) throws {
        try receive(field)
        #expect(try sent("http://www.example.com/a/b") == header)
    }

    @Test(arguments: [
        ("a=b", "www.example.com", "example.com sub.www.example.com other.com"),
        ("a=b; Domain=example.com", "www.example.com example.com x.y.example.com", "badexample.com com"),
        ("a=b; Domain=.EXAMPLE.com", "www.example.com example.com", "com"),
        ("a=b; Domain=www.example.com", "www.example.com sub.www.example.com", "example.com"),
        ("a=b; Domain=com", "", "www.example.com com"), ("a=b; Domain=other.com", "", "other.com www.example.com"),
        ("a=b; Domain=sub.www.example.com", "", "www.example.com sub.www.example.com"),
        ("a=b; Domain=ample.com", "", "www.example.com ample.com"), ("a=b; Domain=", "www.example.com", "example.com"),
        ("a=b; Domain=other.com; Domain=example.com", "example.com", "other.com"),
    ])
    func `The domain determines the hosts`(_ field: String, _ to: String, _ notTo: String) throws {
        try receive(field)
        for host in to.split(separator: " ") { #expect(try sent("http://\(host)/a/") == "a=b", "\(host)") }
        for host in notTo.split(separator: " ") { #expect(try sent("http://\(host)/a/") == nil, "\(host)") }
    }

    @Test(arguments: ["http://127.0.0.1:80/", "http://[::1]/", "http://localhost/"])
    func `A host without a domain above it gets its own cookies back`(_ url: String) throws {
        let host = try #require(URL(string: url)?.host())
        try receive("a=b; Domain=\(host)", "c=d", from: url)
        #expect(try sent(url) == "a=b; c=d")
        try receive("e=f; Domain=0.0.1", "g=h; Domain=0.1", from: url)
        #expect(store.all.count == 2)
    }

    @Test(arguments: [
        ("a=b", "/a /a/ /a/c /a/b/c", "/ /ab /b"), ("a=b; Path=/a/b", "/a/b /a/b/ /a/b/c", "/a /a/bc /"),
        ("a=b; Path=/a/", "/a/ /a/x", "/a /ab"), ("a=b; Path=/", "/ /x", ""), ("a=b; Path=x", "/a/x", "/x"),
        ("a=b; Path=/x; Path=", "/a/x", "/x"), ("a=b; Path=/a; Path=/c", "/c", "/a"),
    ])
    func `The path determines the resources`(_ field: String, _ to: String, _ notTo: String) throws {
        try receive(field)
        for path in to.split(separator: " ") { #expect(try sent("http://www.example.com\(path)") == "a=b", "\(path)") }
        for path in notTo.split(separator: " ") { #expect(try sent("http://www.example.com\(path)") == nil, "\(path)") }
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h/", "/"), ("http://h/a", "/"), ("http://h/a/", "/a"), ("http://h/a/b?c=/d", "/a"),
    ])
    func `The default path is the URL's up to its last slash`(_ url: String, _ path: String) throws {
        try receive("a=b", from: url)
        #expect(store.all.map(\.path) == [path])
    }

    @Test func `Secure cookies are set and sent over TLS only`() throws {
        try receive("a=b; Secure")
        #expect(store.all.isEmpty)
        try receive("a=b; secure; HTTPONLY", from: "https://www.example.com/a/b")
        #expect(try sent("http://www.example.com/a/b") == nil)
        #expect(try sent("https://www.example.com/a/b") == "a=b")
        #expect(store.all.map(\.isHTTPOnly) == [true])
        try receive("a=evil; Path=/", "a=evil; Domain=example.com")
        #expect(try sent("https://www.example.com/a/b") == "a=b")
    }

    @Test(arguments: [
        ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__Host-a=b; Secure; Path=/", true),
        ("__host-a=b; Path=/", false),
        ("__Host-a=b; Secure", false), ("__Host-a=b; Secure; Path=/a", false),
        ("__Host-a=b; Secure; Path=/; Domain=www.example.com", false),
    ])
    func `Prefixes of names are enforced`(_ field: String, _ isTaken: Bool) throws {
        try receive(field, from: "https://www.example.com/a/b")
        #expect(store.all.count == (isTaken ? 1 : 0))
    }

    @Test(
        arguments: [
            ("a=b", nil), ("a=b; Max-Age=10", 10), ("a=b; Max-Age=0", 0), ("a=b; Max-Age=-5", 0),
            ("a=b; Max-Age=1x", nil),
            ("a=b; Max-Age=", nil), ("a=b; Max-Age=10; Max-Age=20", 20),
            ("a=b; Expires=Sun, 09 Sep 2001 01:46:50 GMT", 10),
            ("a=b; Expires=Sun, 09 Sep 2001 01:46:50 GMT; Max-Age=20", 20),
            ("a=b; Max-Age=20; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 20), ("a=b; Expires=never", nil),
            ("a=b; Max-Age=99999999999999999999999", nil),
        ] as [(String, Double?)])
    func `Max-Age takes precedence over Expires`(_ field: String, _ age: Double?) throws {
        try receive(field)
        #expect(store.all.isEmpty == (age == 0))
        clock.advance((age ?? 1e9) - 0.5)
        #expect(try sent("http://www.example.com/a/b") == (age == 0 ? nil : "a=b"))
        clock.advance(0.5)
        #expect(try (sent("http://www.example.com/a/b") == nil) == (age != nil))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("1994 november 6 8:49:37", 784_111_777),
            ("8:49:37 6 Nov 94", 784_111_777),
            ("6th Nov 1994 08:49:37PM", 784_111_777), ("1 Jan 1970 0:0:0", 0), ("1-Jan-69 00:00:00", 3_124_224_000),
            ("29 Feb 2024 12:00:00", 1_709_208_000), ("31 Dec 1999 23:59:59", 946_684_799),
            ("1 Jan 1601 00:00:00", -11_644_473_600),
            ("29 Feb 2023 12:00:00", nil), ("31 Apr 2024 12:00:00", nil), ("0 Jan 2024 12:00:00", nil),
            ("1 Jan 2024 24:00:00", nil),
            ("1 Jan 2024 00:60:00", nil), ("1 Jan 2024 00:00:60", nil), ("1 Jan 1600 00:00:00", nil),
            ("1 Jan 2024", nil),
            ("Jan 2024 00:00:00", nil), ("1 2024 00:00:00", nil), ("1 Jan 00:00:00", nil),
            ("1 Jan 20245 00:00:00", nil),
            ("1 Jan 2024 00:00", nil), ("1 Jan 2024 000:00:00", nil), ("", nil), ("☃ 1 Jan 2024 1:2:3", 1_704_070_923),
        ] as [(String, Double?)])
    func `Dates are parsed in any order of their parts`(_ text: String, _ seconds: Double?) {
        #expect(Date(cookieDate: text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `Cookies are sorted by path length, then age, and a new value keeps its position`() throws {
        try receive("a=1; Path=/", "b=2; Path=/", "c=3; Path=/a", "d=4; Path=/")
        try receive("a=5; Path=/")
        #expect(try sent("http://www.example.com/a/b") == "c=3; a=5; b=2; d=4")
        try receive("b=; Path=/; Max-Age=0")
        #expect(try sent("http://www.example.com/a/b") == "c=3; a=5; d=4")
        #expect(store.all.map(\.name) == ["a", "c", "d"])
    }

    @Test func `Beyond the limit, the least recently sent cookies are removed`() throws {
        for index in 0..<CookieStore.domainLimit { try receive("c\(index)=x; Path=/p\(index)") }
        _ = try sent("http://www.example.com/p0")
        try receive("new=x")
        #expect(store.all.count == CookieStore.domainLimit)
        #expect(store.all.first?.name == "c0" && store.all.dropFirst().first?.name == "c2")
        for index in 0...(CookieStore.limit - CookieStore.domainLimit) { try receive("c=x", from: "http://h\(index)/") }
        #expect(store.all.count == CookieStore.limit)
        #expect(!store.all.contains { $0.name == "c2" })
    }

    @Test func `Cookies can be set, read and removed`() throws {
        let cookie = try #require(Cookie(name: "a", value: "b", domain: "Example.com", isHostOnly: false))
        store.set(cookie)
        #expect(store.all == [cookie])
        #expect(try sent("http://www.example.com/") == "a=b")
        store.remove(cookie)
        #expect(store.all.isEmpty)
        store.set(cookie)
        store.removeAll()
        #expect(try sent("http://www.example.com/") == nil)
        for (name, value, path) in [
            ("", "b", "/"), ("a=", "b", "/"), ("a", "b;c", "/"), ("a", "b\r\nX: y", "/"), ("a", "b", "x"),
        ] {
            #expect(Cookie(name: name, value: value, domain: "h", path: path) == nil)
        }
    }
}
