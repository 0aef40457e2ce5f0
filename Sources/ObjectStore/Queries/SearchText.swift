/// What a search looks for: the words of a text, or an expression of FTS5.
struct SearchText: Sendable {
    /// Words and phrases that are all found in a row, and others that are not, as strings of FTS5.
    private struct Alternative {
        private(set) var found: [String] = []
        private(set) var excluded: [String] = []
        /// The terms so far: each further occurrence would only cost time.
        private var known: (found: Set<String>, excluded: Set<String>) = ([], [])

        mutating func add(_ term: String, isExcluded: Bool) {
            if isExcluded {
                if known.excluded.insert(term).inserted { excluded.append(term) }
            } else if known.found.insert(term).inserted {
                found.append(term)
            }
        }

        /// The expression; `nil` if it only excludes.
        var expression: String? {
            guard !found.isEmpty else { return nil }
            // FTS5 ignores words without letters between words, but not next to AND.
            let all = found.joined(separator: " ")
            return excluded.isEmpty ? all : "\(all) NOT (\(excluded.joined(separator: " OR ")))"
        }
    }

    /// The expression of FTS5 that rows match; `nil` if no words are searched for.
    private(set) var match: String?
    /// The expression of FTS5 that further rows do not match: those of alternatives which only exclude words.
    private(set) var mismatch: String?

    /// Uses an expression in the syntax of FTS5.
    init(syntax: String) { match = syntax }

    /// Reads the words of any text.
    init(_ text: String) {
        var alternatives = [Alternative()]
        let tokens = Self.tokens(of: text)
        var isExcluded = false
        for (index, token) in tokens.enumerated() {
            let isLast = index == tokens.count - 1
            let isBetween =
                !(alternatives.last?.found.isEmpty ?? true) || !(alternatives.last?.excluded.isEmpty ?? true)
            switch token.connective {
            case "OR" where isBetween:
                if !isLast { alternatives.append(Alternative()) }
                continue
            case "AND" where isBetween: continue
            case "NOT" where !isLast || isBetween:
                isExcluded = true
                continue
            default: break
            }
            defer { isExcluded = false }
            guard let term = token.term else { continue }
            alternatives[alternatives.count - 1].add(term, isExcluded: isExcluded || token.isExcluded)
        }
        match = Self.joined(alternatives.compactMap(\.expression), by: " OR ")
        let excluding = alternatives.filter { $0.found.isEmpty && !$0.excluded.isEmpty }
        mismatch = Self.joined(excluding.map { $0.excluded.joined(separator: " OR ") }, by: " AND ")
    }

    /// The expression of FTS5 by which results are ranked; `nil` if rows that do not match it are found as well.
    var ranked: String? { mismatch == nil ? match : nil }

    private static func joined(_ parts: [String], by connective: String) -> String? {
        var known: Set<String> = []
        let parts = parts.filter { known.insert($0).inserted }
        return parts.count > 1 ? parts.map { "(\($0))" }.joined(separator: connective) : parts.first
    }

    // MARK: Words

    private struct Token {
        var text: Substring
        var isPhrase = false
        var isPrefix = false
        var isExcluded = false

        /// The word, if it may be a connective.
        var connective: String? { isPhrase || isPrefix || isExcluded ? nil : String(text) }

        /// The string of FTS5; `nil` without a letter or digit, which FTS5 does not index.
        var term: String? {
            guard text.unicodeScalars.contains(where: \.isIndexed) else { return nil }
            var string = String.UnicodeScalarView()
            string.append("\"")
            // By scalars: a quotation mark with an accent is another character.
            for scalar in text.unicodeScalars where scalar != "\0" {
                if scalar == "\"" { string.append(scalar) }
                string.append(scalar)
            }
            string.append("\"")
            if isPrefix { string.append("*") }
            return String(string)
        }
    }

