import ObjectMapping
import Testing

/// The descriptions of the issues that a piece of code throws, one per line; "" if it throws nothing.
func issues(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch let error as MappingError {
        return error.description
    } catch {
        return "\(error)"
    }
}

extension MappingError {
    /// Whether the text is not JSON.
    var isSyntax: Bool { issues.contains { $0.kind == .syntax } }
}

/// Expects a piece of code to throw issues with these descriptions, one per line.
func expectIssues(
    _ expected: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    let found = issues(body)
    #expect(found == expected, sourceLocation: sourceLocation)
}
