/// The first error in a text.
struct SyntaxFailure {
    let issue: MappingIssue
    /// Whether the text ended too early, so that a continuation could be valid.
    let isTruncated: Bool
    /// The number of open containers whose current value is invalid; between values, the innermost one has none.
    let depth: Int
}

extension JSONTokenizer {
    /// Returns the first error in a text; `nil` if it is a single valid value with optional whitespace.
    package static func firstIssue(
        in bytes: ByteView, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(), prefix: [JSONPathStep] = []
    ) -> MappingIssue? {
        firstFailure(in: bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix)?.issue
    }

    /// Returns the first syntax error of a text that a reader rejected.
    static func issue(of bytes: ByteView, maximumDepth: Int) -> MappingIssue {
        firstIssue(in: bytes, maximumDepth: maximumDepth) ?? .payload(.syntax, "a JSON value", "something else")
    }

    static func firstFailure(
        in bytes: ByteView, maximumDepth: Int, origin: TextPosition, prefix: [JSONPathStep] = []
    ) -> SyntaxFailure? {
        var tokenizer = JSONTokenizer(
            bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix, allowsTrailingText: false)
        return tokenizer.run() == .failure ? tokenizer.failure : nil
    }

    /// Reads to the end of the text: `.end`, `.failure` or `.needsMore`.
    mutating func run() -> Event {
        while true {
            switch next() {
            case .key, .scalar, .open, .close: continue
            case let event: return event
            }
        }
    }

    /// The first error, after `next` returned `.failure`.
    package var issue: MappingIssue? { failure?.issue }

    // MARK: Errors

    /// Ends reading with an error at an offset, by default that of the token.
    mutating func fail(_ piece: Piece, at place: Int? = nil, expected: String, found: String? = nil) -> Event {
        let place = place ?? offset
        if place == end { return endOfText(piece, expected: expected) }
        let text = piece[place].raw(end - place)
        // The message must not depend on the end of a piece.
        if !isAtEnd {
            // UTF-16 and UTF-32 texts do not start with two ASCII characters.
            let isEncodingKnown =
                !isTextStart || end >= 4 || (end >= 2 && piece.start.raw(2).allSatisfy { 1..<0x80 ~= $0 })
            let isTruncated = found == nil && SyntaxFailure.isTruncated(text)
            // Nor must it depend on the length of a format's signature.
            let isFormatKnown = place > 0 || !SyntaxFailure.mayBecomeForeign(text)
            if text.count < lookahead || isTruncated || !isEncodingKnown || !isFormatKnown { return .needsMore }
        }
        return fail(piece, at: place, expected: expected, found: found ?? SyntaxFailure.description(of: text))
    }

    /// Ends reading with the text after the value.
    mutating func failAfterEnd(_ piece: Piece) -> Event {
        let isText = if case .character = UTF8Sequence(piece[offset].raw(end - offset)) { true } else { false }
        return fail(piece, expected: expectation, found: isText ? "text after the value" : nil)
    }

    /// Ends reading at an unexpected end of the text, unless more text follows.
    mutating func endOfText(_ piece: Piece, expected: String) -> Event {
        guard isAtEnd else { return .needsMore }
        if state == .ended { return .end(offset) }
        let isEmpty = isTextStart && state == .value && frames.isEmpty && offset == end
        return fail(piece, at: end, expected: expected, found: isEmpty ? "an empty text" : "the end of the text")
    }

    private mutating func fail(_ piece: Piece, at place: Int, expected: String, found: String) -> Event {
        let text = piece.start.raw(end - base)
        // After text in another encoding, any other error is a consequence.
        let encoding = base == 0 && isTextStart ? SyntaxFailure.foreignEncoding(of: text) : nil
        let format = place == 0 && encoding == nil ? SyntaxFailure.foreignFormat(of: text) : nil
        let start = encoding == nil ? place : 0
        let depth =
            encoding != nil ? 0 : [.value, .firstElement, .colon].contains(state) ? frames.count : frames.count - 1
        let excerpt = String(decoding: text.dropFirst(start - base).prefix(32), as: UTF8.self)
        let issue = MappingIssue(
            kind: .syntax, path: path(through: depth).text,
            position: position.advanced(over: text, to: start - base),
            expected: encoding == nil ? format == nil ? expected : "JSON" : "UTF-8", found: encoding ?? format ?? found,
            value: excerpt.isEmpty ? nil : JSONText.quoted(excerpt))
        failure = SyntaxFailure(issue: issue, isTruncated: encoding == nil && place == end, depth: depth)
        state = .failed
        return .failure
    }

