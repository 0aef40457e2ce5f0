import MappingDigests
import Foundation
import LoopbackServer
import RequestQueue
import TestSupport
import Testing

@Suite("Params over the network")
struct ParamsSendingTests {
    private struct Seen: Decodable {
        struct Part: Decodable {
            var name: String
            var filename: String?
            var content_type: String?
            var size: Int
            var sha256: String?
        }

        var framing: String
        var bytes: Int
        var parts: [Part]
    }

    private let folder: TemporaryDirectory
    private let server: LoopbackServer
    private let client: RESTClient

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer()
        client = RESTClient(baseURL: server.url)
    }

    @Test func `A form is sent completely, with the declared length and correct progress`() async throws {
        var generator = SeededGenerator(seed: 1)
        let film = generator.data(count: 3_000_001)
        let params = Params()
        params.set("Blue kettle", for: "title")
        params.set(data: Data("png".utf8), fileName: "a\"b.png", for: "photo")
        try params.set(file: folder.write(film, to: "film.mov"), for: "film")
        let length = try #require(params.contentLength)
        let told = Collected<RequestProgress>()
        let response = try await client.request(.post, "/upload", params).onProgress { told.add($0) }.send()
        try #require(response.isOK, "\(response.text ?? "")")
        let seen = try JSONDecoder().decode(Seen.self, from: response.body)
        #expect(Int64(seen.bytes) == length)
        #expect(server.requests.first?.framing == .contentLength(Int(length)))
        #expect(seen.parts.map(\.name) == ["title", "photo", "film"])
        #expect(seen.parts.map(\.filename) == [nil, "a\"b.png", "film.mov"])
        #expect(seen.parts.map(\.content_type) == [nil, "image/png", "video/quicktime"])
        #expect(seen.parts.map(\.size) == [11, 3, film.count])
        #expect(seen.parts.last?.sha256 == SHA256.hex(of: film))

        let sent = told.all.filter { $0.bytesSent > 0 }
        #expect(sent.map(\.bytesSent) == sent.map(\.bytesSent).sorted())
        #expect(sent.allSatisfy { $0.bytesExpectedToSend == length })
        let last = try #require(sent.last)
        #expect(last.bytesSent == length)
        #expect(last.parts.map(\.bytesSent) == [11, 3, Int64(film.count)])
        #expect(last.parts.map(\.bytesExpected) == [11, 3, Int64(film.count)])
    }

    @Test func `A form with a stream of unknown length is sent in chunks, one of known length is not`() async throws {
        for length in [nil, 6] as [Int64?] {
            let (chunks, writer) = AsyncStream.makeStream(of: Data.self)
            for text in ["abc", "def"] { writer.yield(Data(text.utf8)) }
            writer.finish()
            let params = Params()
            params.set(stream: chunks, length: length, fileName: "log.txt", for: "log")
            let response = try await client.post("/upload", params)
            try #require(response.isOK, "\(response.text ?? "")")
            let seen = try JSONDecoder().decode(Seen.self, from: response.body)
            #expect(seen.parts.map(\.sha256) == [SHA256.hex(of: Data("abcdef".utf8))])
            #expect(server.requests.last?.framing == (length == nil ? .chunked : .contentLength(seen.bytes)))
        }
    }

    @Test(arguments: [307, 308])
    func `A form is sent again completely after a redirect`(status: Int) async throws {
        let params = Params()
        params.set("title", for: "title")
        try params.set(file: folder.write(Data(repeating: 7, count: 300_000), to: "a.bin"), for: "file")
        let response = try await client.post("/redirect", query: ["status": status, "to": "/upload"], params)
        try #require(response.isOK, "\(response.text ?? "")")
        let seen = try JSONDecoder().decode(Seen.self, from: response.body)
        #expect(seen.parts.map(\.size) == [5, 300_000])
    }

    @Test func `A form that can be read once is not sent again after a redirect`() async throws {
        let params = Params()
        params.set(stream: StreamBody(length: 0) { _ in 0 }, for: "log")
        let error = try await #require(throws: RequestError.self) {
            try await client.post("/redirect", query: ["status": 307, "to": "/upload"], params)
        }
        #expect(error.kind == .bodyNotRepeatable)
        #expect(!server.requests.contains { $0.path == "/upload" })
    }

    @Test(arguments: FileBodyTests.Change.allCases)
    func `A file that changes while it is sent fails the request, and the server never receives all of it`(
        change: FileBodyTests.Change
    ) async throws {
        let file = try folder.write(Data(count: 10), to: "film.mov")
        let old = Date(timeIntervalSince1970: 5e8)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
        let (chunks, writer) = AsyncStream.makeStream(of: Data.self)
        let params = Params()
        // The file is changed while the part before it is sent.
        params.set(stream: chunks, length: 4, for: "log")
        try params.set(file: file, for: "film")
        let request = client.request(.post, "/upload", params)
        let response = Task { try await request.send() }
        try await server.waitForRequests(count: 1, path: "/upload")
        try change.make(file)
        writer.yield(Data("abcd".utf8))
        writer.finish()
        let error = await #expect(throws: RequestError.self) { try await response.value }
        #expect(error?.kind == .bodyChanged || error?.kind == .bodyUnreadable)
        #expect(error?.cause == change.cause(file.path, "before it was sent"))
        #expect(error?.url == server.url("/upload"))
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
        #expect(server.requests.allSatisfy { !$0.isBodyWhole })
    }

    @Test func `A form that cannot be sent safely is not sent`() async throws {
        let params = Params()
        params.set("x", for: "a\0b")
        let error = try await #require(throws: RequestError.self) { try await client.post("/upload", params) }
        #expect(error.kind == .invalidBody)
        #expect(error.phase == .preparing)
        #expect(server.statistics.connections == 0)
    }
}
