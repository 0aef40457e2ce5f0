import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("The examples of the client's contract")
struct ContractTests {
    private let stub = StubTransport()
    private let client: RESTClient

    init() throws {
        client = RESTClient(baseURL: try #require(URL(string: "https://api.example.com/v1")), transport: stub)
    }

    @Test func `A request has the query and the client's fields, and its result is a response`() async throws {
        stub.on(.get, "/v1/accounts/1", StubResponse(json: #"{"id": 1}"#))
        client.headers["Authorization"] = "Bearer …"

        let response = try await client.get("/accounts/1", query: ["expand": "owner"])
        #expect(response.isOK && response.status == 200)
        #expect(response.body == Data(#"{"id": 1}"#.utf8) && response.text == #"{"id": 1}"#)
        let sent = try #require(stub.requests.first)
        #expect(sent.url.absoluteString == "https://api.example.com/v1/accounts/1?expand=owner")
        #expect(sent.headers["authorization"] == "Bearer …")
    }

    @Test func `A form with a file is sent, and its progress is reported before the call returns`() async throws {
        let folder = try TemporaryDirectory()
        let filmURL = try folder.write("film", to: "film.mov")
        let png = Data("png".utf8)
        stub.on(.post, "/v1/films", StubResponse(status: 201))

        let told = Collected<Double>()
        let params = Params()
        params.set("Blue kettle", for: "title")
        params.set(data: png, fileName: "kettle.png", mimeType: "image/png", for: "photo")
        let film = try params.set(file: filmURL, for: "film")
        film.mimeType = "video/mp4"
        let upload = try await client.request(.post, "/films", params)
            .onProgress { told.add($0.fractionCompleted) }.send()
        #expect(upload.isCreated)
        #expect(told.all.last == 1 && told.all == told.all.sorted())
        let body = try #require(stub.requests.first?.text)
        #expect(body.contains("Blue kettle") && body.contains("image/png") && body.contains("video/mp4"))
    }

    @Test func `A queue sends the client's requests in order, and cancels them by owner`() async throws {
        let ownerID = 7
        stub.on(.get, "/v1/a", StubResponse(text: "a"))
        let queue = RequestQueue(concurrentRequestsLimit: 1)
        let kept = queue.add(client.request(.get, "/a"))
        let cancelled = queue.add(client.request(.get, "/a"), owner: ownerID)
        queue.cancelRequests(ownedBy: ownerID)
        queue.start()
        #expect(try await kept.response.text == "a")
        await #expect(throws: RequestError.self) { try await cancelled.response }
        #expect(stub.requests.count == 1)
    }
}
