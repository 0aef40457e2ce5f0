/// What was not as it should be in the tries of a fault.
struct Findings: Sendable {
    private(set) var messages: [String] = []
    private var runs: Set<Int> = []
    var time: Duration = .zero

    /// How many tries had something; what belongs to none of them counts as one.
    var failedRuns: Int { runs.count }

    mutating func add(_ message: String, run: Int = -1) {
        messages.append(message)
        runs.insert(run)
    }
}
