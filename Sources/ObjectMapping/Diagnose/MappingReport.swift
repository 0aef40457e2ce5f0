/// Sets the policy of a decode for elements with issues, and receives issues and skipped elements.
///
/// ```swift
/// var report = MappingReport(policy: .skipElement)
/// let tasks = try Task.mapping.mapAll(data, report: &report)
/// for rejected in report.rejected { print(rejected.issues) }
/// ```
///
/// Invalid JSON, a payload that exceeds its limits and a missing value at the key path always throw. A decode that
/// throws adds nothing to the report: its issues are in the error.
public struct MappingReport: Sendable {
    /// Handles elements with issues.
    ///
    /// An element is one element of the collection that `mapAll` reads, including its nested objects: an issue anywhere
    /// in it is an issue of the element. For `map` and `update`, the payload is one element. Warnings do not make an
    /// element invalid.
    public enum Policy: Sendable {
        /// The decode throws, with all issues of the payload.
        case fail
        /// The element is skipped and added to `rejected`; `map` and `update` throw.
        case skipElement
        /// The element keeps the values that could be read; its issues are in `issues`.
        ///
        /// A property whose value has an issue is unchanged, as for an absent key. An element without a model – it is
        /// not an object, or its model is created with an initializer from values with issues – is skipped and added to
        /// `rejected`; `map` and `update` throw.
        case collect
    }

    /// The policy for elements with issues.
    ///
    /// Defaults to `.fail`.
    public let policy: Policy
    /// All issues, including warnings and those of rejected elements, in the order of the text, up to the limit.
    public package(set) var issues: [MappingIssue] = []
    /// All skipped elements, in the order of the text.
    public package(set) var rejected: [RejectedElement] = []

    /// Issues that do not prevent mapping: duplicate keys, and issues of elements skipped by rules with
    /// `skippingInvalidElements`.
    public var warnings: [MappingIssue] { issues.filter(\.isWarning) }

    /// Creates an empty report.
    ///
    /// - Parameter policy: The policy for elements with issues. Defaults to `.fail`.
    public init(policy: Policy = .fail) { self.policy = policy }
}

extension MappingReport: CustomStringConvertible {
    /// The first 20 issues and rejected elements, one per line, without values of the payload.
    public var description: String {
        (firstLines(issues, "issues") + firstLines(rejected, "skipped elements")).joined(separator: "\n")
    }

    /// The issues and the rejected elements, one per line, with the values, which may be private data: do not log them.
    public var details: String { (issues.map(\.details) + rejected.map(\.details)).joined(separator: "\n") }
}

/// An element that was skipped because of its issues, with its text.
public struct RejectedElement: Sendable, Hashable {
    /// Its index in the collection.
    public let index: Int
    /// Its path, such as `$.tasks[3]`.
    public let path: String
    /// Its unchanged text in UTF-8.
    public let json: Data
    /// Its issues.
    public let issues: [MappingIssue]

    package init(index: Int, path: String, json: Data, issues: [MappingIssue]) {
        (self.index, self.path, self.json, self.issues) = (index, path, json, issues)
    }
}

extension RejectedElement: CustomStringConvertible, CustomReflectable {
    /// Its path and the number of its issues on one line, without values.
    public var description: String {
        "\(path): skipped because of \(issues.count) \(issues.count == 1 ? "issue" : "issues")"
    }

    /// The `description` with its text, which may contain private data: do not log it.
    public var details: String { "\(description), \(String(decoding: json, as: UTF8.self))" }

    /// The properties without the text.
    public var customMirror: Mirror {
        Mirror(self, children: ["index": index, "path": path, "byteCount": json.count, "issues": issues])
    }
}

/// The issues of a collection's elements, and the elements that are skipped because of them, by the policy of a decode.
struct ElementReport {
    private let plan: Plan
    private let policy: MappingReport.Policy
    private let limit: Int
    /// The findings of all elements, if each issue is one of the payload.
    private(set) var findings: FindingList
    private var issues: [MappingIssue] = []
    /// The number of issues beyond the limit.
    private var omittedCount = 0
    private var rejected: [RejectedElement] = []

    init(_ plan: Plan, _ policy: MappingReport.Policy, _ limits: MappingLimits) {
        self.plan = plan
        self.policy = policy
        limit = limits.issueCount
        findings = FindingList(limit: limit)
    }

    /// Adds the findings of the element at a cursor; returns false if the element is skipped.
    @inline(never) mutating func accepts(
        _ cursor: inout ElementCursor, to end: Bytes, _ found: FindingList, isMade: Bool
    ) -> Bool {
        if policy == .fail {
            findings.append(contentsOf: found)
            return true
        }
        let issues = cursor.issues(of: found, to: end, plan, limit: limit)
        add(issues)
        guard skips(found, isMade: isMade) else { return true }
        rejected.append(cursor.rejected(Data(cursor.text(to: end)), issues))
        return false
    }

    /// Whether an element with findings is skipped.
    func skips(_ found: FindingList, isMade: Bool) -> Bool {
        found.hasErrors && (policy == .skipElement || policy == .collect && !isMade)
    }

    /// Adds the findings of further elements, if each issue is one of the payload.
    mutating func append(contentsOf others: FindingList) { findings.append(contentsOf: others) }

    /// Adds an invalid line and skips it; returns false if it ends the decode.
    mutating func rejects(line issue: MappingIssue, _ cursor: inout ElementCursor) -> Bool {
        guard policy != .fail else { return false }
        add([issue])
        let line = Data(cursor.skipLines())
        rejected.append(RejectedElement(index: cursor.index, path: issue.path, json: line, issues: [issue]))
        return true
    }

    private mutating func add(_ found: [MappingIssue]) {
        let room = max(0, limit - issues.count)
        issues += found.prefix(room)
        omittedCount += max(0, found.count - room)
    }

    /// Returns the outcome of the decode.
    func outcome(_ modelCount: Int, _ failure: MappingIssue?) -> DecodeRun.Outcome {
        var issues = issues
        if omittedCount > 0 {
            issues.append(.payload(.limit, "at most \(limit) issues in one payload", "\(omittedCount) more"))
        }
        return DecodeRun.Outcome(count: modelCount, failure: failure, issues: issues, rejected: rejected)
    }
}
