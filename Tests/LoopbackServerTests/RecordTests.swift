import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite(.enabled(if: hasCurl)) struct `Records and waiting` {
    @Test func `a record describes a request`() throws {
        let server = try LoopbackServer()
        _ = try curl(["-H", "X-A: 1", "-d", "ab", "\(server.url("/status/201?x=1"))", "\(server.url("/n%20"))"])
        let records = server.requests
        #expect(records.map(\.number) == [1, 2])
        #expect(records.map(\.connection) == [1, 1])
        #expect(records.map(\.method) == ["POST", "POST"])
        #expect(records.map(\.target) == ["/status/201?x=1", "/n%20"])
        #expect(records.map(\.path) == ["/status/201", "/n "])
        #expect(records.map(\.status) == [201, 404])
        #expect(records[0].headers["x-a"] == "1")
        #expect(records[0].headers.count(of: "content-length") == 1)
    }

    @Test func `the oldest records are removed when there are too many`() throws {
        let server = try LoopbackServer(recordLimit: 3)
        _ = try curl(["\(server.url("/ok?"))[1-11]"])
        #expect(server.requests.map(\.number) == [9, 10, 11])
        #expect(server.statistics.requests == 11)
    }

    @Test func `held requests continue when they are released, by path, by key, or all`() async throws {
        let server = try LoopbackServer()
        let clients = try ["/hold?key=a", "/hold?key=b", "/hold?key=c"].map { try Curl(["\(server.url($0))"]) }
        try await server.waitForRequests(count: 3, path: "/hold")
        #expect(server.requests.map(\.status) == [nil, nil, nil])
        server.release("a")
        #expect(try clients[0].wait().text == #"{"held":true}"#)
        #expect(server.requests.compactMap(\.status) == [200])
        server.release("/other")
        #expect(try curl(["\(server.url("/release?key=b"))"]).status == 200)
        #expect(try clients[1].wait().status == 200)
        server.release()
        #expect(try clients[2].wait().status == 200)
        // A release does not apply to later requests.
        #expect(try curl(["-m", "0.2", "\(server.url("/hold?key=a"))"]).exit == 28)
    }

    @Test func `a wait ends with an error at its timeout or when the server stops`() async throws {
        let server = try LoopbackServer()
        await #expect(throws: LoopbackServerError.timeout) {
            try await server.waitForRequests(count: 1, timeout: .milliseconds(10))
        }
        let waiting = Task { try await server.waitForRequests(count: 1) }
        server.stop()
        await #expect(throws: LoopbackServerError.stopped) { try await waiting.value }
        try await server.waitForRequests(count: 0)
    }

    @Test func `a handler takes precedence over the endpoints`() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/mine":
                let text = "\(request.method) \(request.parameter("a") ?? "-") \(try request.body().count)"
                return Answer(202, headers: [Header("Content-Type", "text/plain")], body: text.utf8)
            case "/raw": return .raw("HTTP/1.1 299 Odd\r\n\r\nodd".utf8)
            case "/gone": return .some(.none(.reset))
            case "/early":
                var answer = Answer(413)
                answer.isEarly = true
                answer.end = .close
                return answer
            case "/error": throw CocoaError(.fileNoSuchFile)
            default: return nil
            }
        }
        let mine = try curl(["-i", "-d", "body", "\(server.url("/mine?a=%20b"))"]).text
        #expect(mine.contains("Content-Type: text/plain\r\n"))
        #expect(mine.hasSuffix("\r\n\r\nPOST  b 4"))
        #expect(try curl(["\(server.url("/raw"))"]).text == "odd")
        #expect(try curl(["\(server.url("/gone"))"]).exit == 56)
        #expect(try curl(["-d", "body", "\(server.url("/early"))"]).status == 413)
        #expect(try curl(["\(server.url("/error"))"]).status == 500)
        #expect(try curl(["\(server.url("/ok"))"]).text == #"{"ok":true}"#)
        #expect(server.requests.map(\.status) == [202, nil, nil, 413, 500, 200])
    }

    @Test func `a handler can hold a request`() async throws {
        let server = try LoopbackServer { request in
            try request.hold("mine")
            return nil
        }
        let client = try Curl(["-d", "body", "\(server.url("/sink"))"])
        try await server.wait { _, requests in requests.first?.isBodyWhole == true }
        #expect(server.requests.first?.status == nil)
        server.release("mine")
        #expect(try client.wait()["bytes"] == "4")
    }

    @Test func `invalid responses are sent verbatim`() throws {
        let server = try LoopbackServer()
        server.answerRaw("/ok", "SSH-2.0-no\r\n".utf8)
        #expect(try curl(["\(server.url("/ok"))"]).exit == 1)
        #expect(try curl(["--http0.9", "\(server.url("/ok"))"]).text == "SSH-2.0-no\r\n")
    }
}
