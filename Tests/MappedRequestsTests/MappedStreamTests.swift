import LoopbackServer
import MappedRequests
import Testing

@Suite("Streams of models")
struct MappedStreamTests {
    private static func elements(of stream: MappedStream<Account>) async -> (ids: [Int], error: MappedRequestError?) {
        var ids: [Int] = []
        do {
            for try await account in stream { ids.append(account.id) }
            return (ids, nil)
        } catch { return (ids, error as? MappedRequestError) }
    }

    @Test func `Elements are mapped while the response arrives`() async throws {
        let text = #"{"accounts": [{"id": 1}, {"id": 2}, {"id": 3}]}"#
        let service = try Service(body: text)
        let stream = try await service.client.stream("/export", as: Account.self, at: "accounts")
        #expect(stream.status == 200)
        #expect(stream.headers["Content-Type"] == "application/json")
        let (ids, error) = await Self.elements(of: stream)
        #expect(ids == [1, 2, 3])
        #expect(error == nil)
    }

    @Test func `The first element is available before the response is complete`() async throws {
        // More than the window of the reader, then nothing: the response is never complete.
        let service = try Service { _ in
            let element = #"{"id": 1, "name": "\#(String(repeating: "x", count: 400_000))"}"#
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n["
            return .raw((head + element + ",").utf8, end: .close)
        }
        let stream = try await service.client.stream("/export", as: Account.self)
        let (ids, error) = await Self.elements(of: stream)
        #expect(ids == [1])
        #expect(error?.kind == .requestFailed)
        #expect(error?.requestError?.kind == .truncatedResponse)
    }

    @Test func `An error status is thrown before the first element, with its body`() async throws {
        let service = try Service(503, body: #"{"title": "Too busy"}"#)
        let error = await #expect(throws: MappedRequestError.self) {
            _ = try await service.client.stream("/export", as: Account.self)
        }
        #expect(error?.kind == .unacceptableStatus)
        #expect(error?.body(as: Problem.self)?.title == "Too busy")
    }

    @Test(arguments: ["text/html", "application/json"])
    func `A page instead of JSON ends the stream with an error that has its first bytes`(type: String) async throws {
        let page = "<html>" + String(repeating: "x", count: 1000)
        let service = try Service(type: type, body: page)
        let (ids, error) = await Self.elements(of: try await service.client.stream("/export", as: Account.self))
        #expect(ids.isEmpty)
        #expect(error?.kind == .unexpectedContent)
        #expect(error?.bodyPrefix == String(page.prefix(200)))
        #expect(error?.url == service.server.url("/export"))
    }

    @Test(arguments: ["application/x-ndjson", "application/jsonl", "text/plain", "application/json"])
    func `A broken line is an error with its position`(type: String) async throws {
        let service = try Service(type: type, body: "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3,,}\n{\"id\": 4}\n")
        let stream = try await service.client.stream("/export", as: Account.self, each: .line)
        let (ids, error) = await Self.elements(of: stream)
        #expect(ids == [1, 2])
        #expect(error?.kind == .mappingFailed)
        let issue = error?.mappingError?.issues.first
        #expect(issue?.line == 3 && issue?.column == 10)
        #expect(error?.description.contains("\n3:10 ") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["[{\"id\": 1}, {\"id\": }]", "  [{\"id\": 1}, <html>]"])
    func `Broken JSON of another type has its position, too`(body: String) async throws {
        let service = try Service(type: "text/plain", body: body)
        let error = await #expect(throws: MappedRequestError.self) {
            try await service.client.mapAll("/export", as: Account.self)
        }
        #expect(error?.kind == .mappingFailed && error?.mappingError?.issues.first?.line == 1)
    }

    @Test func `An element with issues ends the stream, or is given to a closure`() async throws {
        let service = try Service(body: #"[{"id": 1}, {"id": "x"}, {"id": 3}]"#)
        let (ids, error) = await Self.elements(of: try await service.client.stream("/export", as: Account.self))
        #expect(ids == [1])
        #expect(error?.kind == .mappingFailed)
        #expect(error?.mappingError?.issues.first?.path == "$[1].id")

        let request = service.client.request("/export")
        let stream = try await request.stream(by: Account.mapping, rejecting: { #expect($0.path == "$[1]") })
        #expect(await Self.elements(of: stream).ids == [1, 3])
    }
}
