import Foundation
import MappingTestSupport
import RequestQueue
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
    import URLSessionTransport
#endif

@Suite("Requests of Foundation") struct URLRequestTests {
    @Test func `A request is created from a URLRequest`() async throws {
        let stub = StubTransport()
        stub.on(.put, "/a", StubResponse(status: 204))
        var foreign = URLRequest(url: try #require(URL(string: "http://h/a?b=1")), timeoutInterval: 7)
        foreign.httpMethod = "PUT"
        foreign.httpBody = Data("{}".utf8)
        foreign.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let request = RESTRequest(foreign, transport: stub)
        #expect(request.timeouts.idle == .seconds(7))
        #expect(try await request.send().status == 204)
        #expect(stub.requests.first?.headers["Content-Type"] == "application/json")
        #expect(stub.requests.first?.body == Data("{}".utf8))
        #expect(stub.requests.first?.url.query() == "b=1")
    }

    @Test(arguments: [Double.infinity, Double.nan, 1e300])
    func `An unlimited interval is no timeout`(_ interval: Double) throws {
        let foreign = URLRequest(url: try #require(URL(string: "http://h/a")), timeoutInterval: interval)
        #expect(RESTRequest(foreign, transport: StubTransport()).timeouts.idle == nil)
    }

    @Test func `A stream as body is an error`() async throws {
        var foreign = URLRequest(url: try #require(URL(string: "http://h/a")))
        foreign.httpMethod = "POST"
        foreign.httpBodyStream = InputStream(data: Data("{}".utf8))
        let request = RESTRequest(foreign, transport: StubTransport())
        let error = await #expect(throws: RequestError.self) { try await request.send() }
        #expect(error?.kind == .invalidBody)
    }
}
