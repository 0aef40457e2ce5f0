/// Reads lists of challenges and of parameters (RFC 9110 §11.2, §11.3).
///
/// A comma stands between challenges as well as between the parameters of one, and may stand in quotes. What cannot be
/// read ends the list; the challenge it belongs to is left out.
package struct ChallengeParser {
    private var rest: ArraySlice<UInt8>

    /// More than anybody sends.
    private static let mostChallenges = 16
    private static let mostParameters = 32

    private init(_ text: String) { rest = ArraySlice(text.utf8) }

    /// The challenges of the fields of a response, in their order.
    package static func challenges(in fields: [String]) -> [Challenge] {
        var all: [Challenge] = []
        for field in fields {
            var parser = ChallengeParser(field)
            while all.count < mostChallenges, let challenge = parser.challenge() { all.append(challenge) }
        }
        return all
    }

    /// The parameters of a field that has nothing else, as `Authentication-Info`; nil if it cannot be read.
    static func parameters(in field: String) -> [String: String]? {
        var parser = ChallengeParser(field)
        let parameters = parser.parameters()
        return parser.rest.isEmpty ? parameters : nil
    }

    /// The next challenge; nil at the end, or where the text is none.
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

    /// Parameters, up to a word that begins another challenge; nil where the text is none.
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
            // Of two of a name each reader would take another.
            guard let value = takeValue(), parameters.updateValue(value, forKey: name) == nil,
                parameters.count <= Self.mostParameters
            else { return nil }
            skip(isBlank)
            guard isAtComma else { return nil }
        }
    }

    private var isAtComma: Bool { rest.first.map { $0 == UInt8(ascii: ",") } ?? true }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    /// A token in lower case; empty if there is none.
    private mutating func takeToken() -> String {
        let token = rest.prefix(while: isTokenByte)
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self).lowercased()
    }

    /// Passes over a word that stands for all parameters, as Negotiate has.
    private mutating func skipToken68() -> Bool {
        let word = rest.prefix { isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        let behind = rest[word.endIndex...].drop { $0 == UInt8(ascii: "=") }.drop(while: isBlank)
        guard !word.isEmpty, behind.isEmpty || behind.first == UInt8(ascii: ",") else { return false }
        rest = behind
        return true
    }

    /// The value of a parameter; without quotes it is what stands before a blank or comma, as many servers send it.
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
        // It goes back to the server within a field.
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    /// A text in quotes (RFC 9110 §5.6.4).
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

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
