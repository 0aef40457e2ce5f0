import Foundation
import RequestQueue

extension Fault {
    /// Bodies of another length than declared, and connections that end.
    static let lengths: [Fault] = [
        .failing("F11", "half a body, then the connection closes", "/truncate", [.truncatedResponse]),
        .failing(
            "F11", "no byte of a body, then the connection closes", "/truncate?len=1000&sent=0", [.truncatedResponse]),
        .failing("F11", "RST instead of a response", "/rst", [.connectionLost]),
        .failing("F11", "RST in a body", "/rst?after=5000", [.connectionLost, .truncatedResponse]),
        .failing("F11", "connection closed instead of a response", "/close", [.connectionLost]),
        Fault("F11", "more bytes than declared") { trial in
            await trial.repeated { _ in
                // Bytes after a complete response are not a part of it (RFC 9112 §6.3): the response or an error, never
                // more.
                let outcome = await trial.send(.get, "/overrun")
                if outcome.error == nil {
                    outcome.expectResponse(200, in: trial)
                    trial.expect(
                        outcome.response?.body.count == 10, "the body does not have the 10 declared bytes: \(outcome)")
                } else {
                    outcome.expectFailure([.malformedResponse, .connectionLost], in: trial)
                }
                await trial.send(.get, "/ok").expectResponse(200, body: #"{"ok":true}"#, in: trial)
            }
        },
        .failing("F11", "a negative length", "/badlength", [.malformedResponse]),
        .failing("F11", "two different lengths", "/twolengths", [.malformedResponse]),
        .failing("F11", "a chunk size that is not a number", "/chunked-bad?mode=size", [.malformedResponse]),
        .failing("F11", "no last chunk", "/chunked-bad?mode=eof", [.truncatedResponse]),
        .failing("F11", "bytes after a chunk", "/chunked-bad?mode=trailer", [.malformedResponse]),
        Fault("F11", "RST while the body is sent") { trial in
            let body = DataBody(Data(repeating: 7, count: 8 << 20))
            await trial.repeated { _ in
                await trial.send(.post, "/rst-upload") { $0.setBody(body) }.expectFailure([.connectionLost], in: trial)
            }
        },
        Fault("F11", "an early 413 while the body is sent") { trial in
            let body = DataBody(Data(repeating: 7, count: 8 << 20))
            await trial.repeated { _ in
                let outcome = await trial.send(.post, "/early?after=1000") { $0.setBody(body) }
                // The response may be lost with the connection, but it is never a success.
                if outcome.error == nil {
                    outcome.expectResponse(413, in: trial)
                } else {
                    outcome.expectFailure([.connectionLost, .bodyNotSent], in: trial)
                }
            }
        },
        Fault("F11", "an early 200 while the body is sent") { trial in
            let body = DataBody(Data(repeating: 7, count: 8 << 20))
            await trial.repeated { _ in
                await trial.send(.post, "/early?after=1000&status=200") { $0.setBody(body) }
                    .expectFailure([.bodyNotSent, .connectionLost], in: trial)
            }
        },
        Fault("F11", "a port without a server", on: [.none]) { trial in
            let port = try freePort()
            await trial.repeated { _ in
                await trial.send(.get, "http://127.0.0.1:\(port)/").expectFailure([.connectionRefused], in: trial)
            }
        },
        Fault("F11", "a host that does not exist", on: [.none], count: 4) { trial in
            await trial.repeated { _ in
                await trial.send(.get, "http://nowhere.invalid/").expectFailure([.hostNotFound], in: trial)
            }
        },
    ]
}
