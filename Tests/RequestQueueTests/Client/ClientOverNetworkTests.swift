import MappingDigests
import LoopbackServer
import RequestQueue
import TestSupport
import Testing

@Suite("The client over the network")
struct ClientOverNetworkTests {
    private let server: LoopbackServer
    private let client: RESTClient

    init() throws {
        server = try LoopbackServer()
        client = RESTClient(baseURL: server.url)
    }

    @Test func `Forms, JSON and queries are received unchanged`() async throws {
        _ = try await client.post("/echo", query: ["ids": [1, 2], "name": "ä b&c"], ["b": "1", "a": "2"])
        _ = try await client.put("echo", .json(["n": 1]))
        _ = try await client.get("/echo", query: ["expand": "owner"])
        #expect(
            server.requests.map(\.target) == [
                "/echo?ids%5B%5D=1&ids%5B%5D=2&name=%C3%A4%20b%26c", "/echo", "/echo?expand=owner",
            ])
        #expect(server.requests.map(\.method) == ["POST", "PUT", "GET"])
        #expect(server.requests.map(\.bodyLength) == [7, 7, 0])
    }

    @Test func `A form with a file is uploaded completely, with correct progress`() async throws {
        let folder = try TemporaryDirectory()
        let params = Params()
        params.set("Blue kettle", for: "title")
        let film = try params.set(file: folder.write(Data(count: 3_000_000), to: "film.mov"), for: "film")
        film.mimeType = "video/mp4"
        let told = Collected<RequestProgress>()
        // Under a sanitizer the server may take a minute to check the form.
        if isSanitized { client.timeouts.idle = .seconds(240) }
        let upload = try await client.request(.post, "/upload", params).onProgress { told.add($0) }.send()
        #expect(upload.isOK && upload.text?.contains("video/mp4") == true)
        #expect(told.all.last?.fractionCompleted == 1)
        #expect(told.all.map(\.bytesSent) == told.all.map(\.bytesSent).sorted())
        #expect(server.requests.first.map { Int64($0.bodyLength) } == params.contentLength)
    }

    @Test func `Cookies, statuses and validation work together`() async throws {
        _ = try await client.get("/cookie", query: ["name": "sid", "value": "7", "Path": "/"])
        _ = try await client.get("/ok")
        #expect(server.requests.last?.headers["Cookie"] == "sid=7")
        #expect(try await client.get("/status/422").isUnprocessableEntity)
        #expect(try await client.get("/ok").validated(contentTypes: ["application/json"]).isJSON)
        let error = await #expect(throws: RequestError.self) { try await client.get("/status/503").validated() }
        #expect(error?.cause == "expected a status of 200 to 299, got 503")
    }

    @Test func `A call to a stopped server is an error with its URL`() async throws {
        server.stop()
        let error = await #expect(throws: RequestError.self) { try await client.get("/ok") }
        #expect(error?.kind == .connectionRefused)
        #expect(error?.description.hasPrefix("GET \(server.url.absoluteString)") == true)
    }

    @Test func `Cancelling a handle closes the connection`() async throws {
        let outcome = await withCheckedContinuation { continuation in
            let handle = client.get("/hold") { continuation.resume(returning: $0) }
            Task {
                try await server.waitForRequests(count: 1, path: "/hold")
                handle.cancel()
            }
        }
        let error = #expect(throws: RequestError.self) { try outcome.get() }
        #expect(error?.kind == .cancelled)
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
    }

    @Test func `A download is a file, a stream is read while it arrives`() async throws {
        let folder = try TemporaryDirectory()
        let told = Collected<Double>()
        let response = try await client.request("/bytes", query: ["n": 300_000])
            .onProgress { told.add($0.fractionCompleted) }.download(to: folder.file("a"))
        #expect(response.isOK && response.body.isEmpty && told.all.last == 1)
        #expect(try Data(contentsOf: folder.file("a")).count == 300_000)

        let outcome = await withCheckedContinuation { continuation in
            client.download("/status/404", to: folder.file("b")) { continuation.resume(returning: $0) }
        }
        #expect(try outcome.get().isNotFound)
        #expect(!FileManager.default.fileExists(atPath: folder.file("b").path))

        var count = 0
        for try await piece in try await client.stream("/bytes", query: ["n": 300_000]).body { count += piece.count }
        #expect(count == 300_000)
    }
}
