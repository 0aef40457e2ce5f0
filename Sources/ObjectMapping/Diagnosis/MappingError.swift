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
