/// Returns a text for one line of a message.
///
/// Escapes control characters and line breaks, which could forge lines of a log or control a terminal, and truncates texts
/// of more than 1,024 characters.
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
