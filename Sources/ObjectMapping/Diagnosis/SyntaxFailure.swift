/// What broke a text, before its place is worked out.
struct SyntaxFailure {
    let offset: Int
    let expected: String
    let found: String
    /// The buffer ended too early; more text might have healed it.
    let isCut: Bool
    /// What the walker was about to read.
    let state: DocumentWalker.State
}

extension DocumentWalker {
    /// Notes what is wrong at an offset (by default the current one) and ends the walk.
    @discardableResult
    mutating func fail(expected: String, found: String? = nil, at place: Int? = nil) -> Event {
        let place = place ?? offset
        let isCut = found == nil && place >= bytes.count
        return fail(
            SyntaxFailure(
                offset: place, expected: expected, found: found ?? description(at: place), isCut: isCut, state: state))
    }

    /// Ends the walk where the buffer ends in the middle of something.
    mutating func failAtEnd(expected: String) {
        fail(
            SyntaxFailure(
                offset: bytes.count, expected: expected, found: description(at: bytes.count), isCut: true, state: state)
        )
    }

    @discardableResult
    private mutating func fail(_ failure: SyntaxFailure) -> Event {
        self.failure = failure
        if failure.offset == bytes.count, origin.offset == 0, hasOnlyBlanks {
            self.failure = SyntaxFailure(
                offset: failure.offset, expected: failure.expected, found: "an empty text", isCut: true, state: state)
        } else if let encoding = foreignEncoding {
            // Whatever else looks wrong comes of that.
            frames = []
            self.failure = SyntaxFailure(
                offset: 0, expected: "UTF-8", found: encoding, isCut: false, state: .value)
        }
        state = .failed
        return .failure
    }

    private var hasOnlyBlanks: Bool {
        bytes[TextPosition.lengthOfByteOrderMark(in: bytes)...].allSatisfy(\.isJSONBlank)
    }

    /// What stands at an offset where it may not stand, in words: one character at most.
    func description(at place: Int) -> String {
        guard place < bytes.count else { return "the end of the text" }
        let byte = bytes[place]
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0
        switch byte {
        case UInt8(ascii: "/") where next == byte || next == UInt8(ascii: "*"): return "a comment"
        case UInt8(ascii: "'"): return "a single quote"
        case UInt8(ascii: "\""): return "a string"
        case 0x21..<0x7F: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0..<0x80: return "the character \(Self.codePoint(UInt32(byte)))"
        default: break
        }
        guard case .character(let length) = utf8Sequence(at: place) else { return Self.invalidUTF8(byte) }
        let scalar = String(decoding: bytes[place..<place + length], as: UTF8.self).unicodeScalars.first?.value ?? 0
        let name =
            switch scalar {
            case 0xFEFF: "the byte order mark"
            case 0x2018...0x201F: "the curly quote"
            case 0xA0: "the no-break space"
            default: "the character"
            }
        return "\(name) \(Self.codePoint(scalar))"
    }

    static func codePoint(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func invalidUTF8(_ byte: UInt8) -> String {
        "invalid UTF-8 (byte 0x\(String(byte, radix: 16, uppercase: true)))"
    }

    /// UTF-16 or UTF-32, if the text starts like it.
    var foreignEncoding: String? {
        guard origin.offset == 0, bytes.count >= 2 else { return nil }
        let start = (0..<4).map { $0 < bytes.count ? bytes[$0] : 1 }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): return "UTF-32"
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (1..., 0, _, _), (0, 1..., _, _): return "UTF-16"
        default: return nil
        }
    }
}
