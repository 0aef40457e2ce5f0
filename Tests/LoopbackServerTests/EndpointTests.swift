import Foundation
import LoopbackServer
import TestSupport
import Testing

/// The output of `curl` for a target.
struct Exchange: CustomTestStringConvertible {
    var arguments: [String] = []
    var target: String
    var exit: Int32 = 0
    var status = 200
    /// The beginning of the output or, with `curl -i`, a part of it.
    var output: String?

    init(_ target: String, _ arguments: [String] = [], exit: Int32 = 0, status: Int = 200, says output: String? = nil) {
        self.arguments = arguments
        self.target = target
        self.exit = exit
        self.status = status
        self.output = output
    }

    var testDescription: String { (["curl"] + arguments + [target]).joined(separator: " ") }

    func check() throws {
        let server = try LoopbackServer()
        let outcome = try curl(arguments + ["\(server.url(target))"])
        #expect(outcome.exit == exit)
        #expect(outcome.status == status)
        if let output { #expect(outcome.text.contains(output), "\(outcome.text.prefix(500))") }
        #expect(server.statistics.malformations == [])
    }
}

@Suite(.enabled(if: hasCurl)) struct Endpoints {
    static let plain = [
        Exchange("/ok", says: #"{"ok":true}"#),
        Exchange("/ok", ["-I"], says: "Content-Length: 11\r\n"),
        Exchange("/ok", ["-0", "-H", "Connection: keep-alive", "-i"], says: "\r\nConnection: keep-alive\r\n"),
        Exchange("/nothing", status: 404, says: #"{"error":"no such endpoint","path":"/nothing"}"#),
        Exchange("/n%C3%A9%2f", status: 404, says: #""path":"/né/"}"#),
        Exchange("/method", ["-X", "PURGE"], says: #"{"method":"PURGE"}"#),
        Exchange("/json?n=1&size=3", says: #"{"items":[{"id":0,"name":"item-0","text":"xxx","#),
        Exchange("/bytes?n=3", says: "\u{0}\u{1}\u{2}"),
        Exchange("/bytes?n=5", ["-I"], says: "Content-Length: 5"),
        Exchange("/headers?n=2&len=3", ["-i"], says: "X-H0: vvv\r\nX-H1: vvv\r\n"),
        Exchange(
            "/cookie?name=a&value=b&Path=/x&HttpOnly=", ["-i", "-b", "c=d"],
            says: "Set-Cookie: a=b; Path=/x; HttpOnly\r\n"),
        Exchange("/cookie", ["-b", "c=d"], says: #"{"cookie":"c=d"}"#),
        Exchange("/204", ["-i"], status: 204, says: "HTTP/1.1 204 No Content\r\n\r\n"),
        Exchange("/304", ["-i"], status: 304, says: "ETag: \"x\"\r\n"),
        Exchange("/1xx?n=3", ["-i"], says: "HTTP/1.1 103 Information\r\nX-Number: 2\r\n\r\nHTTP/1.1 200 OK"),
        Exchange("/delay?ms=1", says: #"{"ok":true}"#),
        Exchange("/etag?v=a", ["-i"], says: "ETag: \"a\"\r\n"),
        Exchange("/etag?v=a", ["-H", "If-None-Match: \"b\", W/\"a\""], status: 304),
        Exchange("/etag?v=a", ["-H", "If-None-Match: \"b\""], says: #"{"v":"a"}"#),
    ]

    @Test(arguments: plain) func `the path of a target determines the response`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test(arguments: [200, 201, 202, 205, 299, 301, 400, 404, 409, 422, 429, 500, 503, 599])
    func `a response has the requested status`(_ status: Int) throws {
        try Exchange("/status/\(status)?body=x", status: status, says: "x").check()
    }

    @Test(arguments: [
        Exchange("/gzip?n=3", ["--compressed"], says: #"{"items":[0,1,2]}"#),
        Exchange("/deflate?n=3", ["--compressed"], says: #"{"items":[0,1,2]}"#),
        Exchange("/deflate?n=3&raw=1", ["--compressed"], says: #"{"items":[0,1,2]}"#),
        Exchange("/gzip", ["-I"], says: "Content-Encoding: gzip\r\n"),
        Exchange("/gzip-bad?mode=crc", ["--compressed"], exit: 61),
        Exchange("/gzip-bad?mode=garbage", ["--compressed"], exit: 61),
        Exchange("/gzip-bad?mode=notgzip", ["--compressed"], exit: 61),
    ]) func `a body is compressed, correctly or incorrectly`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test func `a truncated gzip lacks its end, and a gzip bomb is small and complete`() throws {
        let server = try LoopbackServer()
        let url = "\(server.url("/gzip-bad?mode="))"
        let cut = try runShell("curl -s '\(url)trunc' | gzip -t")
        #expect(cut.errors.contains("unexpected end of file"))
        let folder = try TemporaryDirectory()
        let bomb = try runShell(
            "cd '\(folder.path)' && curl -s '\(url)bomb&n=33000000' | tee bomb | gzip -dc | wc -c; wc -c < bomb")
        let sizes = bomb.output.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
        #expect(sizes.first == 32 << 20)
        #expect(try #require(sizes.last) < 100_000)
        #expect(bomb.errors == "")
    }

    static let authorization = [
        Exchange("/basic", ["-u", "user:pass"], says: #""target":"/basic""#),
        Exchange("/basic?user=j%C3%B6&pass=a:b", ["-u", "jö:a:b"]),
        Exchange(
            "/basic", ["-i", "-u", "user:wrong"], status: 401, says: "WWW-Authenticate: Basic realm=\"loopback\""),
        Exchange("/basic", status: 401),
        Exchange("/digest", ["--digest", "-u", "user:pass", "-d", "body"], says: #""body":"Ym9keQ==""#),
        Exchange("/digest?alg=SHA-256", ["--digest", "-u", "user:pass"], says: "algorithm=SHA-256"),
        Exchange("/digest?drain=0", ["--digest", "-u", "user:pass", "-d", "body"], says: #""body":"Ym9keQ==""#),
        Exchange("/digest", ["--digest", "-u", "user:wrong"], status: 401),
        Exchange("/bearer", ["-H", "Authorization: Bearer t"], says: #""target":"/bearer""#),
        Exchange("/bearer?token=u", ["-H", "Authorization: Bearer t"], status: 401),
    ]

    @Test(arguments: authorization) func `credentials are required`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test(arguments: [
        Exchange("/redirect?n=3", ["-L"], says: #""target":"/echo""#),
        Exchange("/redirect?n=2&to=%2Fstatus%2F201%3Fbody%3Da%2526b", ["-L"], status: 201, says: "a&b"),
        Exchange("/redirect?status=301", ["-L", "-d", "body"], says: #""method":"GET""#),
        Exchange("/redirect?status=303", ["-L", "-d", "body"], says: #""method":"GET""#),
        Exchange("/redirect?status=307", ["-L", "-d", "body"], says: #""body":"Ym9keQ==""#),
        Exchange("/redirect?status=308&n=2", ["-L", "-T", "/dev/null"], says: #""method":"PUT""#),
        Exchange("/redirect?status=308&drain=0", ["-L", "-d", "body"], says: #""body":"Ym9keQ==""#),
        Exchange("/redirect-loop", ["-L", "--max-redirs", "4"], exit: 47, status: 302),
    ]) func `a redirect has the requested location`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test func `a redirect can lead to another server`() throws {
        let (first, second) = (try LoopbackServer(), try LoopbackServer())
        let target = "/redirect?status=307&to=\(second.url("/sink"))"
        let outcome = try curl(["-L", "-u", "user:pass", "-d", "body", "\(first.url(target))"])
        #expect(outcome["bytes"] == "4")
        #expect(first.requests.first?.headers["authorization"] != nil)
        #expect(second.requests.map(\.bodyLength) == [4])
        #expect(second.requests.first?.headers["authorization"] == nil)
    }

    @Test func `failures end after the requested number, for each key`() throws {
        let server = try LoopbackServer()
        let statuses = try ["a", "a", "b", "a"].map { try curl(["\(server.url("/flap?fail=2&key=\($0)"))"]).status }
        #expect(statuses == [503, 503, 503, 200])
        let url = "\(server.url("/retry-after?s=7"))"
        #expect(try curl(["-i", url]).text.contains("\r\nRetry-After: 7\r\n"))
        #expect(try curl([url]).status == 200)
        let dated = try curl(["-i", "\(server.url("/retry-after?key=d&s=0&date=1"))"]).text
        let date = try #require(dated.firstMatch(of: /Retry-After: (.*)\r\n/)?.output.1)
        #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
    }

    @Test func `an outbox applies each key once, even if the response is lost`() throws {
        let server = try LoopbackServer()
        func send(_ key: String, _ body: String, drop: String = "none") throws -> [Int] {
            let url = "\(server.url("/outbox?drop=\(drop)"))"
            let outcome = try curl(["-H", "Idempotency-Key: \(key)", "-d", body, url])
            return [outcome.status, Int(outcome.exit)]
        }
        #expect(try send("a", "1", drop: "before") == [0, 52])
        #expect(try send("a", "1", drop: "after") == [0, 52])
        #expect(try send("a", "1") == [200, 0])
        #expect(try send("a", "2") == [422, 0])
        #expect(try send("b", "1", drop: "odd") == [201, 0])
        #expect(try send("c", "1", drop: "odd") == [0, 52])
        #expect(try curl(["-d", "1", "\(server.url("/outbox"))"]).status == 400)
        let expected = #"{"received":5,"applied":3,"duplicates":2,"order":["a","b","c"]}"#
        #expect(try curl(["\(server.url("/outbox-stats"))"]).text == expected)
    }

    @Test func `statistics are available in Swift and as JSON`() throws {
        let server = try LoopbackServer()
        let outcome = try curl(["\(server.url("/ok"))", "\(server.url("/ok?n=1"))", "\(server.url("/stats"))"])
        let json = try #require(outcome.text.split(separator: "}", maxSplits: 2).last)
        #expect(json.hasPrefix(#"{"requests":3,"connections":1,"open_connections":1,"malformed_requests":0,"#))
        #expect(server.statistics.requestsByPath == ["/ok": 2, "/stats": 1])
    }
}
