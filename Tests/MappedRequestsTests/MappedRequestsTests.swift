import LoopbackServer
import MappedRequests
import Testing

@Suite("Requests with models as results")
struct MappedRequestsTests {
    @Test func `Each method maps its response to a model`() async throws {
        let service = try Service { request in
            Answer(body: #"{"id": 7, "name": "\#(request.method) \#(request.target)"}"#.utf8)
        }
        let client = service.client
        let data = DataBody(Data("{}".utf8), contentType: "application/json")
        #expect(try await client.get("/a", query: ["q": 1], as: Account.self).name == "GET /a?q=1")
        #expect(try await client.delete("/a", as: Account.self).name == "DELETE /a")
        #expect(try await client.post("/a", data, as: Account.self).name == "POST /a")
        #expect(try await client.post("/a", ["name": "x"], as: Account.self).name == "POST /a")
        #expect(try await client.post("/a", as: Account.self).name == "POST /a")
        #expect(try await client.put("/a", data, as: Account.self).name == "PUT /a")
        #expect(try await client.patch("/a", data, as: Account.self).name == "PATCH /a")
        #expect(try await client.request("/a").map(as: Account.self).id == 7)
    }

    @Test func `A collection is mapped at its key path, and a custom mapping replaces the type's mapping`()
        async throws
    {
        let service = try Service(body: #"{"data": {"accounts": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]}}"#)
        let client = service.client
        let accounts = try await client.mapAll("/accounts", as: Account.self, at: "data.accounts")
        #expect(accounts.map(\.id) == [1, 2])
        let short = try await client.request("/accounts").mapAll(by: Account.short, at: "data.accounts")
        #expect(short.map(\.name) == ["a", "b"])
    }

    @Test func `Bodies are written by a mapping, with a root and as lists`() async throws {
        let service = try Service { request in
            let type = request.headers["content-type"] ?? ""
            let body = String(decoding: try request.body(), as: UTF8.self)
            return Answer(
                body: #"{"id": 1, "name": "\#(request.method) \#(type) \#(body.replacing("\"", with: "'"))"}"#.utf8)
        }
        let (client, account) = (service.client, Account(id: 3, name: "Ada"))
        let kind = "application/json {'id':3,'name':'Ada'}"
        for method: HTTPMethod in [.post, .put, .patch] {
            let mapped =
                switch method {
                case .post: try await client.post("/a", account, using: Account.mapping, as: Account.self)
                case .put: try await client.put("/a", account, using: Account.mapping, as: Account.self)
                default: try await client.patch("/a", account, using: Account.mapping, as: Account.self)
                }
            #expect(mapped.name == "\(method) \(kind)")
        }
        let response = try await client.post("/a", account, using: Account.mapping, rootKey: "account")
        #expect(response.text?.contains("{'account':{'id':3,'name':'Ada'}}") == true)
        let patch = try await client.patch(
            "/a", query: ["v": 2], headers: ["Content-Type": "application/merge-patch+json"], account,
            using: Account.mapping, as: Account.self)
        #expect(patch.name == "PATCH application/merge-patch+json {'id':3,'name':'Ada'}")
        #expect(try await client.get("/a", headers: ["Content-Type": "text/x"], as: Account.self).name == "GET text/x ")
        let list = try await client.post("/a", MappedBody([account], using: Account.mapping), as: Account.self)
        #expect(list.name == "POST application/json [{'id':3,'name':'Ada'}]")
    }

    @Test func `A model that cannot be written fails before anything is sent`() async throws {
        let service = try Service(body: "{}")
        let error = await #expect(throws: RequestError.self) {
            try await service.client.post("/a", Measure(), using: Measure.mapping)
        }
        #expect(error?.kind == .invalidBody)
        #expect(error?.cause.contains("value -> Measure.value") == true)
        #expect(service.server.statistics.requests == 0)
    }

    @Test func `An object of a class is returned to the caller's isolation`() async throws {
        let service = try Service(body: #"{"name": "Ada"}"#)
        let person = try await Screen(client: service.client).load()
        #expect(person == "Ada")
    }

    @Test func `A response of a queue is mapped, and a session is shared`() async throws {
        let service = try Service(body: #"{"id": 7, "name": "Ada"}"#)
        let queued = RequestQueue.shared.add(service.client.request("/a"))
        let response = try await queued.response
        let session = MappingSession()
        let people = try (0..<2).map { _ in try response.map(by: Person.identified, in: session) }
        #expect(people[0] === people[1])
    }
}

/// A class whose objects are not sendable.
private final class Person: Mappable {
    var name = ""
    static let mapping = Mapping(Person.init) { Attribute("name", \.name) }
    static let identified = mapping.identified(by: \.name)
}

@MainActor private final class Screen {
    let client: RESTClient
    var person: Person?

    init(client: RESTClient) { self.client = client }

    func load() async throws -> String? {
        person = try await client.get("/person", as: Person.self)
        return person?.name
    }
}