    private static func isQuotationMark(_ character: Character) -> Bool {
        "\"\u{201C}\u{201D}\u{201E}".contains(character)
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace || first == "\0" {
                rest.removeFirst()
                continue
            }
            var token = Token(text: "")
            if first == "-", let next = rest.dropFirst().first, !next.isWhitespace {
                token.isExcluded = true
                rest.removeFirst()
            }
            if let mark = rest.first, isQuotationMark(mark) {
                rest.removeFirst()
                token.isPhrase = true
                token.text = rest.prefix { !isQuotationMark($0) }
                rest = rest[token.text.endIndex...].dropFirst()
                if rest.first == "*" {
                    token.isPrefix = true
                    rest.removeFirst()
                }
            } else {
                token.text = rest.prefix { !$0.isWhitespace && $0 != "\0" && !isQuotationMark($0) }
                rest = rest[token.text.endIndex...]
                token.isPrefix = token.text.last == "*"
            }
            tokens.append(token)
        }
        return tokens
    }
}

extension Unicode.Scalar {
    /// Whether FTS5 indexes it: a letter, a digit, or a character for private use.
    fileprivate var isIndexed: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}

// MARK: Conditions

extension QueryObject {
    /// Whether the searchable texts of the object contain the words of a text.
    ///
    /// ```swift
    /// let notes = try context.fetch(Note.where { $0.search("attic -cellar") })
    /// ```
    ///
    /// All words are found in any order, in any searchable attribute; case and diacritics are ignored. A word after `-`
    /// or `NOT` is excluded, `OR` separates alternatives, `"attic stairs"` is a phrase, and `stair*` is the beginning of
    /// a word. Any text is accepted; one without letters and digits finds nothing.
    ///
    /// A query without another order returns the best matches first. See <doc:Search>.
    ///
    /// - Parameter text: The text, for example of a search field.
    public func search(_ text: String) -> QueryPredicate<Root> { search(SearchText(text), in: nil) }

    /// Whether the searchable texts of the object match an expression in the syntax of FTS5.
    ///
    /// ```swift
    /// let notes = try context.fetch(Note.where { $0.search(syntax: "title : attic OR NEAR(stairs cellar, 5)") })
    /// ```
    ///
    /// A query with an invalid expression throws an error of kind `invalidSearch`. Use ``search(_:)`` for texts of users.
    public func search(syntax: String) -> QueryPredicate<Root> { search(SearchText(syntax: syntax), in: nil) }

    fileprivate func search(_ text: SearchText, in attribute: String?) -> QueryPredicate<Root> {
        QueryPredicate(path.problem.map { .invalid($0) } ?? .search(path, attribute: attribute, text))
    }
}

extension QueryValue where Value: QueryText {
    /// Whether a searchable attribute contains the words of a text.
    ///
    /// ```swift
    /// Note.where { $0.title.search("attic OR roof") }
    /// ```
    ///
    /// - Parameter text: The text, for example of a search field.
    public func search(_ text: String) -> QueryPredicate<Root> {
        guard case .attribute(let attribute) = operand.target, operand.path.problem == nil else {
            return QueryPredicate(.invalid(problem))
        }
        return QueryPredicate(.search(operand.path, attribute: attribute.name, SearchText(text)))
    }
}

extension QueryProperty {
    /// Whether a searchable attribute, or the searchable texts of the object of a to-one relationship, contain the words of
    /// a text.
    ///
    /// ```swift
    /// try context.fetch("Note") { $0["title"].search("attic OR roof") || $0["writer"].search("roy") }
    /// ```
    ///
    /// - Parameter text: The text, for example of a search field.
    public func search(_ text: String) -> QueryPredicate<Root> { search(SearchText(text)) }

    /// Whether a searchable attribute, or the searchable texts of the object of a to-one relationship, match an expression
    /// in the syntax of FTS5.
    ///
    /// A query with an invalid expression throws an error of kind `invalidSearch`.
    ///
    /// - Parameter syntax: The expression.
    public func search(syntax: String) -> QueryPredicate<Root> { search(SearchText(syntax: syntax)) }

    private func search(_ text: SearchText) -> QueryPredicate<Root> {
        test { () throws(StoreError) in
            switch kind {
            case .attribute(let attribute): return .search(path, attribute: attribute.name, text)
            case .number: throw mismatch("a text", "searched")
            case .relationship:
                guard try target().isToMany else { return .search(path, attribute: nil, text) }
                throw StoreError(
                    .misuse, "'\(name)' has several objects, which cannot be searched directly",
                    advice: "use $0[\"\(name)\"].any { $0.search(…) }")
            }
        }
    }
}
