import ObjectMapping

extension MappingIssue {
    /// Returns advice for a text whose elements are not arranged as the name of its file says; `nil` for other errors.
    ///
    /// - Parameters:
    ///   - areLines: Whether the text was read as one element per line.
    ///   - remedy: How the text gets another name. Defaults to `rename it to`.
    func adviceOnLines(areLines: Bool, remedy: String = "rename it to") -> String? {
        guard areLines else {
            guard expected == "the end of the text", ["'{'", "'['"].contains(found) else { return nil }
            return line == 2 && column == 1
                ? "If it contains one element per line, \(remedy) a name that ends in .ndjson."
                : "If it contains several elements, write them as one array, or one per line to a file with a name that "
                    + "ends in .ndjson."
        }
        let endsLine = found == "the end of the line"
        if line == 1, path == "$" && found == "an array" || endsLine && path.hasPrefix("$[") {
            return "If it contains one array, \(remedy) a name that ends in .json."
        }
        guard
            endsLine && expected == "a key in quotes or '}'"
                || expected == "the end of the text" && found == "text after the value"
        else { return nil }
        return "Write each element on its own line, or all as one array to a file with a name that ends in .json."
    }
}
