/// What a decode has to say beside its models, and what it shall do with elements that have issues.
///
/// ```swift
/// var report = MappingReport(policy: .skipElement)
/// let tasks = try Task.mapping.mapAll(data, report: &report)
/// for rejected in report.rejected { print(rejected.issues) }
/// ```
///
/// Broken JSON, a payload beyond its limits and a key path at which nothing stands always throw. A decode that throws
/// adds nothing to the report: all it has to say is in the error.
public struct MappingReport: Sendable {
    /// What becomes of an element with issues.
    ///
    /// An element is one of the collection that `mapAll` reads, as a whole: an issue anywhere in it is one of the
    /// element, be it in an object of a relationship. What `map` and `update` read is one element. Warnings alone
    /// never make an element wrong.
    public enum Policy: Sendable {
        /// The decode throws, with every issue of the payload.
        case fail
        /// The element is left out whole, and kept in `rejected`; `map` and `update`, which have one only, throw.
        case skipElement
        /// The element keeps what could be read; its issues are in `issues`.
        ///
        /// A property whose value has an issue stays as if its key was absent. An element of which no model can be
        /// made – it is no object, or the model is made at once of values with issues – is left out and kept in
        /// `rejected`; of `map` and `update` that throws.
        case collect
    }

    /// What becomes of an element with issues; `.fail` by default.
    public let policy: Policy
    /// Every issue, those of rejected elements and warnings too, in the order of the text; as many as the limits allow.
    public package(set) var issues: [MappingIssue] = []
    /// The elements that were left out, all of them, in the order of the text.
    public package(set) var rejected: [RejectedElement] = []

    /// Issues in spite of which the payload is mapped: repeated keys, and those of elements that rules with
    /// `skippingInvalidElements` leave out.
    public var warnings: [MappingIssue] { issues.filter(\.isWarning) }

    /// An empty report.
    ///
    /// - Parameter policy: What becomes of an element with issues.
    public init(policy: Policy = .fail) { self.policy = policy }
}

extension MappingReport: CustomStringConvertible, CustomDebugStringConvertible {
    /// The issues and the rejected elements, one a line, without any value of the payload.
    public var description: String {
        (issues.map(\.description) + rejected.map(\.description)).joined(separator: "\n")
    }

    /// The issues and the rejected elements, one a line, with the values.
    public var debugDescription: String {
        (issues.map(\.debugDescription) + rejected.map(\.debugDescription)).joined(separator: "\n")
    }
}

/// An element that was left out because of its issues, as it stood in the payload.
public struct RejectedElement: Sendable, Hashable {
    /// Its number among the elements of the collection, from 0.
    public let index: Int
    /// Its path, as `$.tasks[3]`.
    public let path: String
    /// Its text as it stood, in UTF-8.
    public let json: Data
    /// What is wrong with it.
    public let issues: [MappingIssue]

    package init(index: Int, path: String, json: Data, issues: [MappingIssue]) {
        self.index = index
        self.path = path
        self.json = json
        self.issues = issues
    }
}

extension RejectedElement: CustomStringConvertible, CustomDebugStringConvertible {
    /// Its path and how many issues it has, on one line, without any value.
    public var description: String {
        "\(path): left out because of \(issues.count) \(issues.count == 1 ? "issue" : "issues")"
    }

    /// As `description`, with its text.
    public var debugDescription: String { "\(description), \(String(decoding: json, as: UTF8.self))" }
}

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
            issues.append(.payload(.limit, "at most \(limit) issues in one payload", "\(omittedCount) more"))
        }
        return DecodeRun.Outcome(
            value: models, count: models.count, failure: failure, issues: issues, rejected: rejected)
    }
}
