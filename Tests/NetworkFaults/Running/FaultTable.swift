import Foundation

/// The matrix as a Markdown table, printed line by line, with the findings below.
struct FaultTable {
    private var details: [String] = []
    private(set) var failed = 0
    private var lines = 0
    private var runs = 0

    init() {
        print("| row | fault | server | N | failures | s |")
        print("| --- | --- | --- | ---: | ---: | ---: |")
    }

    mutating func add(_ fault: Fault, _ site: Site, count: Int, _ findings: Findings) {
        let cells = [
            fault.row, fault.name, site.rawValue, "\(count)", "\(findings.failedRuns)", seconds(findings.time),
        ]
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
        lines += 1
        runs += count
        let failures = findings.messages
        guard !failures.isEmpty else { return }
        failed += 1
        // Equal findings of several runs are printed once.
        let different = failures.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        details += different.prefix(3).map { "- \(fault.row), \(fault.name), \(site.rawValue): \($0)" }
        if different.count > 3 { details.append("  and \(different.count - 3) more") }
    }

    func finish(time: Duration, missing: [String]) {
        print("\n\(lines) lines, \(runs) runs, \(failed) lines with failures, \(seconds(time)) s.")
        for name in missing { print("Missing: \(name).") }
        if !details.isEmpty { print("\n" + details.joined(separator: "\n")) }
    }
}

private func seconds(_ time: Duration) -> String {
    let hundredths = Int((time / .milliseconds(10)).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
