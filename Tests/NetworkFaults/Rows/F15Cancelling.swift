import Foundation
import LoopbackServer
import RequestQueue

extension Fault {
    /// Cancelled requests.
    static let cancellations: [Fault] = [
        cancelling("while it waits in a suspended queue", phase: nil, on: [.none]),
        cancelling("while it connects", phase: .connecting, on: [.none]),
        cancelling("while its body is sent", phase: .sending),
        cancelling("while it waits for the response", phase: .waiting),
        cancelling("while the response is received", phase: .receiving),
        Fault("F15", "at any moment of quick requests", count: 1000, quickCount: 200) { trial in
            await trial.repeated(atOnce: 16) { run in
                let sent = trial.begin(trial.request(.get, "/ok"))
                for _ in 0..<(run % 20) { await Task.yield() }
                sent.cancel()
                let outcome = await sent.outcome
                if outcome.error == nil {
                    outcome.expectResponse(200, body: #"{"ok":true}"#, in: trial)
                } else {
                    outcome.expectFailure([.cancelled], in: trial)
                }
            }
        },
    ]
}

/// Requests that are cancelled one after the other in the same phase: 99 of 100 have their outcome within 10 ms, and no
/// connection is left.
private func cancelling(
    _ name: String, phase: RequestError.Phase?, on sites: Set<Site> = [.loopback, .independent]
) -> Fault {
    Fault("F15", name, on: sites, count: 200, quickCount: 40) { trial in
        let hole = try BlackHole()
        let target = trial.target(for: phase, hole)
        var request = trial.request(phase == .sending ? .post : .get, target)
        if phase == .sending { request.setBody(DataBody(Data(count: 8 << 20))) }
        let queue = RequestQueue()
        // The transport has some own descriptors.
        let before = (Machine.descriptors ?? 0) + 4
        let all = (0..<trial.count).map { _ in phase == nil ? trial.begin(request, in: queue) : trial.begin(request) }
        // A head or a piece of a body takes a moment to arrive.
        await trial.waitForArrival(at: target)
        try await Task.sleep(for: .milliseconds(300) * Machine.slack)
        var latencies: [Duration] = []
        for (run, sent) in all.enumerated() {
            let start = ContinuousClock.now
            sent.cancel()
            let outcome = await sent.outcome
            latencies.append(outcome.end - start)
            trial.inRun(run) { outcome.expectFailure([.cancelled], phase: phase ?? .preparing, in: trial) }
        }
        let slow = latencies.sorted()[latencies.count * 99 / 100]
        trial.expect(slow < .milliseconds(10) * Machine.slack, "1 of 100 took \(slow)")
        await trial.expectNoConnection(above: before, phase: phase)
    }
}

extension Trial {
    /// A target where a request stays in a phase.
    fileprivate func target(for phase: RequestError.Phase?, _ hole: BlackHole) -> String {
        switch phase {
        case .sending: "/stall-upload?after=1000"
        case .waiting: silence
        case .receiving: "/stall?after=100"
        default: "http://127.0.0.1:\(hole.port)/"
        }
    }

    /// Waits until all requests have arrived, if the server can report it.
    fileprivate func waitForArrival(at target: String) async {
        guard let loopback, target.hasPrefix("/") else { return }
        let path = String(target.prefix { $0 != "?" })
        do { try await loopback.waitForRequests(count: count, path: path) } catch { fail("\(error)") }
    }

    /// Reports a finding if connections are still open.
    fileprivate func expectNoConnection(above before: Int, phase: RequestError.Phase?) async {
        // A server that does not read sees no end: only the client's side of those connections is checked.
        let isBlind = phase == .sending && site == .loopback
        let allowed = before + (isBlind ? count : 0)
        for _ in 0..<500 {
            let isClosed = isBlind || (loopback?.statistics.openConnections ?? 0) == 0
            if isClosed, (Machine.descriptors ?? 0) <= allowed { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
        fail("connections are still open: \(Machine.descriptors ?? 0) descriptors instead of \(allowed)")
    }
}
