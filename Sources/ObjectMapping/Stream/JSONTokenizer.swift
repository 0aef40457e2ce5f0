/// Reads a text token by token and stops at the first violation of RFC 8259.
///
/// It explains what the fast readers only refuse, finds the places of values, and reads texts that arrive in pieces:
/// where a piece ends within a token, the next one continues it. It keeps its own stack, and of the text no more than a
/// piece and the token that is not complete. It takes time in proportion to the text.
package struct JSONTokenizer {
    /// A token, by the offsets of its bytes; strings and keys with their quotes.
    package enum Event: Equatable {
        case key(Range<Int>)
        case scalar(Range<Int>)
        case open(Int, isObject: Bool)
        case close(Int)
        /// The end of the value, at this offset; without `allowsTrailingText`, the end of the text.
        case end(Int)
        /// The text is invalid; `failure` says why.
        case failure
        /// The text so far ends within the value; `append` or `finish` continues.
        case needsMore
    }

    struct Frame {
        let isObject: Bool
        /// Where the current key starts in `keys`.
        let keyStart: Int
        /// Index of the current element of an array.
        var index = 0
    }

    enum State { case value, firstElement, firstKey, key, colon, afterValue, ended, failed }

    /// The bytes in memory, with padding after them.
    private(set) var text = [UInt8](repeating: 0, count: Bytes.padding)
    /// Bytes of the text before those in memory.
    private(set) var base = 0
    /// The position of the first byte in memory.
    private(set) var position: TextPosition
    /// What follows the bytes in memory.
    private var rest: ByteView
    private var isFinished: Bool
    private let allowsTrailingText: Bool
    let maximumDepth: Int
    let prefix: [JSONPathStep]

    /// The next byte to read, or the first one of the token that is not complete.
    var offset = 0
    /// How far that token was read, if it is a string; less than `offset` for others.
    var scanned = -1
    var state = State.value
    private(set) var frames: [Frame] = []
    /// The bytes of the current keys between their quotes, one after the other.
    private var keys: [UInt8] = []
    var failure: SyntaxFailure?

    /// Bytes that are taken into memory next: few at first, because callers may need no more than a small value.
    private var pieceSize = 256
    private static var largestPiece: Int { 1 << 14 }

    /// A tokenizer for a text that arrives in pieces, by `append` and `finish`.
    ///
    /// - Parameters:
    ///   - maximumDepth: How deep arrays and objects may nest, including those that `prefix` leads through.
    ///   - origin: The position of the first byte in the whole text.
    ///   - prefix: The path of the value in the whole document.
    ///   - allowsTrailingText: Whether the value may be followed by anything; otherwise only by blanks.
    package init(
        maximumDepth: Int = MappingLimits.usualDepth, origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = [], allowsTrailingText: Bool = true
    ) {
        self.init(
            .empty, maximumDepth: maximumDepth, origin: origin, prefix: prefix,
            allowsTrailingText: allowsTrailingText)
        isFinished = false
    }

    /// A tokenizer for a text in memory, which must stay there.
    package init(
        _ bytes: ByteView, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(), prefix: [JSONPathStep] = [], allowsTrailingText: Bool = true
    ) {
        rest = bytes
        isFinished = true
        self.maximumDepth = maximumDepth
        position = origin
        // The text of a path is made for each issue: a key of a megabyte must not be copied each time.
        self.prefix = prefix.map(\.shortened)
        self.allowsTrailingText = allowsTrailingText
    }

    // MARK: Pieces

    /// Continues the text with another piece, which must stay in memory until `next` returns `.needsMore`.
    package mutating func append(_ bytes: ByteView) {
        if state != .failed, state != .ended || !allowsTrailingText { rest = bytes }
    }

    /// Takes the next bytes into memory, in place of those that were read.
    private mutating func take(_ bytes: ByteView) {
        let isKey = state == .key || state == .firstKey
        let kept = (isKey ? offset : max(offset, scanned)) - base
        // The first bytes tell the encoding.
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

    /// Whether nothing follows the bytes in memory.
    var isAtEnd: Bool { isFinished && rest.isEmpty }

    /// How many bytes after an error are to be in memory: those of the excerpt, if they are known.
    var lookahead: Int { rest.isEmpty ? 0 : 64 }

    /// Whether the first byte that was read is the first one of the whole text.
    var isTextStart: Bool { position.offset == base }

    /// Offset of the end of the bytes in memory.
    var end: Int { base + text.count - Bytes.padding }

    /// The bytes of a token that was just read; of a long string only its end.
    package func bytes(of token: Range<Int>) -> ArraySlice<UInt8> {
        text[max(0, token.lowerBound - base)..<token.upperBound - base]
    }

    /// The position of a byte in memory: one of the last token, unless that is a long string.
    package func position(at offset: Int) -> TextPosition {
        text.withView { position.advanced(over: $0.dropLast(Bytes.padding), to: offset - base) }
    }

    // MARK: Keys and paths

    /// The bytes of the current key of an open object between its quotes; empty before the first one is read.
    func keyBytes(at depth: Int) -> ArraySlice<UInt8> {
        keys[frames[depth].keyStart..<(depth + 1 < frames.count ? frames[depth + 1].keyStart : keys.count)]
    }

    /// The key that was just read.
    package var key: String { JSONText.unescaped(keyBytes(at: frames.count - 1)) }

    /// How many arrays and objects are open.
    package var depth: Int { frames.count }

    /// The path of the current value of the container at a depth, with as much of its keys as is written.
    package func path(through depth: Int) -> [JSONPathStep] {
        prefix
            + frames.indices.prefix(max(depth, 0)).map { index in
                guard frames[index].isObject else { return .index(frames[index].index) }
                return .key(JSONText.unescaped(keyBytes(at: index).prefix(JSONPathStep.bytesOfKey)))
            }
    }

    // MARK: Tokens

    /// The next token; `.end` after the last one of the value, `.failure` after the first error.
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
        // The copy keeps the bytes in place while the state changes.
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

    /// Goes on after a scalar.
    mutating func scalar(endingAt end: Int) -> Event {
        defer { offset = end }
        state = frames.isEmpty ? .ended : .afterValue
        return .scalar(offset..<end)
    }

    /// Goes on after a key.
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
