/// The unexpected results in the runs of a fault.
struct Findings: Sendable {
    private(set) var messages: [String] = []
    private var runs: Set<Int> = []
    var time: Duration = .zero

    /// The number of runs with findings; findings without a run count as one.
    var failedRuns: Int { runs.count }

    mutating func add(_ message: String, run: Int = -1) {
        messages.append(message)
        runs.insert(run)
    }
}
