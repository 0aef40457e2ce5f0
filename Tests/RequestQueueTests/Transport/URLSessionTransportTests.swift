import Foundation
import RequestQueue
import Synchronization
import TestSupport
import Testing

#if os(Linux)
    import URLSessionTransport
#endif

/// On Linux, waiting bodies block all sessions of the process, so the tests run one after another.
///
/// On Linux they run in a separate process; see `URLSessionProcessTests`.
@Suite("URLSession transport", .serialized, .enabled(if: URLSessionProcess.mayTrap), .timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    private func send(_ request: TransportRequest) async -> TransportRecorder.Record {
        let recorder = TransportRecorder()
        _ = transport.start(request, handler: recorder)
        let record = await recorder.finished()
        #expect(record.finishes == 1)
        #expect(record.mistakes.isEmpty)
        return record
    }

    /// A server that returns each request: the head, and then the body.
    private func echo() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let head = connection.readHead() {
                let answer = Data(head.utf8) + connection.readBody(of: head)
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(answer.count)\r\n\r\n")
                if !head.hasPrefix("HEAD") { connection.write(answer) }
            }
        }
    }

    struct Sent: CustomTestStringConvertible {
        var method: HTTPMethod
        var count: Int?
        var isLengthKnown = true
        var testDescription: String {
            "\(method) \(count.map { "of \($0) bytes" } ?? "without a body")\(isLengthKnown ? "" : " in chunks")"
        }
    }

    static let sent = [
        Sent(method: .get), Sent(method: .delete), Sent(method: .post), Sent(method: .post, count: 0),
        Sent(method: .post, count: 5), Sent(method: .patch, count: 1 << 20), Sent(method: .put, count: 3_000_000),
        Sent(method: .post, count: 3_000_000, isLengthKnown: false), Sent(method: .put, count: 5, isLengthKnown: false),
    ]

    @Test(arguments: sent) func `A request is received unchanged`(_ sent: Sent) async throws {
        let server = try echo()
        let bytes = sent.count.map { Array(String(repeating: "0123456789", count: $0 / 10 + 1).utf8.prefix($0)) }
        let record = await send(
            TransportRequest(
                method: sent.method, url: server.url("/a?b=c"), headers: ["X-One": "1"],
                body: bytes.map { .init($0, isLengthKnown: sent.isLengthKnown, pieces: 100_000) }))
        #expect(record.failure == nil)
        #expect(record.connections == 1)
        #expect(record.head?.status == 200)
        #expect(record.text.hasPrefix("\(sent.method) /a?b=c HTTP/1.1\r\n"))
        #expect(record.text.contains("X-One: 1\r\n"))
        #expect(record.body.suffix(sent.count ?? 0) == Data(bytes ?? []))
        if let count = sent.count, count > 0 { #expect(record.sent.last == Int64(count)) }
        let framings = ["Content-Length:", "Transfer-Encoding:"].filter { record.text.contains($0) }
        #expect(framings.count <= 1)
        #expect(framings.count == 1 || sent.count == nil && sent.method != .post)
    }

    @Test func `A response to HEAD has the head without the body`() async throws {
        let server = try echo()
        let record = await send(TransportRequest(method: .head, url: server.url()))
        #expect(record.failure == nil)
        #expect(record.head?.headers["Content-Length"] != nil)
        #expect(record.body.isEmpty)
    }

    @Test(arguments: [302, 307, 401, 404, 500]) func `Any status is a response, and nothing is sent again`(status: Int)
        async throws
    {
        let server = try ScriptedServer { connection in
            while let head = connection.readHead() {
                _ = connection.readBody(of: head)
                connection.write(
                    "HTTP/1.1 \(status) X\r\nLocation: /b\r\nContent-Length: 2\r\n"
                        + "Set-Cookie: a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT\r\nSet-Cookie: b=2\r\n\r\n{}")
            }
        }
        let record = await send(TransportRequest(method: .put, url: server.url(), body: .init("x".utf8)))
        #expect(record.failure == nil)
        #expect(record.head?.status == status)
        #expect(record.head?.headers["Location"]?.hasSuffix("/b") == true)
        #expect(
            record.head?.headers.values(for: "Set-Cookie") == ["a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "b=2"])
        #expect(record.head?.isDecoded == true)
        #expect(record.text == "{}")
    }

    @Test(arguments: [10, nil]) func `A waiting body continues when it has bytes`(length: Int64?) async throws {
        let server = try echo()
        let fed = FedBody()
        let recorder = TransportRecorder()
        let task = transport.start(
            TransportRequest(method: .put, url: server.url(), body: fed.body(length: length)), handler: recorder)
        fed.give("hello")
        fed.give("world", isEnd: true)
        let record = await recorder.finished()
        withExtendedLifetime(task) {}
        #expect(record.failure == nil)
        #expect(record.text.hasSuffix("helloworld"))
    }

    @Test(arguments: [4, 2_000_000, nil]) func `A body that is not as declared fails the request`(length: Int64?)
        async throws
    {
        let server = try echo()
        let changes: [([BodyRead?], RequestError.Kind)] =
            length == nil
            ? [([nil], .bodyUnreadable), ([.bytes(2), nil], .bodyUnreadable)]
            : [
                ([.bytes(2), .end], .bodyChanged), ([.bytes(2), nil], .bodyUnreadable),
                ([.bytes(4), .bytes(1), .bytes(1)], .bodyChanged),
            ]
        for (reads, kind) in changes where length != 2_000_000 || reads.last != .bytes(1) {
            let body = TransportRequest.Body(length: length) {
                var reads = reads[...]
                return TestBody { _ in
                    guard let read = reads.removeFirst() else { throw RequestError(.bodyUnreadable, "broken") }
                    return read
                }
            }
            let record = await send(TransportRequest(method: .put, url: server.url(), body: body))
            #expect(record.failure?.kind == kind)
        }
    }

    @Test func `A cancelled request ends once, also while its body waits`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            connection.waitForEnd()
        }
        for body in [nil, FedBody().body(length: 5), FedBody().body(length: nil)] {
            let recorder = TransportRecorder()
            let task = transport.start(
                TransportRequest(method: .put, url: server.url(), body: body), handler: recorder)
            task.cancel()
            task.cancel()
            #expect(await recorder.finished().failure?.kind == .cancelled)
            #expect(recorder.record.finishes == 1)
        }
    }

    @Test func `Receiving pauses on request of the handler, and continues when it is resumed`() async throws {
        let server = try ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                connection.write(Data(repeating: 0x61, count: 1_000_000))
            }
        }
        let recorder = TransportRecorder { _ in false }
        let task = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
        var pieces = 0
        while pieces == 0 || recorder.record.finishes == 0 {
            pieces += 1
            let wanted = pieces
            await recorder.until { $0.pieces >= wanted || $0.finishes > 0 }
            task.resume()
        }
        expectMillionBytes(recorder)
        #expect(recorder.record.failure == nil)
    }

    /// On Linux, a task of Foundation that was suspended can receive bytes twice: a program of 25 lines without this
    /// package received up to 1,917,504 bytes of 1,000,000 in 8 of 100 requests.
    private func expectMillionBytes(_ recorder: TransportRecorder) {
        let count = recorder.record.body.count
        #if os(Linux)
            withKnownIssue("Foundation repeats bytes after a task was suspended", isIntermittent: true) {
                #expect(count == 1_000_000)
            } when: {
                count > 1_000_000
            }
        #else
            #expect(count == 1_000_000)
        #endif
    }

    @Test func `A request that is resumed before it pauses continues`() async throws {
        let server = try ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            connection.write(Data(repeating: 0x61, count: 1_000_000))
        }
        let task = Mutex<(any TransportTask)?>(nil)
        let isKnown = DispatchSemaphore(value: 0)
        let recorder = TransportRecorder { _ in
            isKnown.wait()
            isKnown.signal()
            task.withLock { $0 }?.resume()
            return false
        }
        let started = transport.start(TransportRequest(method: .get, url: server.url()), handler: recorder)
        task.withLock { $0 = started }
        isKnown.signal()
        _ = await recorder.finished()
        expectMillionBytes(recorder)
    }

    @Test func `A refused connection is reported`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(await send(TransportRequest(method: .get, url: url)).failure?.kind == .connectionRefused)
    }
}
