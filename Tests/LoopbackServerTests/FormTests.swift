import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Forms that clients must not send; the boundary is "b".
@Suite(.enabled(if: hasCurl)) struct Forms {
    struct Form: CustomTestStringConvertible {
        let body: String
        let reason: String
        var type = "multipart/form-data; boundary=b"
        var testDescription: String { reason }
    }

    private static let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
    private static func disposition(_ rest: String) -> String {
        "--b\r\nContent-Disposition: form-data\(rest)\r\n\r\nx\r\n--b--\r\n"
    }

    static let bad = [
        Form(body: "", reason: "the last boundary is missing"),
        Form(body: "x\r\n\(head)x\r\n--b--\r\n", reason: "the body does not begin with the boundary"),
        Form(body: "--b--\r\n", reason: "a form without a part"),
        Form(body: "\(head)x", reason: "the last boundary is missing"),
        Form(body: "\(head)x\r\n--b\r\n", reason: "the last boundary is missing"),
        Form(body: "\(head)x\r\n--b-", reason: "the last boundary is missing"),
        Form(body: "\(head)x\r\n--c--\r\n", reason: "the last boundary is missing"),
        Form(body: "\(head)x--b--\r\n", reason: "the last boundary is missing"),
        Form(body: "\(head)x\n--b--\r\n", reason: "the last boundary is missing"),
        Form(body: "\(head)x\r\n--bad--\r\n", reason: "a boundary that neither CRLF nor two hyphens end"),
        Form(body: "\(head)x\r\n--b--\r", reason: "bytes behind the last boundary"),
        Form(body: "\(head)x\r\n--b--\r\nx", reason: "bytes behind the last boundary"),
        Form(body: "\(head)x\r\n--b--x", reason: "bytes behind the last boundary"),
        Form(body: "--b\r\nX: 1\r\n\r\nx\r\n--b--\r\n", reason: "the header X in a part"),
        Form(body: "--b\r\n\r\nx\r\n--b--\r\n", reason: "a part without Content-Disposition"),
        Form(
            body: "--b\r\nContent-Disposition: form-data; name=a\n\r\nx\r\n--b--\r\n",
            reason: "a header line of a part that a bare LF ends"),
        Form(
            body: "--b\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n\r\nx\r\n--b--\r\n",
            reason: "Content-Type twice in a part"),
        Form(body: "--b\r\njunk\r\n\r\nx\r\n--b--\r\n", reason: "a header field without a colon in a part"),
        Form(body: "--b\r\nContent-Disposition: attachment\r\n\r\n", reason: "the Content-Disposition attachment"),
        Form(body: disposition(""), reason: "a part without a name"),
        Form(body: disposition("; name=\"a"), reason: "an open quote in 'form-data; name=\"a'"),
        Form(body: disposition("; name=\"a\"b"), reason: "junk behind a value in 'form-data; name=\"a\"b'"),
        Form(
            body: disposition("; name=a; name=b"), reason: "the parameter 'name' twice in 'form-data; name=a; name=b'"),
        Form(body: disposition("; name=a; x=b"), reason: "the parameter x in a Content-Disposition"),
        Form(
            body: disposition("; name=a; filename*=UTF-8''b"),
            reason: "the parameter filename* in a Content-Disposition"),
        Form(body: "", reason: "no boundary in the Content-Type", type: "multipart/form-data"),
        Form(body: "", reason: "the Content-Type multipart/mixed", type: "multipart/mixed; boundary=b"),
        Form(
            body: "", reason: "a boundary that RFC 2046 does not allow",
            type: "multipart/form-data; boundary=\(String(repeating: "b", count: 71))"),
    ]

    @Test(arguments: bad) func `a form that RFC 7578 does not allow is refused`(_ form: Form) throws {
        let server = try LoopbackServer()
        let outcome = try curl(
            ["-H", "Content-Type: \(form.type)", "--data-binary", "@-", "\(server.url("/upload"))"],
            input: Data(form.body.utf8))
        #expect(outcome.status == 400)
        #expect(outcome["error"] == form.reason)
    }

    @Test(arguments: [
        ("\r", 1), ("\r\n", 2), ("\r\n--", 4), ("\r\n\r\n--\r\r\n-", 10), ("--b--\r\n", 7), ("\r\n-b--", 6),
    ]) func `text that only begins like a boundary is content`(_ content: String, _ size: Int) throws {
        let server = try LoopbackServer()
        // One byte at a time, so that the boundary is split at every position.
        let client = try RawClient(port: server.port)
        let body = "\(Self.head)\(content)\r\n--b--"
        client.send("POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; ")
        client.send("boundary=\"b\"\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in body.unicodeScalars { client.send("1\r\n\(byte)\r\n") }
        client.send("0\r\n\r\n")
        let answer = client.readToEnd()
        #expect(answer.contains("\"size\":\(size),"), "\(answer)")
    }
}
