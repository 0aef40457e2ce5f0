/// Parses the value of a header field: lists, tokens, quoted strings and parameters (RFC 9110 §5.6).
///
/// Whoever uses it decides what is an error: some fields tolerate what servers send, others accept only what all
/// parsers interpret equally. Cookies and dates have their own syntax.
package struct FieldParser {
    /// The bytes that are not parsed yet.
    private(set) var rest: ArraySlice<UInt8>

    package init(_ text: some StringProtocol) { rest = ArraySlice(text.utf8) }

    /// The value of a parameter.
    struct Value: Equatable {
        var bytes: [UInt8]
        var isQuoted = false
        /// Whether the closing quote is present.
        var isClosed = true
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Returns the elements of a comma-separated list, trimmed and including empty ones; commas in quotes do not
    /// separate.
    package static func list(_ text: String) -> [String] {
        var isQuoted = false
        var isEscaped = false
        return text.utf8.split(omittingEmptySubsequences: false) { byte in
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            default: return byte == UInt8(ascii: ",") && !isQuoted
            }
            return false
        }
        .map(trimmingBlanks)
    }

    /// Whether the next byte is one of some characters.
    func isAt(_ characters: String) -> Bool { rest.first.map(characters.utf8.contains) ?? false }

    /// Skips the bytes that fulfil a condition, and returns them.
    @discardableResult
    mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Skips a character if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipBlanks() { take(while: isBlank) }

    /// Parses a token; returns `nil` if none is next.
    mutating func token() -> String? {
        let token = take(while: isTokenByte)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// Parses a quoted string, or the bytes before a space, a tab or one of some characters.
    mutating func value(before separators: String) -> Value {
        guard take("\"") else {
            return Value(bytes: Array(take { !isBlank($0) && !separators.utf8.contains($0) }))
        }
        var value = Value(bytes: [], isQuoted: true, isClosed: false)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                value.isClosed = true
                break
            }
            // A backslash at the end escapes nothing.
            value.bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return value
    }

    /// Parses parameters such as `; charset=utf-8; q="0.5"`, by name in lowercase.
    ///
    /// Tolerates blanks around all parts, missing values and missing quotes at the end. The first of several values is
    /// used (RFC 8288 §3.3).
    mutating func parameters() -> [String: String] {
        var parameters: [String: String] = [:]
        skipBlanks()
        while take(";") {
            skipBlanks()
            let name = token()?.lowercased()
            skipBlanks()
            var value = ""
            if take("=") {
                skipBlanks()
                value = self.value(before: ",;").text
            }
            if let name, parameters[name] == nil { parameters[name] = value }
            skipBlanks()
        }
        return parameters
    }
}

/// A media type and its parameters, as in `Content-Type` (RFC 9110 §8.3).
struct MediaType {
    /// The type and subtype in lowercase, such as `application/json`; empty if the field is.
    let name: String
    /// The values of the parameters by name in lowercase.
    let parameters: [String: String]

    /// Parses a field, and tolerates invalid ones.
    init(_ field: String) {
        var parser = FieldParser(field)
        let name = parser.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        self.name = trimmingBlanks(name).lowercased()
        parameters = parser.parameters()
    }

    /// Whether a type and subtype in lowercase are JSON: `application/json`, or a type such as `application/problem+json`.
    static func isJSON(_ name: String) -> Bool { name == "application/json" || name.hasSuffix("+json") }

    /// Whether a text is a valid `Content-Type`: a type, a subtype, and parameters with unique names and values.
    ///
    /// Rejects what servers interpret differently: blanks around equals signs, and backslashes within quotes.
    static func isValid(_ text: String) -> Bool {
        var parser = FieldParser(text)
        guard parser.token() != nil, parser.take("/"), parser.token() != nil else { return false }
        var names: Set<String> = []
        while !parser.rest.isEmpty {
            parser.take { $0 == UInt8(ascii: " ") }
            guard parser.take(";") else { return false }
            parser.take { $0 == UInt8(ascii: " ") }
            guard let name = parser.token()?.lowercased(), names.insert(name).inserted, parser.take("=") else {
                return false
            }
            guard parser.isAt("\"") else {
                guard parser.token() != nil else { return false }
                continue
            }
            let start = parser.rest
            guard parser.value(before: "").isClosed,
                start[..<parser.rest.startIndex].allSatisfy({ (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
            else { return false }
        }
        return true
    }
}
