/// A position in text that is followed by at least `Bytes.padding` readable bytes, the first of them zero.
///
/// Invariant: the position is within such text or its padding. The zero stops every loop over a token, so loops need
/// no bounds check. `Window` and `ByteBuffer` own the memory and keep it alive longer than its positions.
@safe package struct Bytes: Hashable, Comparable {
    let pointer: UnsafePointer<UInt8>

    @inline(__always) init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }
    @inline(__always) init(_ pointer: UnsafeMutablePointer<UInt8>) { unsafe self.pointer = UnsafePointer(pointer) }
    /// Creates a pointer to the first byte; `nil` if the view is empty.
    @inline(__always) init?(_ bytes: ByteView) {
        guard bytes.count > 0 else { return nil }
        unsafe pointer = bytes.start
    }

    /// A position after every other one; it must not be read.
    static var behindAll: Bytes { Bytes(address: UInt64(UInt.max)) }

    /// The position at an address that a position had.
    @inline(__always) init(address: UInt64) {
        unsafe pointer = UnsafePointer(bitPattern: UInt(address)).unsafelyUnwrapped
    }

    var address: UInt64 { unsafe UInt64(UInt(bitPattern: pointer)) }

    /// The number of readable bytes after the text.
    static var padding: Int { 64 }

    @inline(__always) var pointee: UInt8 { unsafe pointer.pointee }
    @inline(__always) subscript(offset: Int) -> UInt8 { unsafe pointer[offset] }
    @inline(__always) static func + (place: Bytes, count: Int) -> Bytes { unsafe Bytes(place.pointer + count) }
    @inline(__always) static func - (place: Bytes, count: Int) -> Bytes { unsafe Bytes(place.pointer - count) }
    @inline(__always) static func - (place: Bytes, other: Bytes) -> Int { unsafe place.pointer - other.pointer }
    @inline(__always) static func += (place: inout Bytes, count: Int) { place = place + count }
    @inline(__always) static func -= (place: inout Bytes, count: Int) { place = place - count }
    @inline(__always) package static func < (a: Bytes, b: Bytes) -> Bool { unsafe a.pointer < b.pointer }

    @inline(__always) package static func == (a: Bytes, b: Bytes) -> Bool { unsafe a.pointer == b.pointer }

    package func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

    /// Eight bytes, in little-endian order.
    @inline(__always) var word: UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Four bytes, in little-endian order.
    @inline(__always) var halfWord: UInt32 {
        unsafe UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
    }

    @inline(__always) var isNull: Bool { halfWord == 0x6C6C_756E }
    @inline(__always) var isTrue: Bool { halfWord == 0x6575_7274 }
    @inline(__always) var isFalse: Bool { pointee == UInt8(ascii: "f") && (self + 1).halfWord == 0x6573_6C61 }

    /// Returns whether the next `count` bytes equal those at another position.
    @inline(__always) func isSame(as other: Bytes, _ count: Int) -> Bool {
        unsafe memcmp(pointer, other.pointer, count) == 0
    }

    /// Returns the position of the first occurrence of a byte before `limit`.
    @inline(__always) func first(_ byte: UInt8, before limit: Bytes) -> Bytes? {
        guard let found = unsafe memchr(pointer, Int32(byte), limit - self) else { return nil }
        return unsafe Bytes(found.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the text of the next `count` bytes, which were validated.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @inline(__always) func validatedText(_ count: Int, isASCII: Bool) -> String {
        let span = unsafe Span<UInt8>(_unsafeElements: UnsafeBufferPointer(start: pointer, count: count))
        return unsafe String(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
    }

    /// Frees memory that was allocated at this position.
    func deallocate() { unsafe pointer.deallocate() }

    /// Returns the next `count` bytes.
    @inline(__always) func raw(_ count: Int) -> ByteView { unsafe ByteView(pointer, count) }
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

/// Skips whitespace.
@inline(__always) func skipWhitespace(_ start: Bytes) -> Bytes {
    start.pointee > 0x20 ? start : skipWhitespaceRun(start)
}

/// Skips whitespace, with a fast path for indented text: a line feed and spaces.
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
