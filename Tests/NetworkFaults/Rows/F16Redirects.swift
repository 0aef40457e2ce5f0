import MappingDigests
import Foundation
import LoopbackServer
import RequestQueue
import TestSupport

extension Fault {
    /// Redirects according to RFC 9110 §15.4: the method and body that arrive.
    static let redirects: [Fault] = [301, 302, 303, 307, 308].flatMap { status in
        [HTTPMethod.get, .post, .put, .delete].map { method in
            Fault("F16", "\(status) to \(method)", count: 6, quickCount: 2) { trial in
                await trial.repeated { run in await trial.follow(status, method, steps: 1 + run % 3) }
            }
        }
    }

    /// Difficult redirects: a body is sent again completely, or not at all; some are not followed.
    static let oddRedirects: [Fault] = [
        Fault("F16", "307 to a form with a file", count: 6, quickCount: 2) { trial in
            let folder = try TemporaryDirectory()
            let params = Params()
            try params.set(file: folder.write(bytes, to: "film.mp4"), for: "film")
            await trial.repeated { run in
                let target = "/redirect?n=\(1 + run % 3)&status=307&to=/upload"
                await trial.sendForm(params, to: target, [FormPart("film", fileName: "film.mp4", bytes)])
            }
        },
        Fault("F16", "307 to a stream that can be read once", count: 6, quickCount: 2) { trial in
            await trial.repeated { _ in
                await trial.send(.post, "/redirect?status=307&to=/sink") { $0.setBody(onceOnly()) }
                    .expectFailure([.bodyNotRepeatable], in: trial)
            }
        },
        Fault("F16", "303 to a stream that can be read once", count: 6, quickCount: 2) { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.post, "/redirect?status=303") { $0.setBody(onceOnly()) }
                outcome.expectResponse(200, in: trial)
                trial.expect(outcome.answer["method"] as? String == "GET", "the method became \(outcome.answer)")
            }
        },
        Fault("F16", "307 before the body was read", count: 6, quickCount: 1) { trial in
            let body = DataBody(Data(repeating: 5, count: 8 << 20))
            let digest = SHA256.hex(of: body.data)
            await trial.repeated { _ in
                let early = trial.site == .loopback ? "drain=0" : "nodrain=1"
                let outcome = await trial.send(.post, "/redirect?status=307&\(early)&to=/sink?hash=1") {
                    $0.setBody(body)
                }
                // A server that closes can lose its response; then it is an error.
                if outcome.error == nil {
                    outcome.expectResponse(200, in: trial)
                    trial.expect(
                        outcome.answer["sha256"] as? String == digest, "other bytes came: \(outcome.answer)")
                } else {
                    outcome.expectFailure([.connectionLost], in: trial)
                }
            }
        },
        .failing("F16", "a loop", "/redirect-loop", [.tooManyRedirects]),
        .failing("F16", "21 steps", "/redirect?n=21&to=/ok", [.tooManyRedirects]),
        .succeeding("F16", "20 steps", "/redirect?n=20&to=/ok", body: #"{"ok":true}"#),
        .failing("F16", "to a file", "/redirect?to=file:///etc/passwd", [.unsafeRedirect]),
        .failing("F16", "redirect to an unknown scheme", "/redirect?to=gopher://127.0.0.1/", [.unsafeRedirect]),
        .succeeding("F16", "a redirect to an invalid URL is a response", "/bad-location", status: 302, on: [.loopback]),
        .succeeding(
            "F16", "a redirect without a Location is a response", "/no-location", status: 302, on: [.loopback]),
        Fault("F16", "redirect to another origin, with secrets") { trial in
            let other = try LoopbackServer()
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/redirect?to=\(other.url)/echo") { request in
                    request.headers["Authorization"] = "Bearer secret"
                    request.headers["Cookie"] = "sid=secret"
                }
                outcome.expectResponse(200, in: trial)
                trial.expect(
                    outcome.answer["method"] as? String == "GET", "no response of the other server: \(outcome)")
                let text = outcome.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                trial.expect(!text.contains("secret"), "the secret was sent to another origin")
            }
        },
        Fault("F16", "redirect to the same origin, with secrets") { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/redirect?to=/echo") {
                    $0.headers["Authorization"] = "Bearer mine"
                }
                let text = outcome.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                trial.expect(text.contains("Bearer mine"), "the field was lost: \(outcome)")
            }
        },
    ]
}

/// The body: 300,000 bytes.
private let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

/// The same as a stream that can be read once.
private func onceOnly() -> StreamBody {
    StreamBody(
        AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: bytes.count, by: 10_000) {
                continuation.yield(bytes.dropFirst(start).prefix(10_000))
            }
            continuation.finish()
        })
}

extension Trial {
    /// Sends through redirects and checks the received request.
    fileprivate func follow(_ status: Int, _ method: HTTPMethod, steps: Int) async {
        let hasBody = method != .get && method != .delete
        let outcome = await send(method, "/redirect?n=\(steps)&status=\(status)&to=/echo") { request in
            if hasBody { request.setBody(DataBody(bytes)) }
        }
        outcome.expectResponse(200, in: self)
        expect(outcome.response?.redirects == steps, "\(outcome.response?.redirects ?? -1) redirects were counted")
        // 303 makes everything but HEAD a GET; 301 and 302 make POST one (RFC 9110 §15.4.2-4).
        let becomesGet = status == 303 || (status < 303 && method == .post)
        let wanted = becomesGet ? "GET" : method.rawValue
        let answer = outcome.answer
        expect(answer["method"] as? String == wanted, "\(method) became \(answer["method"] ?? "nothing")")
        let isSent = hasBody && !becomesGet
        expect(answer["bytes"] as? Int == (isSent ? bytes.count : 0), "\(answer["bytes"] ?? "no") bytes were received")
        if isSent {
            expect(answer["sha256"] as? String == SHA256.hex(of: bytes), "the received bytes differ from those sent")
        }
    }
}
