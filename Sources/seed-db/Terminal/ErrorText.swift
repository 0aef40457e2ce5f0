import Seeder

/// Returns the text of an error for a terminal: each issue with its line and a caret below the column, then the advice.
func text(of error: SeedError) -> String {
    var lines: [String] = []
    for issue in error.issues { lines += [issue.description] + (issue.excerpt?.lines.map { "  " + $0 } ?? []) }
    if !error.message.isEmpty { lines.append("seed-db: \(error.message)") }
    if let advice = error.advice { lines.append(sentence(advice)) }
    return lines.joined(separator: "\n")
}

private func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
}
