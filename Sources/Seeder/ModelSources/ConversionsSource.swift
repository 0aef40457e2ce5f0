/// The text conversions that the sources use.
struct TextConversions: OptionSet {
    let rawValue: Int

    static let match = Self(rawValue: 1)
    static let matchOrAbsent = Self(rawValue: 2)
    static let joined = Self(rawValue: 4)
    static let joinedOrAbsent = Self(rawValue: 8)
}

/// The source of the conversions that extract and join strings, like a build of the database.
struct ConversionsSource {
    let kinds: TextConversions
    let outline: ModelOutline

    var lines: [String] {
        var blocks: [String] = []
        let isJoining = !kinds.isDisjoint(with: [.joined, .joinedOrAbsent])
        if isJoining { blocks.append(textPart) }
        let functions = [
            (TextConversions.match, match), (.matchOrAbsent, matchOrAbsent), (.joined, joined),
            (.joinedOrAbsent, joinedOrAbsent),
        ]
        let selected = functions.filter { kinds.contains($0.0) }.map { indented($0.1) }.joined(separator: "\n\n")
        blocks.append(
            """
            extension \(conversion) where Value: \(outline.types.name("JSONConvertible")) & Sendable {
            \(selected)
            }
            """)
        if isJoining { blocks.append(joinedText) }
        blocks.append(capturedText)
        return blocks.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }

    private var conversion: String { outline.types.name("Conversion") }
    private var json: String { outline.types.name("JSON") }
    private var string: String { outline.types.name("String") }
    private var keyPath: String { outline.types.name("JSONKeyPath") }
    private var part: String { outline.textPartType }

    private var textPart: String {
        """
        /// The string at a key path, or its part in the first capture group of a regular expression.
        struct \(part): Sendable, ExpressibleByStringLiteral {
            var path: \(keyPath)
            var pattern: \(string)?

            init(_ path: \(keyPath), match pattern: \(string)? = nil) { (self.path, self.pattern) = (path, pattern) }
            init(stringLiteral path: \(string)) { self.init(\(keyPath)(path)) }

            /// Nil if the string is missing or does not match.
            fileprivate func text(in json: \(json)) throws -> \(string)? {
                guard let value = try json.value(at: path), !value.isNull else { return nil }
                return try capturedText(of: value, by: pattern)
            }
        }
        """
    }

    private var match: String {
        """
        /// Extracts a value from a string; a string that does not match is an issue.
        static func match(_ pattern: \(string)) -> Self {
            Self("a string that matches") { json in
                try capturedText(of: json, by: pattern).flatMap { Value(json: .string($0)) }
            } write: { value in
                value.json
            }
        }
        """
    }

    private var matchOrAbsent: String {
        """
        /// Extracts a value from a string; `absent` is the value of a string that does not match.
        static func match(_ pattern: \(string), absent: Value) -> Self {
            Self("a string that contains a value") { json in
                guard let text = try capturedText(of: json, by: pattern) else { return absent }
                return Value(json: .string(text))
            } write: { value in
                value.json
            }
        }
        """
    }

    private var joined: String {
        """
        /// Joins strings; a missing string is an issue.
        static func joined(
            _ parts: [\(part)], separator: \(string), match pattern: \(string)? = nil
        ) -> Self {
            Self("an object with the strings to join") { json in
                try joinedText(of: json, parts, separator, pattern).flatMap { Value(json: .string($0)) }
            } write: { value in
                value.json
            }
        }
        """
    }

    private var joinedOrAbsent: String {
        """
        /// Joins strings; `absent` is the value if a string is missing.
        static func joined(
            _ parts: [\(part)], separator: \(string), match pattern: \(string)? = nil, absent: Value
        ) -> Self {
            Self("an object with strings to join") { json in
                guard let text = try joinedText(of: json, parts, separator, pattern) else { return absent }
                return Value(json: .string(text))
            } write: { value in
                value.json
            }
        }
        """
    }

    private var joinedText: String {
        """
        private func joinedText(
            of json: \(json), _ parts: [\(part)], _ separator: \(string), _ pattern: \(string)?
        ) throws -> \(string)? {
            var texts: [\(string)] = []
            for part in parts {
                guard let text = try part.text(in: json) else { return nil }
                texts.append(text)
            }
            return try capturedText(of: .string(texts.joined(separator: separator)), by: pattern)
        }
        """
    }

    private var capturedText: String {
        """
        private struct NoText: Error {}

        /// A cache, because compiling a regular expression takes longer than using it.
        private let expressions = Mutex<[\(string): Regex<AnyRegexOutput>]>([:])

        private func capturedText(of json: \(json), by pattern: \(string)?) throws -> \(string)? {
            guard let text = \(string)(json: json) else { throw NoText() }
            guard let pattern else { return text }
            return try expressions.withLock { expressions in
                let expression = try expressions[pattern] ?? Regex(pattern)
                expressions[pattern] = expression
                return try expression.firstMatch(in: text)?.output.dropFirst().first?.substring.map(\(string).init)
            }
        }
        """
    }
}
