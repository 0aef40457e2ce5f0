import Foundation
import LoopbackServer
import TestSupport

extension Fault {
    /// curl as another client of the server, with the expected results.
    static let curl: [Fault] = [
        judged("a GET", ["/ok"], prints: #"{"ok":true}"#),
        judged("a body with a length", ["--data-binary", "@/BODY", "/sink"], prints: #""bytes":300000"#),
        judged(
            "a body in chunks", ["-H", "Transfer-Encoding: chunked", "--data-binary", "@/BODY", "/sink"],
            prints: "chunked"),
        judged(
            "a form with a file", ["-F", "title=a", "-F", "film=@/BODY;type=video/mp4", "/upload"],
            prints: #""size":300000"#),
        judged(
            "Expect: 100-continue", ["-H", "Expect: 100-continue", "-T", "/BODY", "/sink"], prints: #""bytes":300000"#),
        judged(
            "redirects with a body",
            ["-L", "-X", "PUT", "--data-binary", "@/BODY", "/redirect?n=3&status=307&to=/sink"], prints: "300000"),
        judged("a trailer", ["-o", "/dev/null", "-w", "%{size_download}", "/bytes?n=1000&trailer=1"], prints: "1000"),
        judged("gzip", ["--compressed", "/gzip"], prints: "999]}"),
        judged("deflate", ["--compressed", "/deflate"], prints: "999]}"),
        judged("informational responses", ["/1xx"], prints: #"{"ok":true}"#),
        judged("basic", ["-u", "user:pass", "/basic"], prints: #""method":"GET""#),
        judged("digest", ["--digest", "-u", "user:pass", "-d", "abc", "/digest?alg=SHA-256"], prints: #""bytes":3"#),
        judged("half a body", ["/truncate"], status: 18), judged("no answer", ["/close"], status: 52),
        judged("RST", ["/rst?after=100"], status: 56), judged("a negative length", ["/badlength"], status: 8),
        judged("no last chunk", ["/chunked-bad?mode=eof"], status: 18),
        judged("a bad chunk", ["/chunked-bad?mode=size"], status: 56),
        judged("a gzip with a wrong checksum", ["--compressed", "/gzip-bad?mode=crc"], status: 61),
        judged("a loop", ["-L", "/redirect-loop"], status: 47),
        judged("a stall", ["-m", "1", "/stall?after=10"], status: 28),
        judged("RST while the body is sent", ["-T", "/BODY", "/rst-upload?after=1000"], status: 55, 56),
    ]
}

/// A run of curl that must end with a status and print something; `/…` is a target, `/BODY` a file of 300,000 bytes.
private func judged(_ name: String, _ arguments: [String], status: Int32..., prints text: String = "") -> Fault {
    Fault("curl", name, on: [.loopback], count: 2, quickCount: 1) { trial in
        let folder = try TemporaryDirectory()
        let body = try folder.write(Data(repeating: 3, count: 300_000), to: "body")
        let words = arguments.map { word in
            word.contains("/BODY")
                ? word.replacingOccurrences(of: "/BODY", with: body.path)
                : word.hasPrefix("/") && word != "/dev/null" ? trial.url(word) : word
        }
        await trial.repeated { _ in
            let result = try RunningProcess(
                URL(fileURLWithPath: "/usr/bin/env"), arguments: ["curl", "-s", "-m", "20"] + words
            ).wait()
            trial.expect(
                (status.isEmpty ? [0] : status).contains(result.status)
                    && (text.isEmpty || result.output.contains(text)),
                "curl ended with \(result.status) and printed \(result.output.prefix(300))")
        }
    }
}
