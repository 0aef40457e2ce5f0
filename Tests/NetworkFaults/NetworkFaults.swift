import Foundation
import RequestQueue

/// Runs the matrix of network faults with the available servers, and prints it as a table.
///
///     network-faults [--quick] [ROW…]     ROW such as F11, curl or nginx; all of them by default
@main enum NetworkFaults {
    static let all: [Fault] = [
        Fault.large, Fault.lengths, Fault.codings, Fault.answers, Fault.caching, Fault.stalls, Fault.cancellations,
        Fault.redirects, Fault.oddRedirects, Fault.statuses, Fault.retries, Fault.authentication, Fault.names,
        Fault.refusedNames, Fault.forms, Fault.boundaries, Fault.files, Fault.tls, Fault.stops, Fault.reachability,
        Fault.soak,
        Fault.curl, Fault.nginx,
    ].flatMap { $0 }

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        // Subcommands that rows about reachability start in a separate network.
        switch words.first {
        case "watch": return await watch(words.dropFirst())
        case "serve": return await serve(words.dropFirst())
        case "send": return await sendHeld(words.dropFirst())
        // The subcommand that rows about stops stop.
        case "transfer": return await transfer(Array(words.dropFirst()))
        // The subcommand that tests of the cache kill.
        case "fill-cache": return await fillCache(Array(words.dropFirst()))
        default: break
        }
        let isQuick = words.contains("--quick")
        let rows = words.filter { $0 != "--quick" }
        guard rows.allSatisfy({ row in all.contains { $0.row == row } }) else {
            print("network-faults: rows are \(Set(all.map(\.row)).sorted().joined(separator: ", "))")
            exit(64)
        }
        let faults = all.filter { rows.isEmpty || rows.contains($0.row) }
        let failed = await run(faults, isQuick: isQuick)
        exit(failed == 0 ? 0 : 1)
    }

    /// The number of lines of the table with failures.
    private static func run(_ faults: [Fault], isQuick: Bool) async -> Int {
        let servers = Servers()
        let start = ContinuousClock.now
        // The first request of a process opens descriptors that stay open.
        _ = await run(Fault("", "") { _ = await $0.send(.get, "/ok") }, on: .loopback, 1, servers)
        var table = FaultTable()
        for fault in faults {
            let count = isQuick ? fault.quickCount : fault.count
            for site in Site.allCases where count > 0 && fault.sites.contains(site) && servers.has(site) {
                table.add(fault, site, count: count, await run(fault, on: site, count, servers))
            }
        }
        table.finish(time: .now - start, missing: servers.missing)
        return table.failed
    }

    private static func run(_ fault: Fault, on site: Site, _ count: Int, _ servers: Servers) async -> Findings {
        let start = ContinuousClock.now
        let before = Machine.descriptors ?? 0
        var findings = await tried(fault, on: site, count, servers)
        findings.time = .now - start
        // Connections close shortly after their transport is released.
        let end = ContinuousClock.now + .seconds(2)
        while let now = Machine.descriptors, now > before {
            guard ContinuousClock.now < end else {
                findings.add("\(now - before) descriptors are left over")
                break
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return findings
    }

    /// The findings; the trial, with its transport and its server, is released when this returns.
    private static func tried(_ fault: Fault, on site: Site, _ count: Int, _ servers: Servers) async -> Findings {
        do {
            let trial = try Trial(of: fault, on: site, count: count, servers: servers)
            do { try await fault.run(trial) } catch { trial.fail("\(error)") }
            await trial.finish()
            return trial.findings
        } catch {
            var findings = Findings()
            findings.add("\(error)")
            return findings
        }
    }
}
