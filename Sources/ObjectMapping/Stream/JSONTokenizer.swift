/// Reads a text token by token and stops at the first violation of RFC 8259.
///
/// It explains errors at which the fast readers stop, finds the positions of values, and reads texts that are passed in
/// pieces: a token at the end of a piece is continued in the next one. It has a separate stack, and stores only the
/// current piece and an incomplete token. Its time is proportional to the text.
package struct JSONTokenizer {
    /// A token with the range of its bytes; strings and keys include their quotes.
    package enum Event: Equatable {
        case key(Range<Int>)
        case scalar(Range<Int>)
        case open(Int, isObject: Bool)
        case close(Int)
        /// The end of the value, at this offset; without `allowsTrailingText`, the end of the text.
        case end(Int)
        /// The text is invalid; see `failure`.
        case failure
        /// The text so far ends in the value; continue with `append` or `finish`.
        case needsMore
    }

    struct Frame {
        let isObject: Bool
        /// The start of the current key in `keys`.
        let keyStart: Int
        /// The index of the current element in an array.
        var index = 0
    }

    enum State { case value, firstElement, firstKey, key, colon, afterValue, ended, failed }

    /// The bytes in memory, with padding.
    private(set) var text = [UInt8](repeating: 0, count: Bytes.padding)
    /// The offset of the bytes in memory.
    private(set) var base = 0
    /// The position of the first byte in memory.
    private(set) var position: TextPosition
    /// The text after the bytes in memory.
    private var rest: ByteView
    private var isFinished: Bool
    private let allowsTrailingText: Bool
    let maximumDepth: Int
    let prefix: [JSONPathStep]

    /// The next byte to read, or the first one of an incomplete token.
    var offset = 0
    /// How far that token was read, if it is a string; less than `offset` for others.
    var scanned = -1
    var state = State.value
    private(set) var frames: [Frame] = []
    /// The raw bytes of the current keys, concatenated.
    private var keys: [UInt8] = []
    var failure: SyntaxFailure?

    /// The number of bytes taken into memory next: few at first, because callers may need only a small value.
    private var pieceSize = 256
    private static var largestPiece: Int { 1 << 14 }

    /// Creates a tokenizer for a text that is passed in pieces, with `append` and `finish`.
    ///
    /// - Parameters:
    ///   - maximumDepth: The maximum nesting of arrays and objects, including those in `prefix`.
    ///   - origin: The position of the first byte in the whole text.
    ///   - prefix: The path of the value in the whole document.
    ///   - allowsTrailingText: Whether the value can be followed by other text; otherwise only by whitespace.
    package init(
        maximumDepth: Int = MappingLimits.usualDepth, origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = [], allowsTrailingText: Bool = true
    ) {
        self.init(
            .empty, maximumDepth: maximumDepth, origin: origin, prefix: prefix,
            allowsTrailingText: allowsTrailingText)
        isFinished = false
    }

    /// Creates a tokenizer for a text in memory, which must outlive it.
    package init(
        _ bytes: ByteView, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(), prefix: [JSONPathStep] = [], allowsTrailingText: Bool = true
    ) {
        rest = bytes
        isFinished = true
        self.maximumDepth = maximumDepth
        position = origin
        // The text of a path is created for each issue: a very long key must not be copied each time.
        self.prefix = prefix.map(\.shortened)
        self.allowsTrailingText = allowsTrailingText
    }

    // MARK: Pieces

    /// Adds a piece of text, which must stay in memory until `next` returns `.needsMore`.
    package mutating func append(_ bytes: ByteView) {
        if state != .failed, state != .ended || !allowsTrailingText { rest = bytes }
    }

    /// Takes the next bytes into memory, replacing those that were read.
    private mutating func take(_ bytes: ByteView) {
        let isKey = state == .key || state == .firstKey
        let kept = (isKey ? offset : max(offset, scanned)) - base
        // The first bytes determine the encoding.
        if kept > 0, base + kept >= 4 || !isTextStart {
            text.withView { position.advance(over: $0.dropLast(Bytes.padding), from: 0, to: kept) }
            base += kept
            text.removeFirst(kept)
        }
        text.removeLast(Bytes.padding)
        text.append(contentsOf: bytes)
        text.append(contentsOf: repeatElement(0, count: Bytes.padding))
    }

    /// Ends the text.
    package mutating func finish() { isFinished = true }

    /// Whether the text ends with the bytes in memory.
    var isAtEnd: Bool { isFinished && rest.isEmpty }

    /// The number of bytes required after an error: those of the excerpt, if they are known.
    var lookahead: Int { rest.isEmpty ? 0 : 64 }

    /// Whether the first byte that was read is the first one of the whole text.
    var isTextStart: Bool { position.offset == base }

    /// Offset of the end of the bytes in memory.
    var end: Int { base + text.count - Bytes.padding }

    /// Returns the bytes of the last token; for a long string, only its end.
    package func bytes(of token: Range<Int>) -> ArraySlice<UInt8> {
        text[max(0, token.lowerBound - base)..<token.upperBound - base]
    }

    /// Returns the position of a byte in memory: one of the last token, unless that is a long string.
    package func position(at offset: Int) -> TextPosition {
        text.withView { position.advanced(over: $0.dropLast(Bytes.padding), to: offset - base) }
    }

    // MARK: Keys and paths

    /// Returns the raw bytes of the current key of an open object; empty before the first one is read.
    func keyBytes(at depth: Int) -> ArraySlice<UInt8> {
        keys[frames[depth].keyStart..<(depth + 1 < frames.count ? frames[depth + 1].keyStart : keys.count)]
    }

    /// The key that was last read.
    package var key: String { JSONText.unescaped(keyBytes(at: frames.count - 1)) }

    /// The number of open arrays and objects.
    package var depth: Int { frames.count }

    /// Returns the path of the current value of the container at a depth, with shortened keys.
    package func path(through depth: Int) -> [JSONPathStep] {
        prefix
            + frames.indices.prefix(max(depth, 0)).map { index in
                guard frames[index].isObject else { return .index(frames[index].index) }
                return .key(JSONText.unescaped(keyBytes(at: index).prefix(JSONPathStep.bytesOfKey)))
            }
    }

    // MARK: Tokens

    /// Returns the next token; `.end` after the last one of the value, `.failure` after the first error.
    package mutating func next() -> Event {
        while true {
            let event = nextInMemory()
            guard event == .needsMore, !rest.isEmpty else { return event }
            let piece = rest.prefix(pieceSize)
            pieceSize = min(pieceSize * 4, JSONTokenizer.largestPiece)
            rest = rest.dropFirst(piece.count)
            take(piece)
        }
    }

    private mutating func nextInMemory() -> Event {
        // The copy retains the bytes while the state changes.
        let text = text
        return text.withView { memory in
            Bytes(memory).map { token(Piece(start: $0, base: base)) } ?? .needsMore
        }
    }

    /// The bytes in memory, by their offsets in the text.
    struct Piece {
        let start: Bytes
        let base: Int

        subscript(offset: Int) -> Bytes { start + (offset - base) }

        func offset(_ place: Bytes) -> Int { base + (place - start) }
    }

    private mutating func token(_ piece: Piece) -> Event {
        if state == .failed { return .failure }
        if scanned > offset { return string(piece) }
        if offset == 0, isTextStart {
            if end < 3, !isAtEnd, isByteOrderMark(piece) { return .needsMore }
            if end >= 3, isByteOrderMark(piece) { offset = 3 }
        }
        while true {
            if state == .ended, allowsTrailingText { return .end(offset) }
            offset = piece.offset(skipWhitespace(piece[offset]))
            guard offset < end else { return endOfText(piece, expected: expectation) }
            let byte = piece[offset].pointee
            switch state {
            case .firstElement where byte == .closeBracket, .firstKey where byte == .closeBrace:
                return close()
            case .value, .firstElement:
                return value(byte, piece)
            case .firstKey, .key:
                return byte == .quote ? string(piece) : fail(piece, expected: expectation)
            case .colon:
                guard byte == .colon else { return fail(piece, expected: expectation) }
                offset += 1
                state = .value
            case .afterValue:
                let last = frames.count - 1
                switch byte {
                case .comma:
                    offset += 1
                    frames[last].index += 1
                    state = frames[last].isObject ? .key : .value
                case .closeBrace where frames[last].isObject, .closeBracket where !frames[last].isObject:
                    return close()
                default:
                    return fail(piece, expected: expectation)
                }
            case .ended, .failed: return failAfterEnd(piece)
            }
        }
    }

    private func isByteOrderMark(_ piece: Piece) -> Bool {
        [0xEF, 0xBB, 0xBF].starts(with: piece.start.raw(min(3, end)))
    }

    private mutating func value(_ byte: UInt8, _ piece: Piece) -> Event {
        switch byte {
        case .openBrace, .openBracket:
            guard prefix.count + frames.count < maximumDepth else {
                return fail(
                    piece, expected: "at most \(maximumDepth) levels of nesting",
                    found: "nesting deeper than \(maximumDepth) levels")
            }
            let isObject = byte == .openBrace
            frames.append(Frame(isObject: isObject, keyStart: keys.count))
            state = isObject ? .firstKey : .firstElement
            offset += 1
            return .open(offset - 1, isObject: isObject)
        case .quote: return string(piece)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(piece)
        default: return word(piece)
        }
    }

    /// Continues after a scalar.
    mutating func scalar(endingAt end: Int) -> Event {
        defer { offset = end }
        state = frames.isEmpty ? .ended : .afterValue
        return .scalar(offset..<end)
    }

    /// Continues after a key.
    mutating func key(endingAt end: Int, _ piece: Piece) -> Event {
        defer { offset = end }
        keys.removeSubrange(frames[frames.count - 1].keyStart...)
        keys.append(contentsOf: piece[offset + 1].raw(end - offset - 2))
        state = .colon
        return .key(offset..<end)
    }

    private mutating func close() -> Event {
        keys.removeSubrange(frames.removeLast().keyStart...)
        state = frames.isEmpty ? .ended : .afterValue
        offset += 1
        return .close(offset - 1)
    }
}

extension UInt8 {
    /// Whether RFC 8259 allows this byte between tokens.
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
