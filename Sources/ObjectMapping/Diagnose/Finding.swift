/// An issue as it is noted while a plan runs: the place is an offset, everything else is worked out afterwards.
struct Finding {
    var kind: MappingIssue.Kind
    /// Bytes from the start of the text.
    var offset: Int
    var rule: Int32
    var expected: String
    var found: String
    /// The key that is absent from the object at `offset`.
    var missingKey: String?
    var suggestions: [String] = []
    var value: String?
    /// The rule where it is none of the plan's.
    var ruleName: String?
    /// Where in bytes that were computed of a value, if the value has another place there.
    var computedOffset: Int?
    /// The row that was being read, by `RowBuffer.openSerial`.
    var row = 0
    /// Whether it belongs to an element that a rule leaves out, so that the payload is mapped all the same.
    var isTolerated = false

    var isWarning: Bool { kind == .duplicateKey || isTolerated }
}

/// The findings of a decode: so many errors and so many warnings are kept, the rest is counted.
///
/// `count` grows with each one all the same, so that whether something was found is told by comparing it.
struct FindingList {
    private(set) var kept: [Finding] = []
    /// How many were noted, kept or not.
    private(set) var count = 0
    /// What `count` was before the last error; -1 without any.
    private var lastError = -1
    private var keptErrors = 0
    /// How many of each sort are kept: one more than are told, which is where the telling ends.
    private let most: Int

    /// - Parameter limit: How many are told.
    init(limit: Int) { most = min(max(0, limit), .max - 1) + 1 }

    var isEmpty: Bool { count == 0 }
    var isOverflowing: Bool { kept.count < count }
    var hasErrors: Bool { lastError >= 0 }
    /// The last one that was kept.
    var last: Finding? { kept.last }

    /// Whether there is an error among those behind the first so many.
    func hasErrors(since first: Int) -> Bool { lastError >= first }

    mutating func append(_ finding: Finding) {
        if !finding.isWarning { lastError = count }
        count += 1
        let isKept = finding.isWarning ? kept.count - keptErrors < most : keptErrors < most
        guard isKept else { return }
        if !finding.isWarning { keptErrors += 1 }
        kept.append(finding)
    }

    mutating func append(contentsOf other: FindingList) {
        let dropped = other.count - other.kept.count
        for finding in other.kept { append(finding) }
        count += dropped
    }

    /// Puts those kept behind the first so many at another place.
    mutating func move(from first: Int, to offset: Int) {
        change(from: first) { ($0.offset, $0.computedOffset) = (offset, nil) }
    }

    /// Changes those kept behind the first so many.
    mutating func change(from first: Int, _ body: (inout Finding) -> Void) {
        for index in first..<kept.count { body(&kept[index]) }
    }

    /// Turns the errors since a state into warnings.
    mutating func tolerate(since earlier: FindingList) {
        change(from: earlier.kept.count) { $0.isTolerated = true }
        (lastError, keptErrors) = (earlier.lastError, earlier.keptErrors)
    }

    mutating func removeAll() {
        kept.removeAll(keepingCapacity: true)
        (count, lastError, keptErrors) = (0, -1, 0)
    }
}

extension Plan {
    /// The findings in a text, or in one element of it, as issues: at most so many, and one that says how many more.
    ///
    /// - Parameters:
    ///   - text: the payload or element, in which the findings' offsets count from `base`.
    ///   - base: the place of its first byte in the payload.
    ///   - prefix: the element's path.
    ///   - limit: how many are told.
    func issues(
        _ findings: FindingList, in text: ByteView, at base: TextPosition = TextPosition(),
        under prefix: [JSONPathStep]? = nil, limit: Int
    ) -> [MappingIssue] {
        let steps = prefix ?? []
        guard findings.count > limit else { return located(findings.kept, in: text, at: base, under: steps) }
        // Warnings are left out first: then the issue of what was left out is an error only where others are.
        let ranked = findings.kept.sorted { ($0.isWarning ? 1 : 0, $0.offset) < ($1.isWarning ? 1 : 0, $1.offset) }
        let next = ranked[limit]
        var rest = Finding(
            kind: next.kind == .duplicateKey ? next.kind : .limit, offset: next.offset, rule: -1,
            expected: "at most \(limit) issues in one \(prefix == nil ? "payload" : "element")",
            found: "\(findings.count - limit) more")
        rest.isTolerated = next.isTolerated
        return located(Array(ranked.prefix(limit)), in: text, at: base, under: steps)
            + located([rest], in: text, at: base, under: steps)
    }

    /// One finding in a text as an issue.
    func issue(_ finding: Finding, in text: ByteView) -> MappingIssue? {
        located([finding], in: text, at: TextPosition(), under: []).first
    }

    private func located(
        _ findings: [Finding], in text: ByteView, at base: TextPosition, under prefix: [JSONPathStep]
    ) -> [MappingIssue] {
        let sorted = findings.sorted { $0.offset < $1.offset }
        let places = JSONTokenizer.places(
            offsets: sorted.map { $0.offset - base.offset }, in: text, origin: base, prefix: prefix)
        return zip(sorted, places).map { issue($0, at: $1.path, $1.position) }
    }

    /// A finding whose place is known as an issue.
    func issue(_ finding: Finding, at steps: [JSONPathStep], _ position: TextPosition) -> MappingIssue {
        let path = finding.missingKey.map { steps + [.key($0)] } ?? steps
        return MappingIssue(
            kind: finding.kind, path: path.text, position: position,
            rule: finding.rule >= 0 ? rules[Int(finding.rule)].description : finding.ruleName,
            expected: finding.expected,
            found: finding.found, suggestions: finding.suggestions, value: finding.value,
            isTolerated: finding.isTolerated)
    }
}
