import MappingDigests
import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

/// The same rules over the platform's transport and a real server.
@Suite("Exchanges over the network")
struct LoopbackTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func request(_ method: HTTPMethod = .get, _ path: String, body: String? = nil) throws -> RESTRequest {
        var request = RESTRequest(method, url: URL(string: server.url(path).absoluteString))
        if let body { request.setBody(.data(Data(body.utf8), contentType: "text/plain")) }
        return request
    }

    private func failure(_ request: RESTRequest) async -> RequestError? {
        do throws(RequestError) {
            _ = try await request.send()
            return nil
        } catch { return error }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `Each redirect that keeps the body sends it completely`(status: Int) async throws {
        let body = String(repeating: "0123456789abcdef", count: 40_000)
        let path = "/redirect?n=3&status=\(status)&to=/echo"
        let response = try await request(.post, path, body: body).send()
        #expect(response.status == 200)
        #expect(response.redirects == 3)
        let last = try #require(server.requests.last)
        let keeps = status >= 307
        #expect(last.method == (keeps ? "POST" : "GET"))
        #expect(last.bodyLength == (keeps ? body.utf8.count : 0))
        if keeps {
            var digest = SHA256()
            digest.update(Array(body.utf8))
            #expect(last.bodySHA256 == digest.finalizeHex())
        }
    }

    @Test func `A loop of redirects ends`() async throws {
        #expect(await failure(try request(.get, "/redirect-loop"))?.kind == .tooManyRedirects)
        #expect(server.requests.count == 21)
    }

    @Test(arguments: [
        ("/truncate", RequestError.Kind.truncatedResponse), ("/badlength", .malformedResponse),
        ("/twolengths", .malformedResponse), ("/gzip-bad?mode=trunc", .undecodableResponse),
        ("/gzip-bad?mode=crc", .undecodableResponse), ("/gzip-bad?mode=garbage", .undecodableResponse),
        ("/gzip-bad?mode=notgzip", .undecodableResponse),
    ])
    func `A damaged response is an error`(path: String, kind: RequestError.Kind) async throws {
        #expect(await failure(try request(.get, path))?.kind == kind)
    }

    @Test func `A decompression bomb is stopped by the memory limit`() async throws {
        var request = try request(.get, "/gzip-bad?mode=bomb&n=268435456")
        request.limits.bodyInMemory = 8 << 20
        #expect(await failure(request)?.kind == .responseTooLarge)
    }

    @Test(arguments: ["/gzip?n=5000", "/deflate?n=5000", "/deflate?n=5000&raw"])
    func `Compressed documents are decompressed unchanged`(path: String) async throws {
        let response = try await request(.get, path).send()
        #expect(response.headers["Content-Encoding"] != nil)
        #expect(response.body.first == UInt8(ascii: "{"))
        #expect(response.body.last == UInt8(ascii: "}") || response.body.last == UInt8(ascii: "\n"))
    }

    @Test(arguments: ["/stall", "/stall?after=100", "/hold"])
    func `A server that stops responding causes an idle timeout`(path: String) async throws {
        var request = try request(.get, path)
        request.timeouts.idle = .seconds(1)
        let start = ContinuousClock.now
        let error = await failure(request)
        #expect(error?.kind == .idleTimedOut)
        #expect(error?.phase == (path == "/hold" ? .waiting : .receiving))
        #expect(ContinuousClock.now - start >= .seconds(1))
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
    }

    @Test func `A server that stops reading causes an idle timeout`() async throws {
        var request = try request(.post, "/stall-upload", body: String(repeating: "x", count: 8 << 20))
        request.timeouts.idle = .seconds(1)
        let error = await failure(request)
        #expect(error?.kind == .idleTimedOut)
        #expect(error?.phase == .sending)
        #expect((error?.bytesSent ?? 0) > 0)
    }

    @Test func `The total timeout ends a request that receives bytes`() async throws {
        var request = try request(.get, "/slow?n=1000000&bps=1000")
        request.timeouts.total = .milliseconds(100)
        #expect(await failure(request)?.kind == .timedOut)
    }

    @Test(arguments: ["/hold", "/stall?after=100", "/slow?n=1000000&bps=1000"])
    func `A request cancelled in any phase ends immediately and closes its connection`(path: String) async throws {
        let request = try request(.get, path)
        let task = Task { await failure(request) }
        try await server.waitForRequests(count: 1)
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
    }

    @Test func `A download contains the bytes that were sent`() async throws {
        let folder = try TemporaryDirectory()
        let seen = Mutex<[Int64]>([])
        let response = try await request(.get, "/bytes?n=5000000").onProgress { progress in
            seen.withLock { $0.append(progress.bytesReceived) }
        }.download(to: folder.file("film"))
        #expect(response.status == 200)
        let data = try folder.data(of: "film")
        #expect(data.count == 5_000_000)
        #expect(data.enumerated().allSatisfy { $0.element == UInt8(truncatingIfNeeded: $0.offset) })
        #expect(seen.withLock { $0.last } == 5_000_000)
        #expect(seen.withLock { $0 == $0.sorted() })
        #expect(try folder.names == ["film"])
    }

    @Test(arguments: ["/truncate", "/rst?after=10", "/gzip-bad?mode=trunc", "/chunked-bad"])
    func `A failed download leaves no file`(path: String) async throws {
        let folder = try TemporaryDirectory()
        let request = try request(.get, path)
        await #expect(throws: RequestError.self) { try await request.download(to: folder.file("film")) }
        #expect(try folder.names.isEmpty)
    }

    @Test func `A slow reader makes the server wait`() async throws {
        let stream = try await request(.get, "/bytes?n=67108864").stream()
        #expect(stream.headers["Content-Length"] == "67108864")
        var pieces = stream.body.makeAsyncIterator()
        var count = 0
        var largest = 0
        while let piece = try await pieces.next() {
            count += piece.count
            largest = max(largest, piece.count)
            await Task.yield()
        }
        #expect(count == 64 << 20)
        #expect(largest < 1 << 20)
    }

    @Test func `A truncated stream is an error after all received bytes`() async throws {
        let stream = try await request(.get, "/truncate?len=100000&sent=70000").stream()
        var count = 0
        let error = await #expect(throws: RequestError.self) {
            for try await piece in stream.body { count += piece.count }
        }
        #expect(count == 70_000)
        #expect(error?.kind == .truncatedResponse)
    }

    @Test func `A released stream closes its connection`() async throws {
        do {
            let stream = try await request(.get, "/slow?n=1000000&bps=10000").stream()
            for try await _ in stream.body { break }
        }
        try await server.wait { statistics, _ in statistics.openConnections == 0 }
    }
}
