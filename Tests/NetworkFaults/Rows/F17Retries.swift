import Foundation
import LoopbackServer
import RequestQueue

extension Fault {
    /// Transient failures are retried: on time, never too early, and without doing anything twice.
    static let retries: [Fault] = [
        Fault("F17", "a server that fails and recovers, with retries") { trial in
            await trial.repeated { run in
                let outcome = await trial.retry(.get, "/flap?key=r\(run)-\(trial.id)&fail=2")
                outcome.expectResponse(200, attempts: 3, in: trial)
            }
        },
        Fault("F17", "a server that stays down, with retries") { trial in
            await trial.repeated { run in
                let outcome = await trial.retry(.get, "/flap?key=d\(run)-\(trial.id)&fail=99", atMost: 3)
                outcome.expectResponse(503, attempts: 3, in: trial)
                // The server's count: no attempt more, and the last response.
                trial.expect(outcome.answer["attempt"] as? Int == 3, "not the last response: \(outcome.answer)")
            }
        },
        Fault("F17", "Retry-After in seconds is respected", count: 8, quickCount: 2) { trial in
            await trial.repeated(atOnce: 8) { run in
                let outcome = await trial.retry(.get, "/retry-after?key=h\(run)-\(trial.id)&s=1")
                outcome.expectResponse(200, attempts: 2, in: trial)
                trial.expect(outcome.duration >= .milliseconds(950), "too early: \(outcome)")
            }
        },
        Fault("F17", "Retry-After as a date is respected", count: 8, quickCount: 2) { trial in
            await trial.repeated(atOnce: 8) { run in
                let start = Date()
                let outcome = await trial.retry(.get, "/retry-after?key=t\(run)-\(trial.id)&s=2&date=1")
                let end = Date()
                outcome.expectResponse(200, attempts: 2, in: trial)
                // Dates have no fractions: the one in the field is this or a later one.
                let earliest = start.timeIntervalSince1970.rounded(.down) + 2
                trial.expect(end.timeIntervalSince1970 >= earliest - 0.05, "too early: \(outcome)")
            }
        },
        Fault("F17", "Retry-After beyond the maximum delay", count: 8, quickCount: 2) { trial in
            await trial.repeated { run in
                for field in ["s=7", "s=7&date=1"] {
                    let outcome = await trial.retry(
                        .get, "/retry-after?key=l\(run)-\(trial.id)-\(field.count)&\(field)"
                    ) {
                        $0.retryPolicy.maximumDelay = .seconds(3)
                    }
                    outcome.expectResponse(503, attempts: 1, in: trial)
                    trial.expect(outcome.duration < .seconds(1) * Machine.slack, "it waited: \(outcome)")
                }
            }
        },
        Fault("F17", "retries end in time", count: 8, quickCount: 2) { trial in
            await trial.repeated(atOnce: 8) { run in
                let outcome = await trial.retry(
                    .get, "/retry-after?key=c\(run)-\(trial.id)&s=1&fail=99", atMost: 99
                ) {
                    $0.retryPolicy.totalTime = .milliseconds(1500)
                }
                outcome.expectResponse(503, attempts: 2, in: trial)
                trial.expect(outcome.duration < .seconds(2.5) * Machine.slack, "too late: \(outcome)")
            }
        },
        Fault("F17", "a POST without a key is not sent twice with any policy") { trial in
            await trial.repeated { run in
                let answered = await trial.retry(.post, "/flap?key=p\(run)-\(trial.id)&fail=2") {
                    $0.setBody(DataBody(Data("once".utf8)))
                }
                answered.expectResponse(503, attempts: 1, in: trial)
                let lost = await trial.retry(.post, "/close?run=\(run)") { $0.setBody(DataBody(Data("once".utf8))) }
                lost.expectFailure([.connectionLost], in: trial)
                trial.expect(lost.error?.attempts == 1, "it was sent twice: \(lost)")
            }
            guard let counts = trial.loopback?.statistics.requestsByPath else { return }
            for path in ["/flap", "/close"] {
                trial.expect(counts[path] == trial.count, "\(trial.count) were sent, \(counts[path] ?? 0) arrived")
            }
        },
        Fault("F17", "a POST with a key has its effect once although responses are lost", count: 40, quickCount: 10) {
            trial in
            await trial.repeated(atOnce: 4) { run in
                let body = Data("\(run) \(trial.id)".utf8)
                let outcome = await trial.retry(.post, "/outbox?drop=odd") {
                    $0.headers["Idempotency-Key"] = "\(run)-\(trial.id)"
                    $0.setBody(DataBody(body))
                }
                // 201 if it was done, 200 if it had been done before; 422 if the bytes were different.
                trial.expect([200, 201].contains(outcome.response?.status), "not executed once: \(outcome)")
            }
        },
        Fault("F17", "many responses with 503, with retries", on: [.independent], count: 200, quickCount: 40) { trial in
            await trial.repeated(atOnce: 16) { _ in
                await trial.retry(.get, "/storm?p=0.5", atMost: 60).expectResponse(200, in: trial)
            }
        },
        Fault("F17", "a port without a server, with retries", on: [.none]) { trial in
            await trial.repeated { _ in
                let outcome = await trial.retry(.post, "http://127.0.0.1:1/", atMost: 3)
                outcome.expectFailure([.connectionRefused], phase: .connecting, in: trial)
                trial.expect(outcome.error?.attempts == 3, "expected three attempts: \(outcome)")
            }
        },
        Fault("F17", "identical GETs share one response", count: 1000, quickCount: 100) { trial in
            trial.client.coalescesIdenticalRequests = true
            // Each server has its own unit of time.
            let target = "/delay?ms=300&s=0.3&key=\(trial.id)"
            let sent = (0..<trial.count).map { _ in trial.begin(trial.request(.get, target)) }
            // Some are cancelled, starting with the first.
            for (number, request) in sent.enumerated() where number % 10 == 0 { request.cancel() }
            for (number, request) in sent.enumerated() {
                let outcome = await request.outcome
                if number % 10 == 0 {
                    outcome.expectFailure([.cancelled], in: trial)
                } else {
                    outcome.expectResponse(200, in: trial)
                }
            }
            guard let count = trial.loopback?.statistics.requests else { return }
            trial.expect(count == 1, "\(count) arrived")
        },
    ]
}

extension Trial {
    /// Sends a request with short delays between its attempts.
    fileprivate func retry(
        _ method: HTTPMethod, _ target: String, atMost attempts: Int = 5,
        _ change: (inout RESTRequest) -> Void = { _ in }
    ) async -> Outcome {
        await send(method, target) { request in
            request.retryPolicy = RetryPolicy(
                attempts: attempts, baseDelay: .milliseconds(1), maximumDelay: .seconds(3))
            change(&request)
        }
    }
}

extension Outcome {
    fileprivate func expectResponse(_ status: Int, attempts: Int, in trial: Trial) {
        expectResponse(status, in: trial)
        trial.expect(
            response?.attempts == attempts, "\(response?.attempts ?? 0) attempts, expected \(attempts): \(self)")
    }
}
