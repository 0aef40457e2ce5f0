/// A header value with parameters, such as `form-data; name="a"; filename="b"`.
struct HeaderParameters {
    /// The part before the first semicolon, in lower case.
    let value: String
    let parameters: [(name: String, value: String)]

    /// Parses a value; like in browsers (WHATWG), a backslash in quotes is a normal character.
    init(_ text: String) throws {
        var rest = text.utf8[...]
        value = Self.takeToken(&rest, and: UInt8(ascii: "/")).lowercased()
        var parameters: [(name: String, value: String)] = []
        while true {
            Self.skipBlanks(&rest)
            guard let separator = rest.popFirst() else { break }
            guard separator == UInt8(ascii: ";") else { throw BadForm("junk behind a value in '\(text)'") }
            Self.skipBlanks(&rest)
            let name = Self.takeToken(&rest).lowercased()
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
                throw BadForm("a parameter without a name or value in '\(text)'")
            }
            guard !parameters.contains(where: { $0.name == name }) else {
                throw BadForm("the parameter '\(name)' twice in '\(text)'")
            }
            if rest.first == UInt8(ascii: "\"") {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
                    throw BadForm("an open quote in '\(text)'")
                }
                parameters.append((name, String(rest[..<end]) ?? ""))
                rest = rest[end...].dropFirst()
            } else {
                let value = Self.takeToken(&rest)
                guard !value.isEmpty else { throw BadForm("the parameter '\(name)' without a value in '\(text)'") }
                parameters.append((name, value))
            }
        }
        self.parameters = parameters
    }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    private static func takeToken(_ rest: inout Substring.UTF8View, and other: UInt8? = nil) -> String {
        let token = rest.prefix { Grammar.isToken($0) || $0 == other }
        rest = rest.dropFirst(token.count)
        return String(token) ?? ""
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
