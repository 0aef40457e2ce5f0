/// One thing that is wrong with a payload or a mapping: what, where, and what was expected instead.
///
/// `description` never holds a value of the payload, so it may be logged; `debugDescription` does.
public struct MappingIssue: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What sort of thing is wrong.
    public enum Kind: String, Sendable {
        /// The text is no JSON (RFC 8259), or nests too deep.
        case syntax
        /// The payload is larger than `MappingLimits` allow, nests too deeply for the thread's stack, or has more issues
        /// than are reported.
        case limit
        /// A required key is absent.
        case missing
        /// A value is of another kind.
        case typeMismatch
        /// A number does not fit.
        case outOfRange
        /// The conversion would lose something, as a fraction for an integer.
        case lossy
        /// The kind is right, the content is not, as a text that is no date.
        case invalidValue
        /// A key path leads nowhere.
        case notFound
        /// A mapped key stands twice in one object; the last one wins.
        case duplicateKey
        /// A key that no rule reads; see ``Mapping/unreadKeyIssues(of:at:each:options:)``.
        case unreadKey
        /// Several elements where one is mapped.
        case manyElements
        /// The mapping itself is wrong.
        case mapping
        /// The owner of the objects, such as a `MappingSession`, refuses the decode or an object.
        case dataSource
    }

    /// What sort of thing is wrong.
    public let kind: Kind
    /// The path of the value, as `$.tasks[3].assigned_user_id`.
    public let path: String
    /// Line of the value, from 1; 0 if the value came without its text.
    public let line: Int
    /// Column of the value in Unicode scalars, from 1; 0 if the value came without its text.
    public let column: Int
    /// Bytes before the value.
    public let offset: Int
    /// The rule that wanted the value, as `assigned_user_id -> Task.assignedUserID`.
    public let rule: String?
    /// What was expected, as "an integer".
    public let expected: String
    /// What was found instead, as "a string".
    public let found: String
    /// Names near the one that was not found, best first.
    public let suggestions: [String]
    /// The start of the value as it stood; for `debugDescription` only.
    public let value: String?
    /// Whether the payload is mapped all the same: a repeated key, or an issue of an element that a rule leaves out.
    public let isWarning: Bool

    package init(
        kind: Kind, path: String, position: TextPosition = .unknown, rule: String? = nil, expected: String,
        found: String, suggestions: [String] = [], value: String? = nil, isTolerated: Bool = false
    ) {
        self.kind = kind
        self.path = path
        self.line = position.line
        self.column = position.column
        self.offset = position.offset
        self.rule = rule
        self.expected = expected
        self.found = found
        self.suggestions = suggestions
        self.value = value
        isWarning = kind == .duplicateKey || isTolerated
    }

    /// A mistake in a mapping, or in what is asked of it.
    static func mapping(
        _ expected: String, _ found: String, rule: String? = nil, suggestions: [String] = []
    ) -> MappingIssue {
        MappingIssue(kind: .mapping, path: "$", rule: rule, expected: expected, found: found, suggestions: suggestions)
    }

    /// An issue of a payload as a whole.
    static func payload(_ kind: Kind, _ expected: String, _ found: String, value: String? = nil) -> MappingIssue {
        MappingIssue(
            kind: kind, path: "$", position: TextPosition(), expected: expected, found: found, value: value)
    }

    /// What is wrong, without the place.
    public var message: String {
        var text = "expected \(expected), found \(found)"
        if let rule { text += " (rule \(rule))" }
        if let best = suggestions.first { text += "; did you mean '\(best)'?" }
        return text
    }

    /// The place and what is wrong, on one line, without any value.
    public var description: String {
        switch (kind, line) {
        case (.mapping, _): message
        case (_, 0): "\(path): \(message)"
        default: "\(line):\(column) \(path): \(message)"
        }
    }

    /// As `description`, with the value.
    public var debugDescription: String { description + (value.map { ", value \($0)" } ?? "") }
}

/// Why a payload was not mapped: every issue in it, in the order of the text.
public struct MappingError: Error, Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What is wrong; never empty.
    public let issues: [MappingIssue]

    package init(_ issues: [MappingIssue]) { self.issues = issues }

    package init(_ issue: MappingIssue) { issues = [issue] }

    /// The issues, one a line, without any value of the payload.
    public var description: String { issues.map(\.description).joined(separator: "\n") }

    /// The issues, one a line, with the values.
    public var debugDescription: String { issues.map(\.debugDescription).joined(separator: "\n") }
}

extension MappingError: LocalizedError {
    /// The issues, one a line, without any value of the payload.
    public var errorDescription: String? { description }
}
