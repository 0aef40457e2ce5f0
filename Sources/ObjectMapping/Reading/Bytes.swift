/// Bytes of a text that is followed by at least `Bytes.padding` readable bytes, the first of them zero.
///
/// The zero stops every loop over a token, so the loops need no bounds check. `Window` and `ByteBuffer` see to it.
typealias Bytes = UnsafePointer<UInt8>

/// Memory of a model, of a value, or a row's number dressed as an address.
typealias Memory = UnsafeMutableRawPointer

extension UnsafePointer<UInt8> {
    /// Readable bytes behind a text.
    static var padding: Int { 64 }

    /// Eight bytes, the first one lowest.
    @inline(__always) var word: UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self))
    }

    /// Four bytes, the first one lowest.
    @inline(__always) var halfWord: UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt32.self))
    }

    @inline(__always) var isNull: Bool { halfWord == 0x6C6C_756E }
    @inline(__always) var isTrue: Bool { halfWord == 0x6575_7274 }
    @inline(__always) var isFalse: Bool { pointee == UInt8(ascii: "f") && (self + 1).halfWord == 0x6573_6C61 }

    @inline(__always) func buffer(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: self, count: count)
    }
}

extension UInt8 {
    static var quote: UInt8 { UInt8(ascii: "\"") }
    static var backslash: UInt8 { UInt8(ascii: "\\") }
    static var comma: UInt8 { UInt8(ascii: ",") }
    static var colon: UInt8 { UInt8(ascii: ":") }
    static var openBrace: UInt8 { UInt8(ascii: "{") }
    static var closeBrace: UInt8 { UInt8(ascii: "}") }
    static var openBracket: UInt8 { UInt8(ascii: "[") }
    static var closeBracket: UInt8 { UInt8(ascii: "]") }

    @inline(__always) var isASCIIDigit: Bool { self &- 0x30 < 10 }
}

/// Past whitespace.
@inline(__always) func skipWhitespace(_ start: Bytes) -> Bytes {
    start.pointee > 0x20 ? start : skipWhitespaceRun(start)
}

/// Past whitespace, of which the shape of indented text is the fast one: a line feed and blanks.
@inline(__always) func skipWhitespaceRun(_ start: Bytes) -> Bytes {
    var p = start
    if p.pointee == 0x0D { p += 1 }
    if p.pointee == 0x0A { p += 1 }
    var other = p.word ^ 0x2020_2020_2020_2020
    while other == 0 {
        p += 8
        other = p.word ^ 0x2020_2020_2020_2020
    }
    p += other.trailingZeroBitCount >> 3
    return p.pointee > 0x20 ? p : skipUnusualWhitespace(p)
}

@inline(never) private func skipUnusualWhitespace(_ start: Bytes) -> Bytes {
    var p = start
    while p.pointee.isJSONBlank { p += 1 }
    return p
}
