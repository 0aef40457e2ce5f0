/// An issue as recorded by a running plan: only the offset is stored, other properties are calculated later.
struct Finding {
    var kind: MappingIssue.Kind
    /// The offset in the text, in bytes.
    var offset: Int
    var rule: Int32
    var expected: String
    var found: String
    /// The path from the value at `offset`, such as a key that is absent from an object.
    var below: [JSONPathStep] = []
    var suggestions: [String] = []
    var value: String?
    /// The name of a rule that does not belong to the plan.
    var ruleName: String?
    /// The offset in computed bytes, if it differs.
    var computedOffset: Int?
    /// The row that was being read (`RowBuffer.openSerial`).
    var row = 0
    /// In rows, the rules of further columns that have no value for the same reason.
    var otherRules: [Int32] = []
    /// Whether it belongs to a skipped element, so that it does not prevent mapping.
    var isWarningOnly = false

    var isWarning: Bool { kind == .duplicateKey || isWarningOnly }

    /// Moves it to a part of the value.
    mutating func move(by inside: Int, hasPlaces: Bool) {
        // Created bytes have no positions in the text.
        if hasPlaces { offset += inside }
        computedOffset = computedOffset.map { $0 + inside }
    }
}

/// The findings of a decode: a limited number of errors and warnings is stored, others are counted.
///
/// `count` grows with each finding, so that comparing it detects new findings.
struct FindingList {
    private(set) var kept: [Finding] = []
    /// The number of findings, whether stored or not.
    private(set) var count = 0
    /// The value of `count` before the last error; -1 without errors.
    private var lastError = -1
    private var keptErrors = 0
    private var duplicateKeys = 0
    /// Whether a duplicate key followed another finding, which may belong to a value that it replaces.
    private(set) var mayBelongToReplacedValues = false
    /// The maximum number of stored errors, and of stored warnings: one more than are reported.
    private let most: Int

    /// - Parameter limit: The maximum number of reported findings.
    init(limit: Int) { most = min(max(0, limit), .max - 1) + 1 }

    var isEmpty: Bool { count == 0 }
    var isOverflowing: Bool { kept.count < count }
    var hasErrors: Bool { lastError >= 0 }
    var hasDuplicateKeys: Bool { duplicateKeys > 0 }
    /// The last stored finding.
    var last: Finding? { kept.last }

    /// The stored warnings about duplicate keys.
    var duplicates: [Finding] { kept.filter { $0.kind == .duplicateKey } }

    /// Whether there is an error after a number of findings.
    func hasErrors(since first: Int) -> Bool { lastError >= first }

    mutating func append(_ finding: Finding) {
        if finding.kind == .duplicateKey {
            if count > duplicateKeys { mayBelongToReplacedValues = true }
            duplicateKeys += 1
        }
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

    /// Moves the stored findings after a number of findings to another offset.
    mutating func move(from first: Int, to offset: Int) {
        change(from: first) { ($0.offset, $0.computedOffset) = (offset, nil) }
    }

    /// Changes the stored findings after a number of findings.
    mutating func change(from first: Int, _ body: (inout Finding) -> Void) {
        for index in first..<kept.count { body(&kept[index]) }
    }

    /// Converts the errors since an earlier state to warnings.
    mutating func tolerate(since earlier: FindingList) {
        change(from: earlier.kept.count) { $0.isWarningOnly = true }
        (lastError, keptErrors) = (earlier.lastError, earlier.keptErrors)
    }

    mutating func removeAll() {
        kept.removeAll(keepingCapacity: true)
        (count, lastError, keptErrors, duplicateKeys) = (0, -1, 0, 0)
        mayBelongToReplacedValues = false
    }
}

extension Plan {
    /// Converts the findings in a text, or in one element of it, to issues, up to a limit; one more issue contains the
    /// number of others.
    ///
    /// - Parameters:
    ///   - text: The payload or element, in which the findings' offsets start at `base`.
    ///   - base: The position of its first byte in the payload.
    ///   - prefix: The path of the element.
    ///   - limit: The maximum number of issues.
    func issues(
        _ findings: FindingList, in text: ByteView, at base: TextPosition = TextPosition(),
        under prefix: [JSONPathStep]? = nil, limit: Int
    ) -> [MappingIssue] {
        let steps = prefix ?? []
        guard findings.count > limit else { return rules.located(findings.kept, in: text, at: base, under: steps) }
        // Warnings are omitted first, so that the issue of the limit is an error only if errors are omitted.
        let ranked = findings.kept.sorted { ($0.isWarning ? 1 : 0, $0.offset) < ($1.isWarning ? 1 : 0, $1.offset) }
        let next = ranked[limit]
        var rest = Finding(
            kind: next.kind == .duplicateKey ? next.kind : .limit, offset: next.offset, rule: -1,
            expected: "at most \(limit) issues in one \(prefix == nil ? "payload" : "element")",
            found: "\(findings.count - limit) more")
        rest.isWarningOnly = next.isWarningOnly
        return rules.located(Array(ranked.prefix(limit)), in: text, at: base, under: steps)
            + rules.located([rest], in: text, at: base, under: steps)
    }

    /// Converts one finding in a text to an issue.
    func issue(_ finding: Finding, in text: ByteView) -> MappingIssue? {
        rules.located([finding], in: text).first
    }
}

extension [Plan.Rule] {
    /// Converts findings in a text, or in one element of it, to issues.
    func located(
        _ findings: [Finding], in text: ByteView, at base: TextPosition = TextPosition(),
        under prefix: [JSONPathStep] = []
    ) -> [MappingIssue] {
        let sorted = findings.sorted { $0.offset < $1.offset }
        let places = JSONTokenizer.places(
            offsets: sorted.map { $0.offset - base.offset }, in: text, origin: base, prefix: prefix)
        return zip(sorted, places).map { issue($0, at: $1.path, $1.position) }
    }

    /// Converts a finding with a known position to an issue.
    func issue(_ finding: Finding, at steps: [JSONPathStep], _ position: TextPosition) -> MappingIssue {
        MappingIssue(
            kind: finding.kind, path: (steps + finding.below).text, position: position,
            rule: finding.rule >= 0 ? self[Int(finding.rule)].description : finding.ruleName,
            expected: finding.expected,
            found: finding.found, suggestions: finding.suggestions, value: finding.value,
            isWarningOnly: finding.isWarningOnly)
    }
}
