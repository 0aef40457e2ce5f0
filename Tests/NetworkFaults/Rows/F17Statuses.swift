import Foundation
import LoopbackServer
import RequestQueue

extension Fault {
    /// Error statuses are responses, and a request that may have arrived is not sent again.
    static let statuses: [Fault] = [
        Fault("F17", "a server that fails and recovers") { trial in
            await trial.repeated { run in
                for status in [503, 503, 200] {
                    await trial.send(.get, "/flap?key=\(run)-\(trial.id)&fail=2").expectResponse(status, in: trial)
                }
            }
        },
        Fault("F17", "Retry-After in seconds") { trial in
            await trial.repeated { run in
                let outcome = await trial.send(.get, "/retry-after?key=s\(run)-\(trial.id)&s=7")
                outcome.expectResponse(503, in: trial)
                trial.expect(outcome.response?.headers["Retry-After"] == "7", "the field is lost")
            }
        },
        Fault("F17", "Retry-After as a date") { trial in
            await trial.repeated { run in
                let outcome = await trial.send(.get, "/retry-after?key=d\(run)-\(trial.id)&s=7&date=1")
                outcome.expectResponse(503, in: trial)
                trial.expect(outcome.response?.headers["Retry-After"]?.hasSuffix("GMT") == true, "the field is lost")
            }
        },
        Fault("F17", "many responses with 503", on: [.independent], count: 200, quickCount: 40) { trial in
            await trial.repeated(atOnce: 16) { _ in
                let outcome = await trial.send(.get, "/storm?p=0.5")
                trial.expect([200, 503].contains(outcome.response?.status), "expected 200 or 503, got \(outcome)")
            }
        },
        Fault("F17", "every status is a response", on: [.loopback], count: 400, quickCount: 400) { trial in
            await trial.repeated(atOnce: 4) { run in
                let status = 200 + run
                await trial.send(.get, "/status/\(status)").expectResponse(status, in: trial)
            }
        },
        Fault("F17", "a POST on a reused connection that closes is not sent twice", on: [.loopback]) { trial in
            await trial.repeated { _ in
                await trial.send(.get, "/ok").expectResponse(200, in: trial)
                await trial.send(.post, "/close") { $0.setBody(DataBody(Data("once".utf8))) }
                    .expectFailure([.connectionLost], in: trial)
            }
            let posts = trial.loopback?.statistics.requestsByPath["/close"] ?? 0
            trial.expect(posts == trial.count, "\(trial.count) were sent, \(posts) arrived")
        },
        Fault("F17", "a connection that the server closes between two requests") { trial in
            await trial.repeated { _ in
                await trial.send(.get, "/close-idle").expectResponse(200, in: trial)
                await trial.send(.get, "/ok").expectResponse(200, body: #"{"ok":true}"#, in: trial)
                await trial.send(.get, "/close-idle").expectResponse(200, in: trial)
                let outcome = await trial.send(.post, "/echo") { $0.setBody(DataBody(Data("abc".utf8))) }
                if outcome.error == nil {
                    trial.expect(outcome.answer["bytes"] as? Int == 3, "the body is incomplete: \(outcome.answer)")
                } else {
                    outcome.expectFailure([.connectionLost], in: trial)
                }
            }
        },
    ]
}
