import Foundation
import RequestQueue

/// Runs the matrix of network faults against the servers that are there, and prints it as a table.
///
///     network-faults [--quick] [ROW…]     ROW as F11, curl or nginx; all of them by default
@main enum NetworkFaults {
    static let all: [Fault] = [
        Fault.large, Fault.lengths, Fault.codings, Fault.answers, Fault.stalls, Fault.cancellations, Fault.redirects,
        Fault.oddRedirects, Fault.statuses, Fault.names, Fault.refusedNames, Fault.forms, Fault.boundaries, Fault.files,
        Fault.soak, Fault.curl, Fault.nginx,
    ].flatMap { $0 }

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        let isQuick = words.contains("--quick")
        let rows = words.filter { $0 != "--quick" }
        let known = Set(all.map(\.row))
        guard rows.allSatisfy(known.contains) else {
            print("network-faults: rows are \(known.sorted().joined(separator: ", "))")
            exit(64)
        }
        let faults = all.filter { rows.isEmpty || rows.contains($0.row) }
        let failed = await run(faults, isQuick: isQuick)
        exit(failed == 0 ? 0 : 1)
    }

    /// How many lines of the table have failures.
    private static func run(_ faults: [Fault], isQuick: Bool) async -> Int {
        let servers = Servers()
        let start = ContinuousClock.now
        // The first request of a process opens what stays open.
        _ = await run(Fault("", "") { _ = await $0.send(.get, "/ok") }, on: .loopback, 1, servers)
        let before = Machine.descriptors ?? 0
        var table = FaultTable()
        var lines = 0
        for fault in faults {
            let count = isQuick ? fault.quickCount : fault.count
            for site in Site.allCases where count > 0 && fault.sites.contains(site) && servers.has(site) {
                let (failedRuns, failures, time) = await run(fault, on: site, count, servers)
                table.add(fault, site, count: count, failedRuns: failedRuns, failures: failures, time: time)
                lines += 1
            }
        }
        let left = await descriptorsLeft(above: before)
        let leak = Fault("all", "descriptors that are left over") { _ in }
        let findings = left > 0 ? ["\(left) descriptors are open that were not before"] : []
        table.add(leak, .none, count: 1, failedRuns: findings.count, failures: findings, time: .zero)
        table.finish(lines + 1, time: .now - start, missing: servers.missing)
        return table.failed
    }

    private static func run(
        _ fault: Fault, on site: Site, _ count: Int, _ servers: Servers
    ) async -> (failedRuns: Int, failures: [String], time: Duration) {
        let start = ContinuousClock.now
        do {
            let trial = try Trial(of: fault, on: site, count: count, servers: servers)
            do { try await fault.run(trial) } catch { trial.fail("\(error)") }
            await trial.finish()
            return (trial.failedRuns, trial.failures, .now - start)
        } catch {
            return (count, ["\(error)"], .now - start)
        }
    }

    /// Connections close a moment after their transport is gone.
    private static func descriptorsLeft(above before: Int) async -> Int {
        var left = 0
        for _ in 0..<100 {
            left = (Machine.descriptors ?? 0) - before
            if left <= 0 { return 0 }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return left
    }
}
