/// Builds the tokens of a text in one pass, which validates all bytes.
struct TapeBuilder: ~Copyable {
    private let text: Bytes
    private(set) var words: TokenWords
    /// The nesting of arrays and objects.
    private(set) var depth = 0
    /// Finds objects that may contain duplicate keys; `nil` if duplicates do not matter.
    private var filter: KeyFilter?
    /// The places of the objects that may contain duplicate keys.
    private(set) var candidates: [Int] = []

    /// - Parameters:
    ///   - text: A padded text.
    ///   - count: Its length in bytes, which determines the initial memory.
    init(_ text: Bytes, count: Int, findsRepeatedKeys: Bool) {
        self.text = text
        words = TokenWords(capacity: count / 8 + 8)
        filter = findsRepeatedKeys ? KeyFilter() : nil
        // The null of a missing value: place 0 is not a token of the text.
        words.append(Token(.null, offset: 0).word)
    }

    var tokens: Tokens { Tokens(text: text, words: words.start) }

    consuming func finish() -> TokenWords { words }

    /// Reads the value at a place, including whitespace; returns the place after it, or `nil` if the value is invalid
    /// or nested too deeply.
    mutating func read(at start: Bytes, maximumDepth: Int) -> Bytes? {
        var place = skipWhitespace(start)
        // The innermost open container, 0 for none; until it is closed, its second word refers to the enclosing one.
        var open = 0
        var members: UInt64 = 0
        var isObject = false
        var level = 0
        while true {
            var isEmpty = false
            switch place.pointee {
            case .openBrace, .openBracket:
                if level >= maximumDepth { return nil }
                level += 1
                if level > depth { depth = level }
                isObject = place.pointee == .openBrace
                words.append(
                    Token(isObject ? .object : .array, offset: place - text).word, UInt64(open) | members << 32)
                open = words.count - 2
                members = 0
                place = skipWhitespace(place + 1)
                if place.pointee == (isObject ? .closeBrace : .closeBracket) {
                    isEmpty = true
                } else if isObject {
                    guard let next = key(place) else { return nil }
                    place = next
                    continue
                } else {
                    continue
                }
            default:
                guard let (token, end) = Token.scalar(at: place, in: text) else { return nil }
                words.append(token.word)
                place = end
            }
            // After a value, or at the end of an empty container.
            while true {
                if !isEmpty {
                    place = skipWhitespace(place)
                    if level == 0 { return place }
                    members += 1
                    if place.pointee == .comma {
                        place = skipWhitespace(place + 1)
                        if isObject {
                            guard let next = key(place) else { return nil }
                            place = next
                        }
                        break
                    }
                    guard place.pointee == (isObject ? .closeBrace : .closeBracket) else { return nil }
                }
                isEmpty = false
                place += 1
                let outer = words.close(open, members: members, at: place - text)
                if isObject, members > 1 {
                    let tokens = tokens
                    if filter?.mayRepeat(in: tokens, open) == true { candidates.append(open) }
                }
                open = Int(truncatingIfNeeded: outer & 0xFFFF_FFFF)
                members = outer >> 32
                isObject = Token(words.start[open]).kind == .object
                level -= 1
            }
        }
    }

    /// Reads a key and the colon after it; returns the place of its value.
    @inline(__always) private mutating func key(_ place: Bytes) -> Bytes? {
        guard place.pointee == .quote, let (token, end) = Token.string(at: place, in: text) else { return nil }
        words.append(token.word)
        let colon = skipWhitespace(end)
        return colon.pointee == .colon ? skipWhitespace(colon + 1) : nil
    }
}

/// The words of tokens.
typealias TokenWords = GrowingMemory<UInt64>

extension TokenWords {
    /// Completes the words of a container; returns its previous second word.
    ///
    /// - Parameter end: The offset of the end of the container.
    @inline(__always) mutating func close(_ place: Int, members: UInt64, at end: Int) -> UInt64 {
        let word = start[place]
        start[place] = word | UInt64(truncatingIfNeeded: min(end &- Token(word).offset, Token.longest)) << 4
        let old = start[place &+ 1]
        start[place &+ 1] = UInt64(count) | members << 32
        return old
    }

    /// Completes a container that has its number of members, but no end.
    mutating func end(_ place: Int) { start[place + 1] |= UInt64(count) }
}