    /// A description of what is expected next.
    var expectation: String {
        let isInObject = frames.last?.isObject ?? false
        return switch state {
        case .value where frames.isEmpty:
            switch prefix.last {
            case .key?: "a value after the colon"
            case .index(0)?: "a value or ']'"
            case .index?: "a value after the comma"
            case nil: "a value"
            }
        case .value: isInObject ? "a value after the colon" : "a value after the comma"
        case .firstElement: "a value or ']'"
        case .firstKey: "a key in quotes or '}'"
        case .key: "a key in quotes after the comma"
        case .colon: "a colon after the key"
        case .afterValue: isInObject ? "a comma or '}'" : "a comma or ']'"
        case .ended, .failed: "the end of the text"
        }
    }
}

// MARK: Descriptions

extension SyntaxFailure {
    /// Whether more bytes could change the description of the first ones.
    static func isTruncated(_ text: ByteView) -> Bool {
        if case .incomplete = UTF8Sequence(text) { true } else { text.count == 1 && text[0] == UInt8(ascii: "/") }
    }

    /// Returns a description of the start of a text: one character at most.
    static func description(of text: ByteView) -> String {
        guard let byte = text.first else { return "the end of the text" }
        let next = text.dropFirst().first
        switch byte {
        case UInt8(ascii: "/") where next == byte || next == UInt8(ascii: "*"): return "a comment"
        case UInt8(ascii: "'"): return "a single quote"
        case .quote: return "a string"
        case 0x21..<0x7F: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0..<0x80: return "the character \(codePoint(UInt32(byte)))"
        default: break
        }
        guard case .character(let length) = UTF8Sequence(text) else { return invalidUTF8(byte) }
        let scalar = String(decoding: text.prefix(length), as: UTF8.self).unicodeScalars.first?.value ?? 0
        let name =
            switch scalar {
            case 0xFEFF: "the byte order mark"
            case 0x2018...0x201F: "the curly quote"
            case 0xA0: "the no-break space"
            default: "the character"
            }
        return "\(name) \(codePoint(scalar))"
    }

    static func codePoint(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func invalidUTF8(_ byte: UInt8) -> String {
        "invalid UTF-8 (byte 0x\(String(byte, radix: 16, uppercase: true)))"
    }

    /// The first bytes of other formats, with letters in lowercase.
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x70, 0x6B, 3, 4], "a ZIP archive"), (Array("bzh".utf8), "data compressed by bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "data compressed by Zstandard"),
        ([0xFD, 0x37, 0x7A, 0x78, 0x7A], "data compressed by xz"), (Array("<?xml".utf8), "XML"),
        (Array("<!doctype html".utf8), "HTML"), (Array("<html".utf8), "HTML"), (Array("%pdf".utf8), "a PDF document"),
        (Array("sqlite format 3".utf8), "a SQLite database"),
    ]

    /// Returns the first bytes of a text with letters in lowercase.
    private static func start(of text: some Collection<UInt8>) -> [UInt8] {
        text.prefix(16).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }

    /// Returns the name of another format, if a text starts with its signature.
    static func foreignFormat(of text: some Collection<UInt8>) -> String? {
        let start = start(of: text)
        return signatures.first { start.starts(with: $0.bytes) }?.name
    }

    /// Whether more bytes could make a text one of another format.
    static func mayBecomeForeign(_ text: some Collection<UInt8>) -> Bool {
        let start = start(of: text)
        return signatures.contains { $0.bytes.count > start.count && $0.bytes.starts(with: start) }
    }

    /// Returns UTF-16 or UTF-32, if the first bytes of a text use it.
    static func foreignEncoding(of text: some Collection<UInt8>) -> String? {
        // Most texts are UTF-8, without a zero.
        guard text.count >= 2, text.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) else { return nil }
        let start = Array(text.prefix(4)) + [1, 1]
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): return "UTF-32"
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (1..., 0, _, _), (0, 1..., _, _): return "UTF-16"
        default: return nil
        }
    }
}
