import Foundation
import RequestQueue
import TestSupport
import Testing

private let hasPython = isAvailable(
    (try? runShell("python3 -c pass").status) == 0, otherwise: "python3 is not there to read multipart bodies")
private let hasMultipart =
    hasPython
    && isAvailable(
        (try? runShell("python3 -c 'from multipart import PushMultipartParser'").status) == 0,
        otherwise: "Python's package multipart is not there to judge multipart bodies: pip install multipart")
private let hasCurl = isAvailable(
    hasPython && (try? runShell("curl --version").status) == 0, otherwise: "curl and python3 are not there to compare")

@Suite("Names, file names and types in multipart bodies")
struct MultipartInjectionTests {
    /// Names and file names as they are set.
    static let names: [(name: String, fileName: String?)] = [
        ("plain", nil), ("", nil), ("a b", "a b.txt"), ("a\r\nContent-Type: text/evil\r\nX: ", nil),
        ("a\r\n\r\ninjected\r\n--B", "a\r\n\r\nx.txt"), ("a\nb", "a\nb"), ("a\rb", "a\rb"),
        ("a\"; filename=\"evil.sh", nil), ("a\"b", "a\"b.png"), ("\"", "\""), ("a\\\"b", "a\\\"b"),
        ("a\\b", "a\\b.txt"),
        ("é", "日本 語.txt"), ("e\u{301}", "👩‍👩‍👧.png"), ("a; name=b", "a; filename=b"), ("a=b&c", "a,b"), ("[x][]", "'x'"),
        ("\u{85}\u{2028}", "\u{202e}gpj.exe"), ("a", "../../etc/passwd"), ("a", "/etc/passwd"), ("a", ".."),
        ("filename*=UTF-8''x", "filename*=UTF-8''x"), (String(repeating: "n", count: 5000), nil),
    ]

    private func form() async throws -> (body: Data, boundary: String) {
        let params = Params()
        for (index, pair) in Self.names.enumerated() {
            params.set(data: Data("content \(index)\r\n--".utf8), fileName: pair.fileName, for: pair.name)
        }
        let body = try RequestBody(params)
        return (try await bytes(of: body.open()), params.boundary)
    }

    private struct SeenPart: Decodable {
        var name: String?
        var filename: String?
        var type: String?
        var content: String
    }

    @Test(.enabled(if: hasMultipart))
    func `A strict parser sees exactly the names that were set`() async throws {
        let (body, boundary) = try await form()
        let parts = try judge(
            """
            import json, sys
            from multipart import PushMultipartParser, MultipartSegment
            parts = []
            parser = PushMultipartParser(sys.argv[1], max_header_size=65536, strict=True)
            for event in parser.parse(sys.stdin.buffer.read()):
                if isinstance(event, MultipartSegment):
                    type = next((v for k, v in event.headerlist if k.lower() == "content-type"), None)
                    assert len(event.headerlist) == (1 if event.filename is None else 2), event.headerlist
                    parts.append(dict(name=event.name, filename=event.filename, type=type, content=""))
                elif event:
                    parts[-1]["content"] += event.decode()
            parser.close()
            print(json.dumps(parts))
            """, body, boundary)
        #expect(parts.count == Self.names.count)
        for (index, (pair, part)) in zip(Self.names, parts).enumerated() {
            #expect(part.name == pair.name)
            #expect(part.filename == pair.fileName)
            #expect(part.type == pair.fileName.map { MIMETypes.shared[fileName: $0] })
            #expect(part.content == "content \(index)\r\n--")
        }
    }

    @Test(.enabled(if: hasPython))
    func `A parser of mail sees one part for each, with its content`() async throws {
        let (body, boundary) = try await form()
        let parts = try judge(
            """
            import email, email.policy, json, sys
            head = "Content-Type: multipart/form-data; boundary=" + sys.argv[1] + "\\r\\n\\r\\n"
            message = email.message_from_bytes(head.encode() + sys.stdin.buffer.read())
            assert message.is_multipart() and not message.defects, message.defects
            parts = []
            for part in message.get_payload():
                assert not part.is_multipart() and not part.defects, part.defects
                assert set(part.keys()) <= {"Content-Disposition", "Content-Type"}, part.keys()
                parts.append(dict(content=part.get_payload(decode=True).decode()))
            print(json.dumps(parts))
            """, body, boundary)
        #expect(parts.map(\.content) == Self.names.indices.map { "content \($0)\r\n--" })
    }

