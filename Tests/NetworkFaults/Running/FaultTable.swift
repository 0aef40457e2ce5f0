import Foundation

/// The matrix as a Markdown table, a line as soon as it is known, and what went wrong below.
struct FaultTable {
    private var details: [String] = []
    private(set) var failed = 0
    private var runs = 0

    init() {
        print("| row | fault | server | N | failures | s |")
        print("| --- | --- | --- | ---: | ---: | ---: |")
    }

    mutating func add(_ fault: Fault, _ site: Site, count: Int, failedRuns: Int, failures: [String], time: Duration) {
        let seconds = time.formatted(.units(allowed: [.seconds], width: .narrow, fractionalPart: .show(length: 2)))
        print("| \(fault.row) | \(fault.name) | \(site.rawValue) | \(count) | \(failedRuns) | \(seconds.dropLast()) |")
        fflush(nil)
        runs += count
        guard !failures.isEmpty else { return }
        failed += 1
        // The same finding of many runs is told once.
        let different = failures.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        details += different.prefix(3).map { "- \(fault.row), \(fault.name), \(site.rawValue): \($0)" }
        if different.count > 3 { details.append("  and \(different.count - 3) more") }
    }

    func finish(_ lines: Int, time: Duration, missing: [String]) {
        print("\n\(lines) lines, \(runs) runs, \(failed) lines with failures, \(Int(time / .seconds(1))) s.")
        for name in missing { print("Missing: \(name).") }
        if !details.isEmpty { print("\n" + details.joined(separator: "\n")) }
    }
}
