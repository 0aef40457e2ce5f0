import Foundation
import MappingTestSupport
import RequestQueue
import TestSupport
import Testing

@Suite("Calls of a client") struct ClientCallsTests {
    struct Film: Codable, Equatable, Sendable {
        var id: Int
        var title: String
    }

    struct Problem: Codable, Equatable { var title: String }

    let stub = StubTransport()
    let client: RESTClient

    init() throws {
        client = RESTClient(baseURL: try #require(URL(string: "http://h/v1")), transport: stub)
    }

    @Test func `Header fields of a call replace those of the client`() async throws {
        client.headers = ["Accept": "text/html", "X-App": "1"]
        stub.on(.get, "/v1/a", StubResponse())
        stub.on(.post, "/v1/a", StubResponse())
        _ = try await client.get("a", headers: ["accept": "application/json"])
        _ = try await client.post("a", headers: ["Content-Type": "application/vnd.api+json"], json: [1])
        _ = try await client.get("a")
        #expect(stub.requests.map { $0.headers["Accept"] } == ["application/json", "text/html", "text/html"])
        #expect(stub.requests.map { $0.headers["X-App"] } == ["1", "1", "1"])
        #expect(stub.requests[1].headers.values(for: "content-type") == ["application/vnd.api+json"])
    }

    @Test func `A query keeps the order and the repeated names of its literal`() {
        func query(_ request: RESTRequest) -> String? { request.url?.query(percentEncoded: false) }
        #expect(query(client.request("a", query: ["z": 1, "a": "x", "z": 2])) == "z=1&a=x&z=2")
        #expect(query(client.request("a", query: [:])) == nil)
        let items = [URLQueryItem(name: "b", value: "ä&"), URLQueryItem(name: "a", value: nil)]
        #expect(client.request(.get, "a", query: items).url?.query() == "b=%C3%A4%26&a")
        #expect(
            query(
                client.request("a", query: [URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: "")]))
                == "b=1&a=")
        #expect(query(client.request(.get, "a", query: ["b": "1", "a": "2"] as [String: String])) == "a=2&b=1")
    }

    @Test func `A query of values without names is an error`() async throws {
        let error = await #expect(throws: RequestError.self) { try await client.get("a", query: [1, 2]) }
        #expect(error?.kind == .invalidURL)
        #expect(error?.cause.contains("this one has a value without a name") == true)
    }

    @Test func `A value is sent as JSON, and its response is decoded`() async throws {
        let film = Film(id: 7, title: "Kettle")
        stub.on(.post, "/v1/films", StubResponse(status: 201, json: #"{"id": 7, "title": "Kettle"}"#))
        stub.on(.get, "/v1/films/7", StubResponse(json: #"{"id": 7, "title": "Kettle"}"#))
        #expect(try await client.post("films", json: film, decoding: Film.self) == film)
        #expect(try await client.get("films/7", decoding: Film.self) == film)
        let sent = try #require(stub.requests.first)
        #expect(sent.headers["Content-Type"] == "application/json")
        #expect(try JSONDecoder().decode(Film.self, from: sent.body) == film)
    }

    @Test func `The error of a refused response has it, with a typed body`() async throws {
        stub.on(.get, "/v1/a", StubResponse(status: 422, json: #"{"title": "taken"}"#))
        stub.on(.get, "/v1/b", StubResponse(headers: ["Content-Type": "text/html"], body: Data("<html>".utf8)))
        let refused = await #expect(throws: RequestError.self) { try await client.get("a", decoding: Film.self) }
        #expect(refused?.kind == .unacceptableResponse && refused?.response?.status == 422)
        #expect(try refused?.response?.json(Problem.self) == Problem(title: "taken"))
        let page = await #expect(throws: RequestError.self) { try await client.get("b", decoding: Film.self) }
        #expect(page?.cause.hasPrefix("expected JSON of Film, got text/html, which cannot be decoded:") == true)
        #expect(page?.underlying is DecodingError && page?.response?.text == "<html>")
        #expect(page?.description.contains("<html>") == false)
        #expect(page?.details.hasSuffix("\n<html>") == true)
        stub.on(.get, "/v1/b", StubResponse(text: String(repeating: "a", count: 300)))
        let long = await #expect(throws: RequestError.self) { try await client.get("b", decoding: Film.self) }
        #expect(long?.bodyPrefix == String(repeating: "a", count: 200))
        #expect(RequestError(.cancelled, "").bodyPrefix.isEmpty)
    }

    @Test func `A value that cannot be encoded, or a missing file, fails before anything is sent`() async throws {
        let folder = try TemporaryDirectory()
        let unencodable = await #expect(throws: RequestError.self) { try await client.put("a", json: Double.nan) }
        #expect(unencodable?.kind == .invalidBody && unencodable?.underlying is EncodingError)
        #expect(unencodable?.method == .put && unencodable?.url?.absoluteString == "http://h/v1/a")
        let missing = await #expect(throws: RequestError.self) { try await client.put("a", file: folder.file("none")) }
        #expect(missing?.kind == .bodyUnreadable && missing?.cause.contains("none") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func `A GET with a body and a progress handler is one error before anything is sent`() async throws {
        let progress = Collected<RequestProgress>()
        let request = client.request(.get, "a", ["title": "Kettle"]).onProgress { progress.add($0) }
        let error = await #expect(throws: RequestError.self) { try await request.send() }
        #expect(error?.kind == .invalidBody)
        #expect(error?.description.hasPrefix("GET http://h/v1/a: the body is invalid: GET has no body; ") == true)
        let queue = RequestQueue()
        queue.start()
        let queued = await #expect(throws: RequestError.self) { try await queue.send(request) }
        #expect(queued?.kind == .invalidBody)
        #expect(stub.requests.isEmpty && progress.all.isEmpty)
    }

    @Test func `A file can be a body`() async throws {
        stub.on(.put, "/v1/films/1", StubResponse(status: 204))
        let file = try TemporaryDirectory()
        let film = try file.write("film", to: "film.mp4")
        #expect(try await client.put("films/1", file: film).status == 204)
        #expect(stub.requests.first?.text == "film")
        #expect(stub.requests.first?.headers["Content-Type"] == "video/mp4")
    }

    @Test func `The error that a body throws is the underlying error`() async throws {
        struct Broken: Error, Equatable { var number = 7 }
        struct Body: RequestSerializable {
            var contentType: String { "text/plain" }
            func makeBodyData() throws -> Data? { throw Broken() }
            func snapshot() -> any RequestSerializable & Sendable { Body() }
        }
        let error = await #expect(throws: RequestError.self) { try await client.post("a", Body()) }
        #expect(error?.kind == .bodyUnreadable && error?.underlying as? Broken == Broken())
    }

    @Test func `A request gives its result without throwing`() async throws {
        stub.on(.get, "/v1/a", StubResponse(text: "a"))
        switch await client.request("a").result() {
        case .success(let response): #expect(response.text == "a")
        case .failure(let error): Issue.record(error)
        }
        await #expect(throws: RequestError.self) { try await client.request("http://").result().get() }
    }
}
