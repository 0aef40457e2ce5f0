/// What a decode has to say beside its models, and what it shall do with elements that have issues.
///
/// ```swift
/// var report = MappingReport(policy: .skipElement)
/// let tasks = try Task.mapping.mapAll(data, report: &report)
/// for rejected in report.rejected { print(rejected.issues) }
/// ```
public struct MappingReport: Sendable {
    /// What becomes of an element with issues.
    public enum Policy: Sendable {
        /// The decode throws, with every issue of the payload.
        case fail
        /// The element is left out whole, and kept in `rejected`.
        case skipElement
        /// The element keeps what could be read; its issues are in `issues`.
        case collect
    }

    /// What becomes of an element with issues; `.fail` by default.
    public let policy: Policy
    /// Every issue, warnings too.
    public package(set) var issues: [MappingIssue] = []
    /// The elements that were left out.
    public package(set) var rejected: [RejectedElement] = []

    /// What is odd about the payload without being wrong: mapped keys that stand twice.
    public var warnings: [MappingIssue] { issues.filter(\.isWarning) }

    /// An empty report.
    public init(policy: Policy = .fail) { self.policy = policy }
}
