/// Whether a text can be the value of a `Content-Type`: a type, a subtype, and parameters, each once and with a value
/// (RFC 9110 §8.3.1).
///
/// A backslash within quotes is none's: servers disagree about what it means.
package func isContentType(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func takeToken() -> String? {
        let token = rest.prefix(while: isTokenByte)
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : String(token)
    }
    func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    guard takeToken() != nil, rest.popFirst() == UInt8(ascii: "/"), takeToken() != nil else { return false }
    var names: Set<String> = []
    while !rest.isEmpty {
        skipBlanks()
        guard rest.popFirst() == UInt8(ascii: ";") else { return false }
        skipBlanks()
        guard let name = takeToken()?.lowercased(), names.insert(name).inserted,
            rest.popFirst() == UInt8(ascii: "=")
        else { return false }
        guard rest.first == UInt8(ascii: "\"") else {
            guard takeToken() != nil else { return false }
            continue
        }
        rest.removeFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
            rest[..<end].allSatisfy({ (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return false }
        rest = rest[end...].dropFirst()
    }
    return true
}
