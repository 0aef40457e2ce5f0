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
