/// A token of a text, in eight bytes: its kind, its offset, and its length in bytes.
///
/// An object or array needs two words: the second one contains the end of its tokens and the number of its members.
struct Token {
    enum Kind: UInt64 {
        /// A string of ASCII characters without escapes; the bytes are the text.
        case plainString
        /// A string without escapes; the bytes are the text.
        case string
        case escapedString
        /// A number of up to 18 digits without fraction and exponent.
        case integer
        case number
        case `true`, `false`, null
        case object, array
    }

    let word: UInt64

    /// The length of a longer string is determined again; that of a longer object or array is unknown.
    static var longest: Int { 0xFFF_FFFF }
    /// Offsets in a longer text exceed the token.
    static var longestText: Int { Int(clamping: UInt32.max) }

    init(_ word: UInt64) { self.word = word }

    @inline(__always) init(_ kind: Kind, offset: Int, length: Int = 0) {
        word =
            kind.rawValue | UInt64(truncatingIfNeeded: min(length, Token.longest)) << 4
            | UInt64(truncatingIfNeeded: offset) << 32
    }

    @inline(__always) var kind: Kind { known(Kind(rawValue: word & 15)) }
    /// The offset of the token in bytes.
    @inline(__always) var offset: Int { Int(truncatingIfNeeded: word >> 32) }
    /// The length of a number, of a string without its quotes, or of an object or array; up to `longest`.
    @inline(__always) var storedLength: Int { Int(truncatingIfNeeded: word >> 4) & Token.longest }
    @inline(__always) var isString: Bool { word & 15 <= Kind.escapedString.rawValue }
    @inline(__always) var isNumber: Bool { kind == .integer || kind == .number }
    @inline(__always) var isContainer: Bool { word & 15 >= Kind.object.rawValue }
    @inline(__always) var isNull: Bool { word & 15 == Kind.null.rawValue }

    /// Whether the token is a plain string of a length.
    @inline(__always) func isPlainString(ofLength length: Int) -> Bool {
        word & 0xFFFF_FFFF == Kind.plainString.rawValue | UInt64(truncatingIfNeeded: length) << 4
    }
}

extension Token {
    /// Reads the string, number, Boolean or null at a place; returns it and the place after it, or `nil` if there is
    /// none.
    ///
    /// - Parameter text: The start of the text, which is padded.
    @inline(__always) static func scalar(at place: Bytes, in text: Bytes) -> (token: Token, end: Bytes)? {
        switch place.pointee {
        case .quote: string(at: place, in: text)
        case UInt8(ascii: "t"): place.isTrue ? (Token(.true, offset: place - text, length: 4), place + 4) : nil
        case UInt8(ascii: "f"): place.isFalse ? (Token(.false, offset: place - text, length: 5), place + 5) : nil
        case UInt8(ascii: "n"): place.isNull ? (Token(.null, offset: place - text, length: 4), place + 4) : nil
        default: number(at: place, in: text)
        }
    }

    /// Reads the string that starts with the quote at a place.
    @inline(__always) static func string(at place: Bytes, in text: Bytes) -> (token: Token, end: Bytes)? {
        var seen: UInt64 = 0
        let start = place + 1
        let stop = scanString(start, &seen)
        guard stop.pointee == .quote, !hasTopBits(seen) else { return unusualString(at: place, in: text, stop) }
        return (Token(.plainString, offset: place - text, length: stop - start), stop + 1)
    }

    @inline(never) private static func unusualString(
        at place: Bytes, in text: Bytes, _ stop: Bytes
    ) -> (token: Token, end: Bytes)? {
        guard let end = skipString(place + 1) else { return nil }
        let kind: Kind = stop.pointee == .quote ? .string : .escapedString
        return (Token(kind, offset: place - text, length: end - place - 2), end)
    }

    @inline(__always) private static func number(at place: Bytes, in text: Bytes) -> (token: Token, end: Bytes)? {
        let first = place.pointee == UInt8(ascii: "-") ? place + 1 : place
        var end = first
        while end.pointee.isASCIIDigit { end += 1 }
        let digits = end - first
        if digits == 0 || (digits > 1 && first.pointee == UInt8(ascii: "0")) { return nil }
        let isPlain = digits <= 18 && end.pointee != UInt8(ascii: ".") && end.pointee | 0x20 != UInt8(ascii: "e")
        if !isPlain {
            guard let whole = skipNumber(place) else { return nil }
            end = whole
        }
        return (Token(isPlain ? .integer : .number, offset: place - text, length: end - place), end)
    }
}

extension Token {
    /// Returns the length of a number, or of a string without its quotes.
    @inline(__always) func length(in text: Bytes) -> Int {
        storedLength < Token.longest ? storedLength : measured(in: text)
    }

    @inline(never) private func measured(in text: Bytes) -> Int {
        let start = text + offset + 1
        return skipString(start).map { $0 - 1 - start } ?? 0
    }

    /// Returns the value of a string.
    @inline(__always) func string(in text: Bytes) -> String {
        if kind == .escapedString { return unescaped(in: text) }
        return makeValidString(text + offset + 1, length(in: text), isASCII: kind == .plainString)
    }

    @inline(never) private func unescaped(in text: Bytes) -> String {
        var buffer = ByteBuffer()
        guard unescape(text + offset + 1, into: &buffer) != nil else { return "" }
        return makeString(buffer.text, buffer.count)
    }

    func numberText(in text: Bytes) -> String { makeString(text + offset, length(in: text)) }

    /// Returns the value of an integer; `nil` for `-0`, which is not an `Int64`.
    @inline(__always) func integer(in text: Bytes) -> Int64? {
        var value: Int64 = 0
        guard scanInteger(text + offset, &value) != nil, value != 0 || storedLength == 1 else { return nil }
        return value
    }

    /// Returns a string, number, Boolean or null that does not refer to the text; null for other values.
    func scalar(in text: Bytes) -> JSON {
        switch kind {
        case .plainString, .string, .escapedString: JSON(.string(string(in: text)))
        case .integer: integer(in: text).map { JSON(.integer($0)) } ?? JSON(.number(numberText(in: text)))
        case .number: JSON(.number(numberText(in: text)))
        case .true: JSON(.bool(true))
        case .false: JSON(.bool(false))
        case .null, .object, .array: .null
        }
    }
}
