/// Returns a text for a one-line error message.
///
/// Escapes control characters and line breaks, and truncates long texts.
package func printable(_ text: String) -> String {
    let limit = 1024
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: result += scalar.escaped(asASCII: true)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.dropFirst(limit).isEmpty ? result : result + "…"
}

/// Replaces characters, also those before a combining mark, with which they are one `Character`.
func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
    text.unicodeScalars.map { replacements[$0] ?? String($0) }.joined()
}
