/// A challenge in `WWW-Authenticate`: a scheme and its parameters (RFC 9110 §11.3).
package struct Challenge: Sendable, Equatable {
    /// The scheme in lowercase, such as `digest`.
    package var scheme: String
    /// The parameters by their names in lowercase.
    package var parameters: [String: String] = [:]

    package subscript(name: String) -> String? { parameters[name] }

    /// A limit that exceeds any common response.
    private static let limit = 16

    /// Parses the challenges of all fields of a response, in order.
    ///
    /// A comma separates challenges as well as the parameters of a challenge, and can also occur in quotes. A syntax
    /// error ends the list, and the challenge with the error is discarded.
    package static func all(in fields: [String]) -> [Challenge] {
        var all: [Challenge] = []
        for field in fields {
            var parser = FieldParser(field)
            while all.count < limit, let challenge = parser.challenge() { all.append(challenge) }
        }
        return all
    }

    /// Parses a field that contains only parameters, such as `Authentication-Info`; returns `nil` if it is invalid.
    static func parameters(in field: String) -> [String: String]? {
        var parser = FieldParser(field)
        let parameters = parser.challengeParameters()
        return parser.rest.isEmpty ? parameters : nil
    }
}

extension FieldParser {
    /// A limit that exceeds any common response.
    private static let parameterLimit = 32

    /// Parses the next challenge; returns `nil` at the end or after a syntax error.
    fileprivate mutating func challenge() -> Challenge? {
        take { isBlank($0) || $0 == UInt8(ascii: ",") }
        guard let scheme = token()?.lowercased() else { return nil }
        let hasBlank = rest.first.map(isBlank) ?? true
        skipBlanks()
        if isAtComma || skipToken68() { return hasBlank || isAtComma ? Challenge(scheme: scheme) : nil }
        guard hasBlank, let parameters = challengeParameters() else { return nil }
        return Challenge(scheme: scheme, parameters: parameters)
    }

    /// Parses parameters up to the scheme of the next challenge; returns `nil` after a syntax error.
    fileprivate mutating func challengeParameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        while true {
            take { isBlank($0) || $0 == UInt8(ascii: ",") }
            let start = self
            let name = token()?.lowercased()
            skipBlanks()
            guard let name, take("=") else {
                self = start
                return name == nil && !rest.isEmpty ? nil : parameters
            }
            skipBlanks()
            // Duplicate names are interpreted differently by different parsers.
            guard let value = challengeValue(), parameters.updateValue(value, forKey: name) == nil,
                parameters.count <= Self.parameterLimit
            else { return nil }
            skipBlanks()
            guard isAtComma else { return nil }
        }
    }

    private var isAtComma: Bool { rest.isEmpty || isAt(",") }

    /// Skips a `token68` that replaces all parameters, as with Negotiate.
    private mutating func skipToken68() -> Bool {
        let start = self
        let word = take { isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        take { $0 == UInt8(ascii: "=") }
        skipBlanks()
        if !word.isEmpty, isAtComma { return true }
        self = start
        return false
    }

    /// Parses the value of a parameter; without quotes, it ends before a space or comma, as many servers send it.
    private mutating func challengeValue() -> String? {
        let value = value(before: ",\"")
        // The value is sent back in a header field.
        guard value.isClosed, value.isQuoted || !value.bytes.isEmpty,
            value.bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return nil }
        return value.text
    }
}
