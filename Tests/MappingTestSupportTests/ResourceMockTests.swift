import ActiveResource
import MappingTestSupport
import Testing

@Suite("Prepared responses for resources")
struct ResourceMockTests {
    struct Person: Resource {
        static let site = ResourceSite(URL(string: "http://api.example.com/v1") ?? URL(filePath: "/"))
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Person.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }
    }

    @Test func `Responses are chosen by method, path, query and headers, and requests are recorded`() async throws {
        let mock = ResourceMock()
        mock.get("/v1/people/1.json", #"{"id": 1, "name": "old"}"#)
        mock.get("/v1/people/1.json", #"{"id": 1, "name": "Ann"}"#)
        mock.get("/v1/people.json?a=1", "[]")
        mock.get("/v1/people.json?a=1", #"[{"id": 2}]"#, headers: ["Accept": "application/json"])
        mock.post("/v1/people.json", #"{"errors": {"name": ["is taken"]}}"#, status: 422)
        mock.on(.put, "/v1/people/1.json") { StubResponse(json: $0.text) }
        mock.head("/v1/people/1.json")
        mock.delete("/v1/people/1.json", status: 204)
        mock.patch("/v1/people/1/touch.json", status: 204)
        try await mock.run { () async throws in
            var ann = try await Person.find(1)
            #expect(ann.name == "Ann")
            #expect(try await Person.where(["a": 1]).records.map(\.id) == [2])
            #expect(try await ann.update { $0.name = "An" })
            #expect(ann.name == "An")
            var new = Person(name: "x")
            #expect(try await !new.save())
            #expect(try await ann.exists())
            try await ann.patch("touch")
            try await ann.destroy()
        }
        #expect(mock.requests.map(\.method) == [.get, .get, .put, .post, .head, .patch, .delete])
        #expect(mock.unmatchedRequests.isEmpty)
    }

    @Test func `A request without a response is an error that lists the prepared responses`() async throws {
        let mock = ResourceMock(ignoresQuery: true)
        mock.get("/v1/people.json?b=2", "[]")
        await mock.run {
            let error = await #expect(throws: ResourceError.self) { try await Person.find(7) }
            #expect(
                error?.description.contains(
                    "no response for GET /v1/people/7.json; prepared are: GET /v1/people.json") == true)
        }
        let none = try await mock.run { try await Person.where(["a": 1]).records }
        #expect(none.isEmpty && mock.unmatchedRequests.map(\.path) == ["/v1/people/7.json"])
        mock.reset()
        #expect(mock.requests.isEmpty)
        let error = await #expect(throws: ResourceError.self) { try await mock.run { try await Person.all().records } }
        #expect(error?.description.contains("prepared are: none") == true)
    }
}
