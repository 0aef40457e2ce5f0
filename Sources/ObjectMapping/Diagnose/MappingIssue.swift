/// An error or a warning of a payload or a mapping, with its position, and what was expected and found.
///
/// It can be logged: however it is printed, it does not contain values of the payload. ``details`` contains them.
public struct MappingIssue: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The kind of an issue.
    public enum Kind: String, Sendable {
        /// The text is not valid JSON (RFC 8259), or is nested too deeply.
        case syntax
        /// The payload is larger than `MappingLimits` allow, nests too deeply for the thread's stack, or has more issues
        /// than are reported.
        case limit
        /// A required key is absent.
        case missing
        /// A value has the wrong kind.
        case typeMismatch
        /// A number is out of range.
        case outOfRange
        /// The conversion would lose information, such as the fraction of a number for an integer.
        case lossy
        /// The kind is right, but the content is invalid, such as a string that is not a date.
        case invalidValue
        /// A key path is unresolved.
        case notFound
        /// A mapped key is repeated in an object; the last value is used.
        case duplicateKey
        /// A key that no rule reads; see ``Mapping/unreadKeyIssues(of:at:each:options:)``.
        case unreadKey
        /// Several elements instead of one.
        case manyElements
        /// The mapping itself has an error.
        case mapping
        /// The owner of the objects, such as a `MappingSession`, refuses the decode or an object.
        case dataSource
    }

    /// The kind of the issue.
    public let kind: Kind
    /// The path of the value, such as `$.tasks[3].assigned_user_id`.
    public let path: String
    /// The line of the value, starting at 1; 0 if the payload is not text.
    public let line: Int
    /// The column of the value in Unicode scalars, starting at 1; 0 if the payload is not text.
    public let column: Int
    /// The offset of the value in bytes.
    public let offset: Int
    /// The rule for the value, such as `assigned_user_id -> Task.assignedUserID`.
    public let rule: String?
    /// What was expected, such as "an integer".
    public let expected: String
    /// What was found, such as "a string".
    public let found: String
    /// Names similar to a missing one, best first.
    public let suggestions: [String]
    /// The start of the raw value; only printed in ``details``.
    public let value: String?
    /// Whether the payload is mapped nevertheless: a duplicate key, or an issue of an element that a rule skips.
    public let isWarning: Bool

    package init(
        kind: Kind, path: String, position: TextPosition = .unknown, rule: String? = nil, expected: String,
        found: String, suggestions: [String] = [], value: String? = nil, isWarningOnly: Bool = false
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
        isWarning = kind == .duplicateKey || isWarningOnly
    }

    /// An error in a mapping or its use.
    static func mapping(
        _ expected: String, _ found: String, rule: String? = nil, suggestions: [String] = []
    ) -> MappingIssue {
        MappingIssue(kind: .mapping, path: "$", rule: rule, expected: expected, found: found, suggestions: suggestions)
    }

    /// An issue of the whole payload.
    static func payload(_ kind: Kind, _ expected: String, _ found: String, value: String? = nil) -> MappingIssue {
        MappingIssue(
            kind: kind, path: "$", position: TextPosition(), expected: expected, found: found, value: value)
    }

    /// The message without the position.
    public var message: String {
        var text = "expected \(expected), found \(found)"
        if let rule { text += " (rule \(rule))" }
        return text + suggestionText(suggestions)
    }

    /// The position and the message on one line, without values.
    public var description: String {
        switch (kind, line) {
        case (.mapping, _): message
        case (_, 0): "\(path): \(message)"
        default: "\(line):\(column) \(path): \(message)"
        }
    }

    /// The `description` with the value, which may be private data: do not log it.
    public var details: String { description + (value.map { ", value \($0)" } ?? "") }

    /// The properties in the description, without the value.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["kind": kind.rawValue, "path": path, "line": line, "column": column, "message": message])
    }
}

/// The reason why a payload was not mapped: all of its issues, in the order of the text.
///
/// It can be logged: however it is printed, it does not contain values of the payload. ``details`` contains them.
public struct MappingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issues; not empty.
    public let issues: [MappingIssue]

    package init(_ issues: [MappingIssue]) { self.issues = issues }

    package init(_ issue: MappingIssue) { issues = [issue] }

    /// The first 20 issues, one per line, without values of the payload, and the number of the others.
    public var description: String { firstLines(issues, "issues").joined(separator: "\n") }

    /// The issues, one per line, with the values, which may be private data: do not log them.
    public var details: String { issues.map(\.details).joined(separator: "\n") }
}

/// Returns the descriptions of the first 20 elements, and the number of the others.
///
/// - Parameter noun: What the elements are, such as "issues".
package func firstLines(_ elements: some Collection<some CustomStringConvertible>, _ noun: String) -> [String] {
    let limit = 20
    let lines = elements.prefix(limit).map(\.description)
    return elements.count > limit ? lines + ["and \(elements.count - limit) more \(noun)"] : lines
}

extension MappingError: LocalizedError {
    /// The first issues, one per line, without values of the payload.
    public var errorDescription: String? { description }
}
