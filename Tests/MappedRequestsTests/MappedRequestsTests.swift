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

    @Test func `The members of an object are a collection`() async throws {
        let service = try Service(body: #"{"data": {"a": {"id": 1}, "b": {"id": 2}}}"#)
        let accounts = try await service.client.mapAll("/a", as: Account.self, at: "data", each: .member)
        #expect(accounts.map(\.id) == [1, 2])
    }

    @Test func `Lines are a collection`() async throws {
        let service = try Service(type: "application/x-ndjson", body: "{\"id\": 1}\n{\"id\": 2}\n")
        #expect(try await service.client.mapAll("/a", as: Account.self, each: .line).map(\.id) == [1, 2])
    }

    @Test(arguments: [200, 304, 404]) func `A response with any status is used with its models`(status: Int)
        async throws
    {
        let service = try Service { _ in
            Answer(
                status, headers: [Header("X-Total-Count", "9")], body: status == 304 ? [] : Array(#"[{"id": 1}]"#.utf8))
        }
        let response = try await service.client.request("/a").response()
        #expect(response.status == status && response.headers["X-Total-Count"] == "9")
        do {
            #expect(try response.mapAll(as: Account.self).map(\.id) == [1])
            #expect(status == 200)
        } catch {
            #expect(error.kind == .unacceptableStatus && error.response?.status == status && status != 200)
        }
    }

    @Test func `A request without a response has the error of mapped calls`() async throws {
        let service = try Service(body: "{}")
        service.server.stop()
        do {
            _ = try await service.client.request("/a").response()
            Issue.record("no error")
        } catch { #expect(error.kind == .requestFailed) }
    }

    @Test func `A body of changes is a merge patch`() async throws {
        let service = try Service { request in
            let body = String(decoding: try request.body(), as: UTF8.self).replacing("\"", with: "'")
            return Answer(body: #"{"id": 1, "name": "\#(request.headers["content-type"] ?? "") \#(body)"}"#.utf8)
        }
        let (client, old) = (service.client, Account(id: 3, name: "Ada"))
        var account = old
        account.name = "Grace"
        let patches: [(MappedBody, HTTPHeaders, String)] = [
            (MappedBody(account, changedFrom: old, using: Account.mapping), [:], "{'name':'Grace'}"),
            (MappedBody(old, changedFrom: old, using: Account.mapping), [:], "{}"),
            (
                MappedBody(account, changedFrom: try Account.mapping.json(of: old), using: Account.mapping), [:],
                "{'name':'Grace'}"
            ),
            (
                MappedBody(account, changedFrom: old, using: Account.mapping, rootKey: "account"),
                ["Content-Type": "application/json"], "{'account':{'name':'Grace'}}"
            ),
        ]
        for (body, headers, text) in patches {
            let type = headers["Content-Type"] ?? "application/merge-patch+json"
            #expect(try await client.patch("/a", headers: headers, body, as: Account.self).name == "\(type) \(text)")
        }
    }

    @Test func `Changes that cannot be written fail before anything is sent`() async throws {
        let service = try Service(body: "{}")
        let body = MappedBody(Measure(), changedFrom: Measure(value: 1), using: Measure.mapping)
        let error = await #expect(throws: RequestError.self) { try await service.client.patch("/a", body) }
        #expect(error?.kind == .invalidBody && error?.underlying is MappingError)
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
