import MappingDigests
import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

#if os(Linux)
    import URLSessionTransport
#endif

/// The same with a real server and the transports of the platform.
@Suite("Authentication over the network")
struct AuthenticationOverNetworkTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private static let transport: any Transport =
        URLSessionProcess.mayTrap ? URLSessionTransport.shared : defaultTransport

    private func client(_ authentication: Authentication?, over transport: (any Transport)? = nil) -> RESTClient {
        let client = RESTClient(baseURL: server.url, transport: transport)
        client.authentication = authentication
        return client
    }

    private static let body = String(repeating: "0123456789abcdef", count: 20_000)

    @Test(
        arguments: [
            "/basic", "/digest", "/digest?alg=MD5-sess", "/digest?alg=SHA-256", "/digest?alg=SHA-256-sess",
            "/digest?alg=MD5,SHA-256", "/digest?alg=SHA-512-256,MD5", "/digest?userhash=1&alg=SHA-256",
            "/digest?realm=say%20%22a,%20b%22%20%5C", "/digest?realm=%C3%A4", "/digest/../digest",
            "/digest?x=%c3%a4&y=a%20b",
        ])
    func `A complete body is sent to a server that requires authentication`(target: String) async throws {
        let url = try #require(URL(string: server.url.absoluteString + target))
        var request = RESTRequest(.post, url: url, transport: Self.transport)
        request.authentication = .challenge(user: "user", password: "pass")
        request.setBody(.data(Data(Self.body.utf8), contentType: "text/plain"))
        let response = try await request.send()
        #expect(response.status == 200)
        #expect(server.requests.map(\.status) == [401, 200])
        #expect(server.requests.last?.bodySHA256 == SHA256.hex(of: Self.body.utf8))
    }

    @Test(arguments: [("Jäsøn \"Doe\"", "J%C3%A4s%C3%B8n%20%22Doe%22"), ("a:b\\c", "a:b%5Cc"), ("", "")])
    func `User and password can have any characters`(user: String, inQuery: String) async throws {
        for more in ["", "&utf8=1", "&userhash=1&alg=SHA-256", "&alg=SHA-256-sess"] {
            let digest = Authentication.digest(user: user, password: "Söcret: \"x\"")
            let target = "/digest?user=\(inQuery)&pass=S%C3%B6cret:%20%22x%22\(more)"
            let response = try await client(digest).get(target)
            #expect(response.status == 200, "\(target)")
        }
    }

    @Test(
        arguments: [
            ("/basic", Authentication.basic(user: "user", password: "wrong")),
            ("/digest", .digest(user: "user", password: "wrong")),
            ("/digest", .challenge(user: "wrong", password: "pass")),
            ("/digest?alg=SHA-256", .digest(user: "user", password: "wrong")),
        ])
    func `A wrong password is sent once`(sent: (target: String, Authentication)) async throws {
        let response = try await client(sent.1, over: Self.transport).get(sent.target)
        #expect(response.status == 401)
        #expect(server.requests.map(\.status) == [401, 401])
    }

    @Test func `Without credentials a challenge is the response`() async throws {
        for target in ["/basic", "/digest", "/bearer"] {
            #expect(try await client(nil, over: Self.transport).get(target).status == 401)
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["/basic", "/digest", "/digest?alg=SHA-256-sess", "/digest?next=1", "/digest?alg=MD5-sess&next=1"])
    func `Accepted credentials are sent without another challenge`(target: String) async throws {
        let client = client(.challenge(user: "user", password: "pass"))
        for _ in 0..<5 { #expect(try await client.get(target).status == 200) }
        #expect(server.requests.map(\.status) == [401, 200, 200, 200, 200, 200])
    }

    @Test func `An expired nonce costs one more round trip, for any body`() async throws {
        let client = client(.digest(user: "user", password: "pass"))
        for _ in 0..<5 {
            let response = try await client.post("/digest?uses=2", .data(Data(Self.body.utf8)))
            #expect(response.status == 200)
        }
        #expect(server.requests.map(\.status) == [401, 200, 200, 401, 200, 200, 401, 200])
        #expect(server.requests.allSatisfy { $0.status == 401 || $0.bodySHA256 == SHA256.hex(of: Self.body.utf8) })
    }

    @Test func `Concurrent requests share a nonce and its count`() async throws {
        let digest = Authentication.digest(user: "user", password: "pass")
        let client = client(digest)
        #expect(try await client.get("/digest?alg=SHA-256").status == 200)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await client.get("/digest?alg=SHA-256").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // This server requires increasing counts; a request in another order is refused as stale, and sent again.
        #expect(statuses == [Int](repeating: 200, count: 50))
    }

    @Test func `A server that responds before it has read the body receives all of it later`() async throws {
        let params = Params()
        params.set(data: Data(repeating: 7, count: 3 << 20), fileName: "a.bin", for: "a")
        let client = client(.digest(user: "user", password: "pass"))
        #expect(try await client.post("/digest?drain=0&alg=SHA-256", params).status == 200)
        let last = try #require(server.requests.last)
        #expect(last.isBodyWhole && last.bodyLength > 3 << 20)
    }

    @Test(arguments: [(1000, nil), (100_000, "100-continue")])
    func `A large body that may be refused waits for 100 Continue`(
        count: Int, expectation: String?
    ) async throws {
        let client = client(.digest(user: "user", password: "pass"))
        #expect(try await client.post("/digest", .data(Data(count: count))).status == 200)
        #expect(server.requests.map { $0.headers["expect"] } == [expectation, nil])
    }

    @Test func `Downloads and streams have the authenticated response`() async throws {
        let folder = try TemporaryDirectory()
        let client = client(.digest(user: "user", password: "pass"))
        let file = URL(filePath: folder.url.path + "/a")
        #expect(try await client.download("/digest", to: file).status == 200)
        #expect(try Data(contentsOf: file).first == UInt8(ascii: "{"))
        let other = self.client(.digest(user: "user", password: "pass"))
        let stream = try await other.stream("/digest")
        #expect(stream.status == 200)
        var count = 0
        for try await piece in stream.body { count += piece.count }
        #expect(count > 100)
    }

    @Test func `A redirect to another server sends no credentials`() async throws {
        let other = try LoopbackServer()
        let forced = Authentication.basic(user: "user", password: "pass", forced: true)
        let location = other.url("/basic").absoluteString
        #expect(try await client(forced).get("/redirect", query: ["to": location]).status == 401)
        #expect(server.requests.first?.names.contains("authorization") == true)
        #expect(other.requests.map { $0.names.contains("authorization") } == [false])
    }
}

extension RequestRecord {
    /// The names of the fields in lower case.
    fileprivate var names: [String] { headers.map { $0.name.lowercased() } }
}
