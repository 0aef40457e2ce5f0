/// Parts, with blanks between them, on lines that are no longer than a width unless a part is.
///
/// - Parameter indent: The blanks before every line but the first.
func lines(of parts: [String], width: Int, indent: Int = 0) -> [String] {
    parts.reduce(into: [String]()) { lines, part in
        if let last = lines.last, last.count + 1 + part.count <= width {
            lines[lines.count - 1] = "\(last) \(part)"
        } else {
            lines.append(String(repeating: " ", count: lines.isEmpty ? 0 : indent) + part)
        }
    }
}

/// A text on lines that are no longer than a width unless a word is.
func lines(of text: String, width: Int) -> [String] {
    lines(of: text.split(separator: " ").map(String.init), width: width)
}
