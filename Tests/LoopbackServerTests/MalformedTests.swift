import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite struct `Malformed requests` {
    struct Mistake: CustomTestStringConvertible {
        let request: String
        let reason: String
        var testDescription: String { reason }

        init(_ request: String, _ reason: String) {
            self.request = request
            self.reason = reason
        }

        /// A request with these lines after its first two.
        static func field(_ lines: String, _ reason: String) -> Mistake {
            Mistake("POST /sink HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n", reason)
        }

        static func chunks(_ body: String, _ reason: String) -> Mistake {
            Mistake("POST /sink HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(body)", reason)
        }
    }

    static let mistakes = [
        Mistake("GET /ok HTTP/1.1\nHost: x\n\n", "a bare LF ends a line"),
        Mistake("\r\nGET /ok HTTP/1.1\r\n\r\n", "a request line that is not three words"),
        Mistake("GET /ok\r\n\r\n", "a request line that is not three words"),
        Mistake("GET /a b HTTP/1.1\r\n\r\n", "a request line that is not three words"),
        Mistake("G(T /ok HTTP/1.1\r\n\r\n", "a method that is no token"),
        Mistake("GET /\u{e9} HTTP/1.1\r\n\r\n", "a target with characters that have to be percent-encoded"),
        Mistake("GET /%zz HTTP/1.1\r\n\r\n", "a bad percent escape in the path"),
        Mistake("GET /a#b HTTP/1.1\r\n\r\n", "a target with a fragment"),
        Mistake("GET ok HTTP/1.1\r\n\r\n", "a target that is neither a path nor an http URL"),
        Mistake("GET /ok HTTP/2.0\r\n\r\n", "a version that is not HTTP/1.1"),
        Mistake("GET /ok HTTP/1.1\r\n\r\n", "0 Host fields"),
        .field("Host: y", "2 Host fields"),
        .field("X y: 1", "a header name that is no token"),
        .field("X : 1", "a header name that is no token"),
        .field(": 1", "a header name that is no token"),
        .field("junk", "a header field without a colon"),
        .field("X: 1\r\n 2", "a folded header field"),
        .field("X: a\u{0}b", "a control character in a header value"),
        .field("X: a\rb", "a control character in a header value"),
        .field("X: 1\nY: 2", "a bare LF ends a line"),
        .field("Content-Length: 1\r\nTransfer-Encoding: chunked", "both Content-Length and Transfer-Encoding"),
        .field("Transfer-Encoding: chunked\r\nContent-Length: 1", "both Content-Length and Transfer-Encoding"),
        .field("Content-Length: 1\r\nContent-Length: 1", "two Content-Length fields"),
        .field("Content-Length: -1", "a Content-Length that is no number"),
        .field("Content-Length: 1, 1", "a Content-Length that is no number"),
        .field("Content-Length:", "a Content-Length that is no number"),
        .field("Content-Length: 99999999999999999999", "a Content-Length that is no number"),
        .field("Transfer-Encoding: gzip, chunked", "a Transfer-Encoding that is not just chunked"),
        .field("Expect: the-worst", "an unknown expectation"),
        Mistake("POST /sink HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding in HTTP/1.0"),
        .chunks("x\r\n", "a chunk size that is no number"),
        .chunks("\r\n", "a chunk size that is no number"),
        .chunks("ffffffffffffffff1\r\n", "a chunk size that is no number"),
        .chunks("1\nx\n0\n\n", "a bare LF ends a line"),
        .chunks("1\r\nxy\r\n", "a chunk longer than its size"),
        .chunks("0\r\nbad trailer\r\n\r\n", "a header field without a colon"),
        Mistake(
            "POST /sink HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nab\r\n",
            "a request line that is not three words"),
        .field("X: \(String(repeating: "a", count: (1 << 20) + 9))", "a line of more than 1048576 bytes"),
    ]

    @Test(arguments: mistakes) func `a malformed request is answered with 400 and counted`(_ mistake: Mistake) throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        client.send(mistake.request)
        client.finish()
        let answer = client.readToEnd()
        #expect(answer.contains("HTTP/1.1 400 Bad Request\r\n"))
        #expect(answer.hasSuffix("{\"error\":\"\(mistake.reason)\"}"), "\(answer)")
        #expect(server.statistics.malformedRequests == 1)
        #expect(server.statistics.malformations == [mistake.reason])
    }

    @Test(arguments: [
        "GET http://127.0.0.1/ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /ok?a=%zz HTTP/1.0\r\n\r\n",
        "GET /ok HTTP/1.1\r\nhOsT:x\r\nX-Latin-1: \t \u{e9} \r\nconnection: TE, Close\r\n\r\n",
        "POST /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\ncontent-length: 003\r\n\r\nabc",
        "POST /ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\ntransfer-encoding: Chunked\r\n\r\n0A\r\n0123456789\r\n000\r\n\r\n",
    ]) func `an unusual but valid request is accepted`(_ request: String) throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        client.send(request)
        #expect(client.readToEnd().hasSuffix(#"{"ok":true}"#))
        #expect(server.statistics.malformations == [])
    }
}
