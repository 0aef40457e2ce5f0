import MappingDigests
import Foundation
import RequestQueue
import TestSupport

extension Fault {
    /// nginx as an ordinary server: files, conditions, compression, uploads, and a connection for seven requests only.
    static let nginx: [Fault] = [
        .succeeding(
            "nginx", "GETs over connections that close after seven", "/ok", body: #"{"ok":true}"#, on: [.nginx],
            count: 500),
        Fault("nginx", "GETs, 32 at a time", on: [.nginx], count: 1000) { trial in
            await trial.repeated(atOnce: 32) { _ in
                await trial.send(.get, "/ok").expectResponse(200, body: #"{"ok":true}"#, in: trial)
            }
        },
        Fault("nginx", "a file, then the same file unchanged", on: [.nginx]) { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/bytes.bin")
                trial.expect(outcome.response?.body.count == 300_000, "the file is incomplete: \(outcome)")
                let again = await trial.send(.get, "/bytes.bin") {
                    $0.headers["If-None-Match"] = outcome.response?.headers["ETag"]
                }
                again.expectResponse(304, body: "", in: trial)
            }
        },
        Fault("nginx", "a text that is compressed while it is sent", on: [.nginx]) { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/text.txt")
                trial.expect(outcome.response?.body.count == 300_000, "the text is incomplete: \(outcome)")
            }
        },
        Fault("nginx", "a part of a file", on: [.nginx]) { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/bytes.bin") { $0.headers["Range"] = "bytes=256-511" }
                outcome.expectResponse(206, in: trial)
                trial.expect(outcome.response?.body == Data((0...255)), "a wrong part: \(outcome)")
            }
        },
        Fault("nginx", "HEAD", on: [.nginx]) { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.head, "/bytes.bin")
                outcome.expectResponse(200, body: "", in: trial)
                trial.expect(outcome.response?.headers["Content-Length"] == "300000", "no length: \(outcome)")
            }
        },
        .succeeding("nginx", "a redirect to a folder's slash", "/folder", body: "here", on: [.nginx]),
        .succeeding("nginx", "a missing file", "/none", status: 404, on: [.nginx]),
        Fault("nginx", "a file sent with PUT, directly and after a redirect", on: [.nginx], count: 8, quickCount: 1) {
            trial in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            let folder = try TemporaryDirectory()
            let file = try folder.write(bytes, to: "put.bin")
            await trial.repeated { run in
                for target in ["/put/\(run).bin", "/moved"] {
                    let body = try FileBody(file)
                    let outcome = await trial.send(.put, target) { $0.setBody(body) }
                    trial.expect([201, 204].contains(outcome.response?.status), "expected 201 or 204, got \(outcome)")
                }
                let outcome = await trial.send(.get, "/put/\(run).bin")
                trial.expect(
                    outcome.response.map { SHA256.hex(of: $0.body) } == SHA256.hex(of: bytes), "the stored bytes differ"
                )
            }
        },
        Fault("nginx", "a body that is too large, declared", on: [.nginx]) { trial in
            let body = DataBody(Data(count: 4 << 20))
            await trial.repeated { _ in
                let outcome = await trial.send(.post, "/ok") { $0.setBody(body) }
                if outcome.error == nil {
                    outcome.expectResponse(413, in: trial)
                } else {
                    outcome.expectFailure([.connectionLost, .bodyNotSent], in: trial)
                }
            }
        },
    ]
}
