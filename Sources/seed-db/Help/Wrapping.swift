/// Wraps parts, separated by spaces, into lines up to a width; longer parts are not split.
///
/// - Parameter indent: The indentation of all lines but the first. Defaults to 0.
func lines(of parts: [String], width: Int, indent: Int = 0) -> [String] {
    parts.reduce(into: [String]()) { lines, part in
        if let last = lines.last, last.count + 1 + part.count <= width {
            lines[lines.count - 1] = "\(last) \(part)"
        } else {
            lines.append(String(repeating: " ", count: lines.isEmpty ? 0 : indent) + part)
        }
    }
}

/// Wraps a text into lines up to a width; longer words are not split.
func lines(of text: String, width: Int) -> [String] {
    lines(of: text.split(separator: " ").map(String.init), width: width)
}
