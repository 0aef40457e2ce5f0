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

    /// What is odd about the payload without being wrong: mapped keys that stand twice.
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
