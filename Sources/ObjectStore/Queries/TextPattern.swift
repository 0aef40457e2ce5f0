/// A pattern for texts: of `like`, or a regular expression.
struct TextPattern {
    private enum Form {
        case like([UInt8])
        case expression(Regex<AnyRegexOutput>)
    }

    private let form: Form
    private let folding: TextFolding

    /// Creates a pattern with `%` and `_`.
    init(like pattern: String) {
        form = .like(Array(pattern.utf8))
        folding = []
    }

    /// Creates a regular expression that matches whole texts.
    init(regularExpression pattern: String, _ folding: TextFolding) throws(StoreError) {
        let diacritics = folding.intersection(.diacritics)
        do {
            var expression = try Regex(diacritics.fold(pattern)).matchingSemantics(.unicodeScalar)
            if folding.contains(.case) { expression = expression.ignoresCase() }
            form = .expression(expression)
        } catch {
            throw StoreError(.misuse, "the regular expression '\(pattern)' is not valid: \(error)")
        }
        self.folding = diacritics
    }

    func matches(_ text: String) -> Bool {
        switch form {
        case .like(let pattern): Self.matches(Array(text.utf8), like: pattern)
        case .expression(let expression): (try? expression.wholeMatch(in: folding.fold(text))) != nil
        }
    }

    private static func matches(_ text: [UInt8], like pattern: [UInt8]) -> Bool {
        let (any, one, escape) = (UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "\\"))
        var (position, index) = (0, 0)
        // The position after the last `%`, and the text that it has not consumed yet.
        var retry: (index: Int, position: Int)?
        while position < text.count || index < pattern.count {
            if index < pattern.count, pattern[index] == any {
                index += 1
                retry = (index, position)
                continue
            }
            if position < text.count, index < pattern.count {
                let isEscaped = pattern[index] == escape && index + 1 < pattern.count
                let expected = isEscaped ? pattern[index + 1] : pattern[index]
                if !isEscaped, expected == one {
                    (position, index) = (self.position(after: position, in: text), index + 1)
                    continue
                }
                if text[position] == expected {
                    (position, index) = (position + 1, index + (isEscaped ? 2 : 1))
                    continue
                }
            }
            guard let last = retry, last.position < text.count else { return false }
            retry = (last.index, self.position(after: last.position, in: text))
            (position, index) = (retry?.position ?? 0, last.index)
        }
        return true
    }

    /// Returns the position of the next character, which can have several bytes.
    private static func position(after position: Int, in text: [UInt8]) -> Int {
        var next = position + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}

/// The compiled patterns of one connection or fetch.
final class TextPatterns {
    private var patterns: [(test: QueryTextTest, folding: TextFolding, text: String, pattern: TextPattern)] = []

    func pattern(_ test: QueryTextTest, _ text: String, _ folding: TextFolding) throws(StoreError) -> TextPattern {
        if let known = patterns.first(where: {
            $0.test == test && $0.folding == folding && $0.text.utf8.elementsEqual(text.utf8)
        }) {
            return known.pattern
        }
        let pattern =
            if case .matches = test {
                try TextPattern(regularExpression: text, folding)
            } else {
                TextPattern(like: text)
            }
        if patterns.count >= 16 { patterns.removeFirst() }
        patterns.append((test, folding, text, pattern))
        return pattern
    }
}
