import Foundation
import TestSupport

extension Fault {
    /// Networks that change: the reports of observers and their times; requests that wait for the network.
    static let reachability: [Fault] = [
        Fault("F27", "links, addresses and routes are added and removed", on: [.network], count: 3, quickCount: 1) {
            trial in
            await trial.repeated { _ in
                let network = try await WatchedNetwork()
                for transition in NetworkTransition.all {
                    let time = try await network.perform(transition)
                    trial.expect(time < Int(150 * Machine.slack), "\(transition.name): reported after \(time) ms")
                }
                for finding in try network.unexpected(after: NetworkTransition.all) { trial.fail(finding) }
            }
        },
        Fault("F27", "changes of the link while requests wait", on: [.network], count: 100, quickCount: 10) {
            trial in
            let network = try await FlappingNetwork()
            for number in 0..<trial.count {
                // Some changes end before they are reported.
                let pause = Duration.milliseconds([20, 60, 90, 160][number % 4])
                try await network.flap(pause)
            }
            let report = try await network.end()
            for failure in report.failures { trial.fail(failure) }
            trial.expect(
                report.requests >= trial.count && report.suspensions >= trial.count / 4,
                "\(report.requests) requests, held \(report.suspensions) times: no request was sent")
        },
    ]
}
