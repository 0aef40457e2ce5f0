package import ObjectMapping

/// An issue of a manifest or dump, with its position.
public struct SeedIssue: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The file as specified.
    public let file: String
    /// The line of the value, starting at 1; 0 in a dump in a format other than JSON, which has paths only.
    public let line: Int
    /// The column of the value in Unicode scalars, starting at 1; 0 if the line is 0.
    public let column: Int
    /// The path of the value, such as `$.data.users[1].id`.
    public let path: String
    /// The message.
    ///
    /// It contains no values.
    public let message: String
    /// The source line around the column, for a terminal.
    ///
    /// It contains values.
    package let excerpt: SourceExcerpt?

    package init(
        file: String, position: TextPosition, path: String, message: String, excerpt: SourceExcerpt? = nil
    ) {
        self.file = file
        self.line = position.line
        self.column = position.column
        self.path = path
        self.message = message
        self.excerpt = excerpt
    }

    init(_ issue: MappingIssue, file: String, position: TextPosition? = nil, excerpt: SourceExcerpt?) {
        let own = TextPosition(line: issue.line, column: issue.column, offset: issue.offset)
        self.init(
            file: file, position: position ?? own, path: issue.path, message: issue.message, excerpt: excerpt)
    }

    /// The position and the message: `users.json:3:17 $.data.users[1].id: expected an integer, found a string`.
    public var description: String {
        "\(printable(file))\(line > 0 ? ":\(line):\(column)" : "") \(path): \(printable(message))"
    }

    /// The properties in the description.
    public var customMirror: Mirror {
        Mirror(self, children: ["file": file, "line": line, "column": column, "path": path, "message": message])
    }
}
