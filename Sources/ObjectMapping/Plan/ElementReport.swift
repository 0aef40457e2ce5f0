/// The issues of a collection's elements and the elements that are left out because of them, by the policy of a decode.
struct ElementReport {
    private let plan: Plan
    private let policy: MappingReport.Policy
    private let limit: Int
    /// What was found in all elements, if each issue is one of the payload.
    private(set) var findings: FindingList
    private var issues: [MappingIssue] = []
    /// How many issues there are beyond the limit.
    private var omittedCount = 0
    private var rejected: [RejectedElement] = []

    init(_ plan: Plan, _ policy: MappingReport.Policy, _ limits: MappingLimits) {
        self.plan = plan
        self.policy = policy
        limit = limits.issueCount
        findings = FindingList(limit: limit)
    }

    /// Adds the findings of the element at a cursor; false if the element is left out.
    @inline(never) mutating func accepts(
        _ cursor: inout ElementCursor, to end: Bytes, _ found: FindingList, isMade: Bool
    ) -> Bool {
        if policy == .fail {
            findings.append(contentsOf: found)
            return true
        }
        let issues = cursor.issues(of: found, to: end, plan, limit: limit)
        add(issues)
        guard leavesOut(found, isMade: isMade) else { return true }
        rejected.append(cursor.rejected(Data(cursor.text(to: end)), issues))
        return false
    }

    /// Whether an element with findings is left out.
    func leavesOut(_ found: FindingList, isMade: Bool) -> Bool {
        found.hasErrors && (policy == .skipElement || policy == .collect && !isMade)
    }

    /// Adds the findings of further elements, if each issue is one of the payload.
    mutating func append(contentsOf others: FindingList) { findings.append(contentsOf: others) }

    /// Adds a broken line and skips it; false if it ends the decode.
    mutating func rejects(line issue: MappingIssue, _ cursor: inout ElementCursor) -> Bool {
        guard policy != .fail else { return false }
        add([issue])
        let line = Data(cursor.skipLine())
        rejected.append(RejectedElement(index: cursor.index, path: issue.path, json: line, issues: [issue]))
        return true
    }

    private mutating func add(_ found: [MappingIssue]) {
        let room = max(0, limit - issues.count)
        issues += found.prefix(room)
        omittedCount += max(0, found.count - room)
    }

    /// The outcome of the decode.
    func outcome<Model>(_ models: [Model], _ failure: MappingIssue?) -> DecodeRun.Outcome<[Model]> {
        var issues = issues
        if omittedCount > 0 {
            issues.append(
                MappingIssue(
                    kind: .limit, path: "$", position: TextPosition(),
                    expected: "at most \(limit) issues in one payload", found: "\(omittedCount) more"))
        }
        return DecodeRun.Outcome(
            value: models, count: models.count, failure: failure, issues: issues, rejected: rejected)
    }
}
