import Foundation
import RequestQueue
import Synchronization

private let limit: Duration = .milliseconds(400)

extension Fault {
    /// Servers that are slow or stall.
    static let stalls: [Fault] = [
        Fault("F14", "a port that accepts no connection", on: [.none]) { trial in
            let hole = try BlackHole()
            await trial.repeated(atOnce: 20) { _ in
                await trial.send(.get, "http://127.0.0.1:\(hole.port)/") { $0.timeouts.connect = limit }
                    .expectFailure([.connectTimedOut], phase: .connecting, after: limit, in: trial)
            }
        },
        stalling("no head") { trial in
            await trial.send(.get, trial.silence) { $0.timeouts.idle = limit }
                .expectFailure([.idleTimedOut], phase: .waiting, after: limit, in: trial)
        },
        stalling("a body that stops") { trial in
            await trial.send(.get, "/stall?after=100") { $0.timeouts.idle = limit }
                .expectFailure([.idleTimedOut], phase: .receiving, after: limit, in: trial)
        },
        stalling("a server that stops reading") { trial in
            var request = trial.request(.post, "/stall-upload?after=65536")
            request.timeouts.idle = limit
            request.setBody(DataBody(trial.sixteenMiB))
            let last = LastByte()
            request.delegate = last
            let outcome = await trial.send(request)
            // Bytes are sent until the buffers of the system are full.
            outcome.expectFailure([.idleTimedOut], phase: .sending, after: limit, since: last.time, in: trial)
        },
        stalling("an endless body, within the idle timeout") { trial in
            await trial.send(.get, "/slow?n=1000000&bps=2000") { request in
                request.timeouts.idle = .seconds(5)
                request.timeouts.total = limit
            }.expectFailure([.timedOut], phase: .receiving, after: limit, in: trial)
        },
        stalling("an endless upload, within the idle timeout") { trial in
            await trial.send(.post, "/sink?hash=0&bps=100000") { request in
                request.timeouts.total = limit
                request.setBody(DataBody(trial.sixteenMiB))
            }.expectFailure([.timedOut], after: limit, in: trial)
        },
        stalling("a head byte by byte, beyond the total timeout", on: [.independent]) { trial in
            await trial.send(.get, "/slow-headers?s=20") { $0.timeouts.total = limit }
                .expectFailure([.timedOut], after: limit, in: trial)
        },
        stalling("a head byte by byte, within all timeouts", on: [.independent]) { trial in
            await trial.send(.get, "/slow-headers?s=1.5") { $0.timeouts.idle = limit }.expectResponse(
                200, body: "{}", in: trial)
        },
        stalling("a slow body, within the idle timeout") { trial in
            let outcome = await trial.send(.get, "/slow?n=2000&bps=2000") { $0.timeouts.idle = limit }
            outcome.expectResponse(200, in: trial)
            trial.expect(outcome.response?.body.count == 2000, "the body is incomplete: \(outcome)")
        },
        Fault("F14", "a request body that waits longer than the idle timeout", count: 8) { trial in
            await trial.repeated(atOnce: 8) { _ in
                let chunks = AsyncStream<Data> { continuation in
                    Task {
                        continuation.yield(Data(repeating: 1, count: 1000))
                        try await Task.sleep(for: limit * 2)
                        continuation.yield(Data(repeating: 2, count: 1000))
                        continuation.finish()
                    }
                }
                let outcome = await trial.send(.post, "/sink") { request in
                    request.timeouts.idle = limit
                    request.setBody(StreamBody(chunks))
                }
                outcome.expectResponse(200, in: trial)
                trial.expect(outcome.answer["bytes"] as? Int == 2000, "the body is incomplete: \(outcome.answer)")
            }
        },
    ]
}

/// Requests that all stall together, in parallel with GETs that must not be affected.
private func stalling(
    _ name: String, on sites: Set<Site> = [.loopback, .independent], _ body: @escaping @Sendable (Trial) async -> Void
) -> Fault {
    Fault("F14", name, on: sites) { trial in
        await trial.besideOthers {
            await trial.repeated(atOnce: trial.count) { _ in await body(trial) }
        }
    }
}

/// The time of the last sent byte.
private final class LastByte: RequestDelegate {
    private let state = Mutex((bytes: Int64(-1), time: ContinuousClock.Instant?.none))

    var time: ContinuousClock.Instant? { state.withLock { $0.time } }

    func request(_ request: RESTRequest, didProgress progress: RequestProgress) {
        state.withLock { state in if progress.bytesSent > state.bytes { state = (progress.bytesSent, .now) } }
    }
}

extension Trial {
    /// A target without a response for a long time.
    var silence: String { site == .loopback ? "/hold" : "/stall?after=-1" }

    fileprivate var sixteenMiB: Data { Data(count: 16 << 20) }

    /// Runs a body while GETs are sent over the same transport: 99 of 100 take less than 20 ms.
    func besideOthers(_ body: @Sendable () async -> Void) async {
        let others = Task {
            var times: [Duration] = []
            while !Task.isCancelled {
                let outcome = await send(.get, "/ok")
                outcome.expectResponse(200, in: self)
                times.append(outcome.duration)
                try? await Task.sleep(for: .milliseconds(1))
            }
            return times.sorted()
        }
        await body()
        others.cancel()
        let times = await others.value
        let slow = times[times.count * 99 / 100]
        expect(slow < .milliseconds(20) * Machine.slack, "another request of \(times.count) took \(slow)")
    }
}