    private func judge(_ script: String, _ body: Data, _ boundary: String) throws -> [SeenPart] {
        let folder = try TemporaryDirectory()
        let file = try folder.write(script, to: "judge.py")
        let result = try runShell("python3 '\(file.path)' '\(boundary)'", input: body)
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode([SeenPart].self, from: result.stdout)
    }

    @Test(.enabled(if: hasCurl))
    func `Names are quoted as curl quotes them`() async throws {
        let names = ["plain", "a b", "a\"b", "a\r\nb", "a\nb", "a\\b", "é", "日本 語", "%22", "a;b"]
        let folder = try TemporaryDirectory()
        let script = try folder.write(
            #"""
            import http.server, json, subprocess, sys, threading
            bodies = []
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                    self.send_response(204)
                    self.end_headers()
                def log_message(self, *_): pass
            server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            arguments = ["curl", "-sS", "--noproxy", "*", "http://127.0.0.1:%d/" % server.server_port]
            for name in json.load(sys.stdin):
                quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
                arguments += ["-F", name + "=@" + sys.argv[1] + ";type=text/plain;filename=" + quoted]
            subprocess.run(arguments, check=True)
            lines = bodies[0].decode().split("\r\n")
            print(json.dumps([line for line in lines if line.startswith("Content-Disposition")]))
            """#, to: "curl.py")
        let result = try await runShell(
            "python3 '\(script.path)' '\(script.path)'", input: try JSONEncoder().encode(names))
        try #require(result.status == 0, "\(result.errors)")
        let params = Params()
        for name in names { params.set(data: Data(), fileName: name, for: name) }
        let body = try await bytes(of: RequestBody(params).open())
        let lines = String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n")
            .filter { $0.hasPrefix("Content-Disposition") }
        #expect(try lines == JSONDecoder().decode([String].self, from: result.stdout))
    }

    @Test(
        arguments: [
            ("a\0b", nil, nil, "attachment 'a\\0b': the name 'a\\0b' contains a control character"),
            ("a\tb", nil, nil, "attachment 'a\\tb': the name 'a\\tb' contains a control character"),
            ("a\u{7f}", nil, nil, "attachment 'a\\u{7F}': the name 'a\\u{7F}' contains a control character"),
            ("a", "a\0.png", nil, "attachment 'a': the file name 'a\\0.png' contains a control character"),
            ("a", "\u{1b}[2J", nil, "attachment 'a': the file name '\\u{1B}[2J' contains a control character"),
            (
                "a\\", "; x=", nil,
                "attachment 'a\\': the name 'a\\' ends with a backslash, which escapes the closing quote"
            ),
            (
                "a", "C:\\dir\\", nil,
                "attachment 'a': the file name 'C:\\dir\\' ends with a backslash, which escapes the closing quote"
            ),
            ("a", "", nil, "attachment 'a': the file name is empty; servers ignore parts with an empty file name"),
            (
                "a", "a.png", "image/png\r\nX-Evil: 1",
                "attachment 'a': the MIME type 'image/png\\r\\nX-Evil: 1' is invalid; expected a type such as image/png"
            ),
            ("a", nil, "png", "attachment 'a': the MIME type 'png' is invalid; expected a type such as image/png"),
            ("a", nil, "", "attachment 'a': the MIME type '' is invalid; expected a type such as image/png"),
            (
                "a", nil, "image/",
                "attachment 'a': the MIME type 'image/' is invalid; expected a type such as image/png"
            ),
            (
                "a", nil, "image/png\u{e9}",
                "attachment 'a': the MIME type 'image/pngé' is invalid; expected a type such as image/png"
            ),
        ] as [(String, String?, String?, String)])
    func `A form that cannot be sent safely is an error before a byte is sent`(
        name: String, fileName: String?, mimeType: String?, cause: String
    ) throws {
        let params = Params()
        params.set("innocent", for: "b")
        params.set(data: Data("x".utf8), fileName: fileName, mimeType: mimeType, for: name)
        let error = try #require(throws: RequestError.self) { try RequestBody(params) }
        #expect(error.kind == .invalidBody)
        #expect(error.cause == cause)
    }
}
