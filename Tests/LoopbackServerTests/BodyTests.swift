import MappingDigests
import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.enabled(if: hasCurl)) struct Bodies {
    private static let sample = sampleBytes(70_000)
    private static let sha256 = SHA256.hex(of: sample)
    private static let md5 = MD5.hex(of: sample)

    private let folder: TemporaryDirectory
    private let file: URL
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        file = try folder.write(Self.sample, to: "sample.bin")
        server = try LoopbackServer()
    }

    @Test(arguments: [
        (["-T", "FILE"], "content-length"), (["-T", "FILE", "-H", "Transfer-Encoding: chunked"], "chunked"),
        (["--data-binary", "@FILE"], "content-length"),
        (["-T", "FILE", "-H", "Expect: 100-continue"], "content-length"),
        (["-T", "FILE", "-H", "Expect:"], "content-length"),
    ]) func `a body is counted, digested and recorded`(_ arguments: [String], _ framing: String) throws {
        let words = arguments.map { $0.replacingOccurrences(of: "FILE", with: file.path) }
        let outcome = try curl(words + ["\(server.url("/sink"))"])
        #expect(outcome["bytes"] == "70000")
        #expect(outcome["framing"] == framing)
        #expect(outcome["sha256"] == Self.sha256)
        #expect(outcome["content_length"] == (framing == "chunked" ? "<null>" : "70000"))
        let record = try #require(server.requests.first)
        #expect(record.bodyLength == 70_000)
        #expect(record.bodySHA256 == Self.sha256)
        #expect(record.isBodyWhole)
        #expect(record.framing == (framing == "chunked" ? .chunked : .contentLength(70_000)))
        #expect(record.status == 200)
        #expect(server.statistics.malformedRequests == 0)
    }

    @Test func `a body is not digested if the handler declines`() throws {
        #expect(try curl(["-T", file.path, "\(server.url("/sink?hash=0"))"])["sha256"] == "<null>")
        #expect(server.requests.first?.bodySHA256 == nil)
        #expect(server.requests.first?.isBodyWhole == true)
    }

    @Test func `a request without a body has no body in its record`() throws {
        let outcome = try curl(["\(server.url("/sink"))"])
        #expect(outcome["framing"] == "none")
        #expect(server.requests.first?.bodySHA256 == nil)
    }

    @Test func `a small body is returned, a large one is not`() throws {
        #expect(try curl(["-d", "a=b", "\(server.url("/echo"))"])["body"] == "YT1i")
        #expect(try curl(["-T", file.path, "\(server.url("/echo"))"])["body"] == "<null>")
    }

    @Test func `a truncated body is recorded as truncated`() async throws {
        let client = try RawClient(port: server.port)
        client.send("PUT /sink HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1234")
        client.finish()
        #expect(client.readToEnd() == "")
        #expect(server.requests.map(\.bodyLength) == [4])
        #expect(server.requests.map(\.isBodyWhole) == [false])
        #expect(server.requests.first?.bodySHA256 == nil)
    }

    @Test func `the server sends 100 Continue, and reads trailers`() throws {
        let client = try RawClient(port: server.port)
        client.send("POST /method HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n")
        client.send("Connection: close\r\n\r\n3;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
        let answer = client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(server.requests.first?.trailers == [Header("X-Sum", "1")])
    }

    @Test(arguments: ["", "&chunked=1", "&trailer=1"]) func `bytes are received completely`(_ way: String) throws {
        let outcome = try curl(["\(server.url("/bytes?n=300001\(way)"))"])
        #expect(outcome.exit == 0)
        #expect(outcome.output == Data((0..<300_001).map { UInt8(truncatingIfNeeded: $0) }))
    }

    @Test(arguments: [[], ["-H", "Transfer-Encoding: chunked"]]) func `a form's parts are recorded`(_ framing: [String])
        throws
    {
        let outcome = try curl(
            framing + [
                "-F", "plain=a b", "-F", "na\"me;=\u{e9}", "-F", "empty=",
                "-F", "file=@\(file.path);type=image/png;filename=\"C:\\\\x\\\"y\u{e9}.png\"",
                "\(server.url("/upload"))",
            ])
        #expect(outcome.status == 200, "\(outcome.text)")
        #expect(outcome["framing"] == (framing.isEmpty ? "content-length" : "chunked"))
        let document = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let parts = try #require(document["parts"] as? [[String: Any]])
        #expect(parts.map { $0["name"] as? String } == ["plain", "na\"me;", "empty", "file"])
        #expect(parts.map { $0["size"] as? Int } == [3, 2, 0, 70_000])
        #expect(parts[3]["filename"] as? String == "C:\\x\"y\u{e9}.png")
        #expect(parts[3]["content_type"] as? String == "image/png")
        #expect(parts[3]["sha256"] as? String == Self.sha256)
        #expect(parts[3]["md5"] as? String == Self.md5)
        #expect(parts[0]["filename"] is NSNull)
        #expect(parts[0]["sha256"] as? String == SHA256.hex(of: "a b".utf8))
    }
}
