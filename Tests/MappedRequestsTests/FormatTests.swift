import LoopbackServer
import MappedRequests
import Testing

@Suite("Requests and responses in other formats than JSON")
struct FormatTests {
    /// `name=value` on each line.
    struct LineFormat: PayloadFormat {
        struct LineError: Error { let line: String }
        var mediaTypes: [String] { ["text/x-lines", "text/*-lines"] }
        var pathExtensions: [String] { ["lines"] }

        func decode(_ data: Data) throws -> JSON {
            let members = try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
                let parts = line.split(separator: "=").map(String.init)
                guard parts.count == 2 else { throw LineError(line: String(line)) }
                return (key: parts[0], value: parts[1].json)
            }
            return .object(JSONObject(members))
        }

        func encode(_ value: JSON, root: String?) throws -> Data {
            guard let members = value.object else { throw LineError(line: value.text) }
            return Data(members.map { "\($0.key)=\($0.value.string ?? $0.value.text)" }.joined(separator: "\n").utf8)
        }
    }

    @Test(
        arguments: [
            ("text/x-lines; charset=utf-8", "id=7\nname=Ada"), ("TEXT/OLD-LINES", "id=7\nname=Ada"),
            ("application/json", #"{"id": 7, "name": "Ada"}"#), ("text/html", #"{"id": 7, "name": "Ada"}"#),
        ])
    func `A response is decoded by the format of its media type, or as JSON`(_ type: String, _ body: String)
        async throws
    {
        let service = try Service(type: type, body: body)
        service.client.formats.register(LineFormat())
        #expect(try await service.client.get("/accounts/7", as: Account.self) == Account(id: 7, name: "Ada"))
        let response = try await service.client.get("/accounts/7")
        #expect(try response.map(as: Account.self).id == 7)
        let request = service.client.request("/accounts/7")
        let queued = try await RequestQueue.shared.send(request)
        #expect(try queued.map(as: Account.self).id == 7)
    }

    /// JSON after a prefix that scripts of other sites cannot run.
    struct GuardedFormat: PayloadFormat {
        var mediaTypes: [String] { ["application/json"] }
        var pathExtensions: [String] { ["json"] }
        func decode(_ data: Data) throws -> JSON { try JSON(Data(data.dropFirst(5))) }
        func encode(_ value: JSON, root: String?) throws -> Data { value.data }
    }

    @Test func `A registered format replaces JSON for its media types, also of error bodies`() async throws {
        let type = "application/json; charset=utf-8"
        let service = try Service(type: type, body: ")]}'\n{\"id\": 7}")
        for formats in [PayloadFormats([GuardedFormat()]), PayloadFormats([GuardedFormat(), .json])] {
            service.client.formats = formats
            #expect(try await service.client.get("/a", as: Account.self).id == 7)
        }
        service.client.formats = PayloadFormats()
        service.client.formats.register(GuardedFormat())
        #expect(try await service.client.get("/a").map(as: Account.self).id == 7)

        let failing = try Service(422, type: type, body: ")]}'\n{\"title\": \"No such account\"}")
        failing.client.formats.register(GuardedFormat())
        let error = await #expect(throws: MappedRequestError.self) {
            try await failing.client.get("/a", as: Account.self)
        }
        #expect(error?.body(as: Problem.self)?.title == "No such account" && error?.serverMessage == "No such account")
    }

    @Test func `The formats of a client do not affect other clients`() async throws {
        let service = try Service(type: "text/x-lines", body: "id=7")
        service.client.formats.register(LineFormat())
        let other = RESTClient(baseURL: service.server.url)
        let error = await #expect(throws: MappedRequestError.self) { try await other.get("/a", as: Account.self) }
        #expect(error?.kind == .unexpectedContent)
        #expect(error?.description.hasSuffix("expected JSON, found a body that is not JSON") == true)
    }

    @Test func `A body that its format cannot decode is an error without values`() async throws {
        let service = try Service(type: "text/x-lines", body: "secret")
        service.client.formats.register(LineFormat())
        let error = await #expect(throws: MappedRequestError.self) {
            try await service.client.get("/a", as: Account.self)
        }
        #expect(error?.kind == .unexpectedContent)
        #expect(error?.description.hasSuffix("expected text/x-lines, found a body that is not text/x-lines") == true)
        #expect(error?.details.contains(#"LineError(line: "secret")"#) == true)
    }

    @Test func `A typed error body is decoded by its format`() async throws {
        let service = try Service(422, type: "text/x-lines", body: "title=No such account")
        service.client.formats.register(LineFormat())
        let error = await #expect(throws: MappedRequestError.self) {
            try await service.client.get("/a", as: Account.self)
        }
        #expect(error?.body(as: Problem.self)?.title == "No such account")
        #expect(error?.serverMessage == "No such account")
    }

    @Test func `A body has no omitted members, in any format, and in changes`() async throws {
        let service = try Service { request in Answer(body: try request.body()) }
        let mapping = Account.mapping.omitting("id")
        let ada = Account(id: 7, name: "Ada")
        let bodies = [
            MappedBody(ada, using: mapping), MappedBody([ada], using: mapping, rootKey: "all"),
            MappedBody(ada, using: mapping, format: LineFormat()),
            MappedBody(Account(id: 8, name: "Bo"), changedFrom: ada, using: mapping, rootKey: "account"),
        ]
        var texts: [String?] = []
        for body in bodies { texts.append(try await service.client.put("/a", body).text) }
        #expect(
            texts == [#"{"name":"Ada"}"#, #"{"all":[{"name":"Ada"}]}"#, "name=Ada", #"{"account":{"name":"Bo"}}"#])
        let misspelt = MappedBody(ada, using: Account.mapping.omitting("nmae"))
        let error = await #expect(throws: RequestError.self) { try await service.client.put("/a", misspelt) }
        #expect(error?.kind == .invalidBody)
        #expect(
            error?.description.contains("expected a member that the mapping writes, to omit it, found 'nmae'") == true)
    }

    @Test func `A body is written in a format, with its media type`() async throws {
        let service = try Service { request in
            #expect(request.headers["content-type"] == "text/x-lines")
            return Answer(body: try request.body())
        }
        let body = MappedBody(Account(id: 7, name: "Ada"), using: Account.mapping, format: LineFormat())
        #expect(try await service.client.put("/a", body).text == "id=7\nname=Ada")
        let list = MappedBody([Account()], using: Account.mapping, format: LineFormat())
        let error = await #expect(throws: RequestError.self) { try await service.client.put("/a", list) }
        #expect(error?.kind == .invalidBody)
        #expect(error?.description.contains("the model cannot be written as text/x-lines: LineError") == true)
    }
}
