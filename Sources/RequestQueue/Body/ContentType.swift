/// Whether a text can be the value of a `Content-Type`: a type and a subtype, perhaps parameters, and nothing that
/// could end the field.
package func isContentType(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return false }
    let parts = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
        && parts.allSatisfy { part in
            let name = part.drop { $0 == " " }.prefix { $0 != " " }
            return !name.isEmpty && part.allSatisfy { $0 != "\"" && $0 != "," }
        }
}
