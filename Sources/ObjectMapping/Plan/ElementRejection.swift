/// What becomes of the elements of a collection in which something was found.
struct ElementRejection {
    private let plan: Plan
    private let policy: MappingReport.Policy
    private let limits: MappingLimits
    /// Whether an element can be longer than one may be.
    private let mayBeTooLong: Bool
    /// What was found in all elements, where each issue is one of the payload.
    private(set) var findings: FindingList
    private var issues: [MappingIssue] = []
    /// Issues beyond those that are told.
    private var omitted = 0
    private var rejected: [RejectedElement] = []

    init(_ plan: Plan, _ policy: MappingReport.Policy, _ limits: MappingLimits, byteCount: Int) {
        self.plan = plan
        self.policy = policy
        self.limits = limits
        mayBeTooLong = byteCount > limits.elementByteCount
        findings = FindingList(limit: limits.issueCount)
    }

    /// Why an element is not even read: there are too many.
    @inline(__always) func failure(before place: Bytes, _ cursor: inout ElementCursor) -> MappingIssue? {
        cursor.index < limits.elementCount ? nil : tooMany(place, &cursor)
    }

    @inline(never) private func tooMany(_ place: Bytes, _ cursor: inout ElementCursor) -> MappingIssue {
        MappingIssue(
            kind: .limit, path: cursor.steps.text, position: cursor.position(of: place),
            expected: "at most \(limits.elementCount) elements", found: "more")
    }

    /// Whether an element has to be judged at all.
    @inline(__always) func mustLook(at reader: borrowing PlanReader) -> Bool {
        !reader.findings.isEmpty || mayBeTooLong
    }

    /// Whether the model of an element is kept, if there is one; what was found in it goes where the policy wants it.
    @inline(never) mutating func accepts(
        _ place: Bytes, _ end: Bytes, _ reader: inout PlanReader, _ cursor: inout ElementCursor, isMade: Bool
    ) -> Bool {
        let length = reader.offset(end) - reader.offset(place)
        if length > limits.elementByteCount {
            reader.note(
                .limit, reader.offset(place), "an element of at most \(limits.elementByteCount) bytes",
                "one of \(length)")
        }
        if reader.findings.isEmpty { return true }
        if policy == .fail {
            findings.append(contentsOf: reader.findings)
            return true
        }
        let steps = cursor.steps
        let json = cursor.window.bytes(from: place, to: end)
        let found = plan.issues(
            reader.findings, in: json, at: cursor.position(of: place), under: steps, limit: limits.issueCount)
        add(found)
        guard leavesOut(hasErrors: reader.findings.hasErrors, isMade: isMade) else { return true }
        rejected.append(RejectedElement(index: cursor.index, path: steps.text, json: Data(json), issues: found))
        return false
    }

    /// Whether an element is left out once its turn comes.
    func leavesOut(_ remark: ElementChunk.Remark) -> Bool {
        let length = remark.end.map { remark.cursor.window.offset($0) - remark.cursor.window.offset(remark.place) }
        let hasErrors = remark.findings.hasErrors || length ?? 0 > limits.elementByteCount
        return leavesOut(hasErrors: hasErrors, isMade: remark.isMade)
    }

    private func leavesOut(hasErrors: Bool, isMade: Bool) -> Bool {
        hasErrors && (policy == .skipElement || policy == .collect && !isMade)
    }

    /// Takes over what was found in the elements that follow, where each issue is one of the payload.
    mutating func append(contentsOf others: FindingList) { findings.append(contentsOf: others) }

    /// Whether a broken line is left out like any other element, instead of ending the decode.
    mutating func rejects(line issue: MappingIssue, _ cursor: inout ElementCursor) -> Bool {
        guard policy != .fail else { return false }
        add([issue])
        let line = Data(cursor.skipLine())
        rejected.append(RejectedElement(index: cursor.index, path: issue.path, json: line, issues: [issue]))
        return true
    }

    private mutating func add(_ found: [MappingIssue]) {
        let room = max(0, limits.issueCount - issues.count)
        issues += found.prefix(room)
        omitted += max(0, found.count - room)
    }

    /// The outcome of the decode.
    func outcome<Model>(_ models: [Model], _ failure: MappingIssue?) -> DecodeRun.Outcome<[Model]> {
        var issues = issues
        if omitted > 0 {
            issues.append(
                MappingIssue(
                    kind: .limit, path: "$", position: TextPosition(),
                    expected: "at most \(limits.issueCount) issues in one payload", found: "\(omitted) more"))
        }
        return DecodeRun.Outcome(
            value: models, count: models.count, failure: failure, issues: issues, rejected: rejected)
    }
}
