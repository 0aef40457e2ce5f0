import Foundation
import LoopbackServer
import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Clients over a stub and over recorded servers", .timeLimit(.minutes(5)))
struct ClientTests {
    @Test func `a client is tested without a network`() async throws {
        let stub = StubTransport()
        stub.on(.put, "/accounts/:id") { request in
            StubResponse(json: #"{ "id": \#(request.parameters["id"] ?? "0") }"#)
        }
        let url = try #require(URL(string: "https://api.example.com"))
        let client = RESTClient(baseURL: url, transport: stub)
        let response = try await client.put("/accounts/7", ["name": "Harbour Bakery"])
        #expect(response.isOK)
        #expect(response.isJSON)
        #expect(response.text == #"{ "id": 7 }"#)
        #expect(stub.requests.map(\.text) == ["name=Harbour%20Bakery"])
        #expect(stub.requests.first?.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)

        let error = try await #require(throws: RequestError.self) { try await client.get("/accounts") }
        #expect(error.kind == .invalidURL)
        #expect(error.cause.hasSuffix("its routes are PUT /accounts/:id"))
    }

    @Test func `blocking code receives responses, too`() throws {
        let stub = StubTransport()
        stub.on(.get, "/a", StubResponse(text: "abc"))
        let request = RESTRequest(.get, url: URL(string: "https://example.com/a"), transport: stub)
        #expect(try request.sendSynchronously().text == "abc")
    }

    @Test func `responses of a real server are replayed without it: redirects, uploads, compressed and large bodies`()
        async throws
    {
        let folder = try TemporaryDirectory()
        let fixture = folder.file("fixture.json")
        let server = try LoopbackServer()
        let url = server.url
        let recording = RecordingTransport(into: fixture)
        let recorded = try await story(RESTClient(baseURL: url, transport: recording), folder)
        try recording.save()
        server.stop()

        let replay = try ReplayTransport(contentsOf: fixture)
        let replayed = try await story(RESTClient(baseURL: url, transport: replay), folder)
        #expect(replayed == recorded)
        #expect(replay.unused == [])
        #expect(recorded.count == 4)
        let text = try folder.text(of: "fixture.json")
        #expect(!text.contains("secret"))
        #expect(text.contains(#""text" : "{\"ok\":true}""#))
    }

    /// The responses of a server to the requests of a client.
    private func story(_ client: RESTClient, _ folder: TemporaryDirectory) async throws -> [Data] {
        client.headers["Authorization"] = "Bearer secret"
        let params = Params()
        params.set("Blue kettle", for: "title")
        try params.set(file: try folder.write(Data((0..<200_000).map { UInt8($0 % 251) }), to: "film"), for: "film")
        return [
            try await client.get("/redirect?n=2&to=/ok").body,
            try await client.post("/sink?hash=0", params).body,
            try await client.get("/gzip?n=10").body,
            try await client.get("/bytes?n=300000").body,
        ]
    }
}
