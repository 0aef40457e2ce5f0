import Foundation

/// A separate network with a process that observes hosts as the user nobody.
public final class WatchedNetwork: Sendable {
    private let network: NetworkNamespace
    private let process: RunningProcess

    /// Starts to watch the hosts of ``NetworkTransition``.
    public init() async throws {
        network = try NetworkNamespace(files: [
            "hosts": NetworkTransition.hostsAtFirst, "nsswitch.conf": "hosts: files\n", "resolv.conf": "",
        ])
        process = try network.start(
            product("network-faults"), arguments: ["watch"] + NetworkTransition.atFirst.keys.sorted())
        _ = try await wait(for: NetworkTransition.atFirst, after: 0, "the start")
        guard try process.output.hasPrefix("uid 65534\n") else {
            throw WatchError(description: "the observing process does not run as nobody")
        }
    }

    deinit {
        process.send(SIGKILL)
        _ = try? process.wait()
    }

    /// Causes a change, and waits until all expected reports are received.
    ///
    /// - Returns: The milliseconds until the last report.
    public func perform(_ transition: NetworkTransition) async throws -> Int {
        // The kernel reports a lost carrier at most once per second.
        if transition.told.values.contains(NetworkTransition.noCarrier) { try await Task.sleep(for: .seconds(1.1)) }
        if let hosts = transition.hosts { try network.write(hosts, to: "hosts") }
        if transition.isUnheard { process.send(SIGSTOP) }
        var start = monotonicMilliseconds()
        try network.change(transition.changes)
        if transition.isUnheard {
            guard try lostNews > 0 else { throw WatchError(description: "the kernel lost no notification") }
            start = monotonicMilliseconds()
            process.send(SIGCONT)
        }
        return try await wait(for: transition.told, after: start, transition.name) - start
    }

    /// Returns the reports of each host with unexpected reports.
    public func unexpected(after transitions: [NetworkTransition]) throws -> [String] {
        let steps = [NetworkTransition.atFirst] + transitions.map(\.told)
        let told = try news
        return NetworkTransition.atFirst.keys.sorted().compactMap { host in
            let expected = steps.compactMap { $0[host] }
            var states = told.filter { $0.host == host && $0.state != "indeterminate" }.map(\.state)
            // An enabled link may get its carrier after the change is reported.
            for index in states.indices.dropFirst().dropLast().reversed()
            where states[index] == NetworkTransition.noCarrier && states[index - 1].hasPrefix("not reachable")
                && states[index + 1].hasPrefix("reachable")
            {
                states.remove(at: index)
            }
            return states == expected ? nil : "\(host) told \(states), expected \(expected)"
        }
    }

    /// How much the kernel had to tell to those in this network, and could not keep.
    private var lostNews: Int {
        get throws {
            let table = try String(contentsOfFile: "/proc/\(process.id)/net/netlink", encoding: .utf8)
            let columns = table.split(separator: "\n").map { $0.split(separator: " ") }
            guard let column = columns.first?.firstIndex(of: "Drops") else { return 0 }
            return columns.dropFirst().reduce(0) { $0 + (Int($1[column]) ?? 0) }
        }
    }

    private struct News {
        let time: Int
        let host: String
        let state: String
    }

    private var news: [News] {
        get throws {
            try process.output.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ", maxSplits: 2)
                guard words.count == 3, let time = Int(words[0]) else { return nil }
                return News(time: time, host: String(words[1]), state: String(words[2]))
            }
        }
    }

    /// The time at which the last of some states was reported.
    private func wait(for states: [String: String], after start: Int, _ name: String) async throws -> Int {
        while true {
            let news = try news
            let times = states.compactMap { host, state in
                news.last { $0.host == host }.flatMap { $0.state == state && $0.time >= start ? $0.time : nil }
            }
            if times.count == states.count { return times.max() ?? start }
            guard monotonicMilliseconds() < max(start, beginning) + 20_000 else {
                let told = news.filter { $0.time >= start }.map { "\($0.host) \($0.state)" }
                throw WatchError(description: "\(name): expected \(states), told: \(told)")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private let beginning = monotonicMilliseconds()
}

private struct WatchError: Error, CustomStringConvertible {
    let description: String
}

/// The time on a clock that all processes of the machine share.
public func monotonicMilliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
