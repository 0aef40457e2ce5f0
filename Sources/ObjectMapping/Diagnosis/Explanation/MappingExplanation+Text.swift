extension MappingExplanation: CustomStringConvertible, CustomDebugStringConvertible {
    /// The explanation, a rule a line, without any value of the payload.
    public var description: String { text(values: false) }

    /// As `description`, with the values.
    public var debugDescription: String { text(values: true) }

    private func text(values: Bool) -> String {
        var lines = issues.map { values ? $0.debugDescription : $0.description }
        for object in objects { object.write(to: &lines, indent: "", values: values) }
        for connection in unresolved {
            let keys = values ? ": \(connection.keys.joined(separator: "; "))" : ""
            lines.append(
                "\(connection.connection)\(connection.count == 1 ? "" : " in \(connection.count) objects")\(keys)")
        }
        if hasMore { lines.append("… more elements, not read") }
        if lines.isEmpty { lines.append("no elements") }
        return lines.joined(separator: "\n")
    }
}

extension MappingExplanation.Object {
    fileprivate func write(to lines: inout [String], indent: String, values: Bool) {
        let place = line > 0 ? " (\(line):\(column))" : ""
        lines.append("\(indent)\(path) \(model)\(place)\(isMade ? "" : ": no model made")")
        let inner = indent + "  "
        for issue in issues { lines.append(inner + "\(values ? issue.debugDescription : issue.description)") }
        for rule in rules { rule.write(to: &lines, indent: inner, values: values) }
        if !unreadKeys.isEmpty {
            lines.append("\(inner)keys nobody read: \(unreadKeys.map(\.text).joined(separator: ", "))")
        }
    }
}

extension MappingExplanation.Rule: CustomStringConvertible, CustomDebugStringConvertible {
    /// The rule and what it did, on one line, without any value of the payload.
    public var description: String { text(values: false) }

    /// As `description`, with the value.
    public var debugDescription: String { text(values: true) }

    fileprivate func write(to lines: inout [String], indent: String, values: Bool) {
        lines.append(indent + text(values: values))
        for object in objects { object.write(to: &lines, indent: indent + "  ", values: values) }
        let rest = objectCount - objects.count
        if rest > 0 { lines.append("\(indent)  … \(rest) more \(rest == 1 ? "object" : "objects")") }
    }

    private func text(values: Bool) -> String {
        var text = "\(rule): "
        if line > 0 { text += "\(line):\(column) " }
        if let path { text += "\(path), " }
        text += "\(found)\(values ? value.map { " \($0)" } ?? "" : ""): \(outcomeText(values: values))"
        if let best = suggestions.first { text += "; did you mean '\(best)'?" }
        return text
    }
}

extension MappingExplanation.Rule {
    private func outcomeText(values: Bool) -> String {
        let count = modelCount == objectCount ? "\(objectCount)" : "\(modelCount) of \(objectCount)"
        return switch outcome {
        case .set where objectCount > 0: "set, \(count) \(objectCount == 1 ? "object" : "objects")"
        case .set: "set"
        case .converted(let type): "set, converted to \(type)"
        case .cleared: "cleared"
        case .absent: "left alone"
        case .skipped(let reason): reason
        case .failed(let issues): issues.map { text(of: $0, values: values) }.joined(separator: "; ")
        }
    }

    /// An issue on the line of its rule: without the rule, and without a path that stands there already.
    private func text(of issue: MappingIssue, values: Bool) -> String {
        var text = issue.path == path || path == nil ? "" : "\(issue.path): "
        text += "expected \(issue.expected), found \(issue.found)"
        if let best = issue.suggestions.first { text += "; did you mean '\(best)'?" }
        if values, issue.path != path, let value = issue.value { text += ", value \(value)" }
        return text
    }
}

extension MappingExplanation.UnreadKey {
    fileprivate var text: String { key + (suggestions.first.map { " (near '\($0)')" } ?? "") }
}
