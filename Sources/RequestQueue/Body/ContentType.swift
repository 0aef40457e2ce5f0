/// Whether a text is a valid `Content-Type`: a type, a subtype, and parameters with unique names and values.
///
/// Follows RFC 9110 §8.3.1, but rejects backslashes within quotes, which servers interpret differently.
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
