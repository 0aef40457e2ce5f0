/// Parses lists of challenges and of parameters (RFC 9110 §11.2, §11.3).
///
/// A comma separates challenges as well as the parameters of a challenge, and can also occur in quotes. A syntax error
/// ends the list, and the challenge with the error is discarded.
package struct ChallengeParser {
    private var rest: ArraySlice<UInt8>

    /// Limits that exceed any common response.
    private static let challengeLimit = 16
    private static let parameterLimit = 32

    private init(_ text: String) { rest = ArraySlice(text.utf8) }

    /// Parses the challenges of all fields of a response, in order.
    package static func challenges(in fields: [String]) -> [Challenge] {
        var all: [Challenge] = []
        for field in fields {
            var parser = ChallengeParser(field)
            while all.count < challengeLimit, let challenge = parser.challenge() { all.append(challenge) }
        }
        return all
    }

    /// Parses a field that contains only parameters, such as `Authentication-Info`; returns `nil` if it is invalid.
    static func parameters(in field: String) -> [String: String]? {
        var parser = ChallengeParser(field)
        let parameters = parser.parameters()
        return parser.rest.isEmpty ? parameters : nil
    }

    /// Parses the next challenge; returns `nil` at the end or after a syntax error.
    private mutating func challenge() -> Challenge? {
        skip { isBlank($0) || $0 == UInt8(ascii: ",") }
        let scheme = takeToken()
        guard !scheme.isEmpty else { return nil }
        let hasBlank = rest.first.map(isBlank) ?? true
        skip(isBlank)
        if isAtComma || skipToken68() { return hasBlank || isAtComma ? Challenge(scheme: scheme) : nil }
        guard hasBlank, let parameters = parameters() else { return nil }
        return Challenge(scheme: scheme, parameters: parameters)
    }

    /// Parses parameters up to the scheme of the next challenge; returns `nil` after a syntax error.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        while true {
            skip { isBlank($0) || $0 == UInt8(ascii: ",") }
            let start = rest
            let name = takeToken()
            skip(isBlank)
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else {
                rest = start
                return name.isEmpty && !rest.isEmpty ? nil : parameters
            }
            rest.removeFirst()
            skip(isBlank)
            // Duplicate names are interpreted differently by different parsers.
            guard let value = takeValue(), parameters.updateValue(value, forKey: name) == nil,
                parameters.count <= Self.parameterLimit
            else { return nil }
            skip(isBlank)
            guard isAtComma else { return nil }
        }
    }

    private var isAtComma: Bool { rest.first.map { $0 == UInt8(ascii: ",") } ?? true }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    /// Parses a token, in lowercase; empty if there is no token.
    private mutating func takeToken() -> String {
        let token = rest.prefix(while: isTokenByte)
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self).lowercased()
    }

    /// Skips a `token68` that replaces all parameters, as with Negotiate.
    private mutating func skipToken68() -> Bool {
        let word = rest.prefix { isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        let behind = rest[word.endIndex...].drop { $0 == UInt8(ascii: "=") }.drop(while: isBlank)
        guard !word.isEmpty, behind.isEmpty || behind.first == UInt8(ascii: ",") else { return false }
        rest = behind
        return true
    }

    /// Parses the value of a parameter; without quotes, it ends before a space or comma, as many servers send it.
    private mutating func takeValue() -> String? {
        let value: [UInt8]
        if rest.first == UInt8(ascii: "\"") {
            guard let text = takeQuoted() else { return nil }
            value = text
        } else {
            value = Array(rest.prefix { !isBlank($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") })
            guard !value.isEmpty else { return nil }
            rest = rest.dropFirst(value.count)
        }
        // The value is sent back in a header field.
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    /// Parses a quoted string (RFC 9110 §5.6.4).
    private mutating func takeQuoted() -> [UInt8]? {
        var text: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            default: text.append(byte)
            }
        }
        return nil
    }
}

/// A challenge in `WWW-Authenticate`: a scheme and its parameters (RFC 9110 §11.3).
package struct Challenge: Sendable, Equatable {
    /// The scheme in lowercase, such as `digest`.
    package var scheme: String
    /// The parameters by their names in lowercase.
    package var parameters: [String: String] = [:]

    package subscript(name: String) -> String? { parameters[name] }
}
