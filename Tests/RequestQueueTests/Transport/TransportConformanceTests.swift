import Foundation
import LoopbackServer
import MappingTestSupport
import RequestQueue
import Testing

/// All transports pass the same checks; URLSession in `URLSessionTransportTests`.
@Suite("Conformance of transports", .timeLimit(.minutes(5)))
struct TransportConformanceTests {
    #if os(Linux)
        @Test(arguments: TransportCheck.all) func `libcurl conforms`(check: TransportCheck) async throws {
            let server = try LoopbackServer.forChecks()
            #expect(await check.violations(of: CurlTransport(), service: server.url) == [])
        }
    #endif

    @Test(arguments: TransportCheck.all) func `The stub conforms`(check: TransportCheck) async throws {
        let service = try #require(URL(string: "https://stub.example"))
        #expect(await check.violations(of: StubTransport.forChecks(of: service), service: service) == [])
    }

    @Test(arguments: TransportCheck.all) func `A recorded transport conforms`(check: TransportCheck) async throws {
        let service = try #require(URL(string: "https://stub.example"))
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let transport = RecordingTransport(over: StubTransport.forChecks(of: service), into: file)
        #expect(await check.violations(of: transport, service: service) == [])
    }

    @Test func `A check reports what a transport does wrong`() async throws {
        let service = try #require(URL(string: "https://stub.example"))
        let stub = StubTransport()
        stub.on(.head, "/echo", StubResponse(status: 200, headers: ["Transfer-Encoding": "chunked"]))
        let check = try #require(TransportCheck.all.first { $0.name.contains("HEAD") })
        #expect(await check.violations(of: stub, service: service) == ["the head has no Content-Length"])
    }
}

extension LoopbackServer {
    /// A server with the service of the checks.
    static func forChecks() throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let url = URL(string: "http://127.0.0.1" + request.target) else { return nil }
            var headers: HTTPHeaders = [:]
            for field in request.headers { headers.add(field.value, for: field.name) }
            let (head, body) = TransportCheck.respond(
                to: HTTPMethod(rawValue: request.method), at: url, headers: headers, body: Data(try request.body()))
            // The server adds the length.
            let fields = head.headers.filter { $0.name != "Content-Length" }.map { Header($0.name, $0.value) }
            return Answer(head.status, headers: fields, body: body)
        }
    }
}

extension StubTransport {
    /// A stub with the service of the checks.
    static func forChecks(of service: URL) -> StubTransport {
        let stub = StubTransport()
        for method in [.get, .head, .post, .put, .patch, .delete] as [HTTPMethod] {
            stub.on(method, service.absoluteString + "/*") { request in
                let (head, body) = TransportCheck.respond(
                    to: request.method, at: request.url, headers: request.headers, body: request.body)
                return StubResponse(status: head.status, headers: head.headers, body: body)
            }
        }
        return stub
    }
}
