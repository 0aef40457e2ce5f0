import Foundation
import LoopbackServer
import RequestQueue
import TestSupport

extension Fault {
    /// Names and file names that try to inject something.
    static let names: [Fault] = [
        ("a plain name", "title"), ("a quote", "a\"b"), ("a quote and a semicolon", "a\"; filename=\"evil.sh"),
        ("CRLF and a header", "a\r\nContent-Type: text/evil\r\nX: "), ("LF", "a\nb"), ("CR", "a\rb"),
        ("a boundary", "a\r\n--boundary--\r\n"), ("UTF-8", "日本 語 é 🫖"),
        ("a combining accent", "e\u{301}\r\u{301}\"\u{301}"),
        ("up a folder", "../../etc/passwd"), ("a Windows path", "dir\\sub\\x.txt"), ("a drive", "C:\\dir\\x.txt"),
        ("blanks", "  a  b  "), ("a name that fills 64 KiB", String(repeating: "n", count: 8000)),
        ("a percent sign", "100 %"),
        ("a backslash before a quote", "a\\\"b"),
    ].flatMap { title, name in
        [
            Fault("F19", "a field's name: \(title)", count: 4, quickCount: 1) { trial in
                let params = Params()
                params.set("value", for: name)
                params.set("last", for: "last")
                let parts = [FormPart(name, Data("value".utf8)), FormPart("last", Data("last".utf8))]
                await trial.repeated { _ in await trial.sendForm(params, parts) }
            },
            Fault("F19", "a file's name: \(title)", count: 4, quickCount: 1) { trial in
                let (params, bytes) = (Params(), Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) }))
                params.set(data: bytes, fileName: name, for: "file")
                params.set("last", for: "last")
                let parts = [FormPart("file", fileName: name, bytes), FormPart("last", Data("last".utf8))]
                await trial.repeated { _ in await trial.sendForm(params, parts) }
            },
        ]
    }

    /// Names that are refused before anything is sent.
    static let refusedNames: [Fault] = [
        ("NUL", "a\0b"), ("a bell", "a\u{7}b"), ("a backslash at the end", "a\\"), ("DEL", "a\u{7f}"),
    ].map { title, name in
        Fault("F19", "a name that servers interpret differently: \(title)", on: [.loopback], count: 4, quickCount: 1) {
            trial in
            await trial.repeated { _ in
                for isFile in [false, true] {
                    let params = Params()
                    params.set(data: Data("v".utf8), fileName: isFile ? name : nil, for: isFile ? "file" : name)
                    await trial.send(.post, "/upload") { $0.setBody(params) }
                        .expectFailure([.invalidBody], phase: .preparing, in: trial)
                }
            }
            trial.expect(trial.loopback?.statistics.requests == 0, "a request was sent")
        }
    }

    /// Complete forms, and other parts of a request that could inject something.
    static let forms: [Fault] = [
        Fault("F19", "values, data, files and streams in one form", count: 20, quickCount: 2) { trial in
            let (folder, bytes) = (
                try TemporaryDirectory(), Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            )
            let file = try folder.write(bytes, to: "a \"quoted\" name.bin")
            await trial.repeated(atOnce: 2) { run in
                let params = Params()
                params.set("", for: "empty")
                params.set(data: bytes, fileName: "memory.bin", for: "memory")
                try params.set(file: file, for: "disk")
                // Alternates with an unknown length.
                params.set(
                    stream: AsyncStream {
                        $0.yield(bytes); $0.finish()
                    }, length: run % 2 == 0 ? Int64(bytes.count) : nil,
                    fileName: "stream.bin", for: "stream")
                await trial.sendForm(
                    params,
                    [
                        FormPart("empty", Data()), FormPart("memory", fileName: "memory.bin", bytes),
                        FormPart("disk", fileName: "a \"quoted\" name.bin", bytes),
                        FormPart("stream", fileName: "stream.bin", bytes),
                    ])
            }
        },
        Fault("F19", "header fields with CR, LF and NUL in them", on: [.loopback], count: 4) { trial in
            await trial.repeated { _ in
                for (name, value) in [
                    ("X-A", "a\r\nX-Evil: 1"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X A", "a"), ("", "a"),
                    ("X:A", "a"),
                ] {
                    await trial.send(.get, "/echo") { $0.headers.add(value, for: name) }
                        .expectFailure([.invalidHeader], phase: .preparing, in: trial)
                }
                await trial.send(HTTPMethod(rawValue: "GET /evil HTTP/1.1\r\nX: "), "/echo")
                    .expectFailure([.invalidMethod], phase: .preparing, in: trial)
            }
            trial.expect(trial.loopback?.statistics.requests == 0, "a request was sent")
        },
        Fault("F19", "invalid URLs", on: [.none], count: 4) { trial in
            await trial.repeated { _ in
                for url in ["http://[::bad/", "ftp://127.0.0.1/", "http://", "http://a b/", "https://exämple.org/"] {
                    let outcome = await trial.send(.get, url)
                    trial.expect(outcome.error?.kind == .invalidURL, "\(url): expected invalidURL, got \(outcome)")
                }
            }
        },
    ]
}
