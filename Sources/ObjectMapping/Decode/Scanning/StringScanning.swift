/// Scans from a string's opening quote to its first quote, backslash or control character, eight bytes at a time.
///
/// `seen` collects the top bits of the scanned bytes, so that only texts beyond ASCII need validation.
@inline(__always) func scanString(_ start: Bytes, _ seen: inout UInt64) -> Bytes {
    var p = start
    while true {
        let word = p.word
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        // The lowest set bit is exact: borrows only affect bytes above the first hit.
        let hits =
            (((quote &- 0x0101_0101_0101_0101) & ~quote) | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
                | ((word &- 0x2020_2020_2020_2020) & ~word)) & 0x8080_8080_8080_8080
        if hits != 0 {
            let count = hits.trailingZeroBitCount >> 3
            seen |= word & ((1 &<< UInt64(count &* 8)) &- 1)
            return p + count
        }
        seen |= word
        p += 8
    }
}

@inline(__always) func hasTopBits(_ seen: UInt64) -> Bool { seen & 0x8080_8080_8080_8080 != 0 }

/// Whether bytes are UTF-8 (RFC 3629); up to seven more may be read.
@inline(__always) func isUTF8(_ start: Bytes, _ count: Int) -> Bool { endOfUTF8(start, count) == start + count }

/// Returns the first byte that is not part of a UTF-8 sequence, or the end of the bytes; up to seven more may be read.
@inline(never) func endOfUTF8(_ start: Bytes, _ count: Int) -> Bytes {
    var p = start
    let end = start + count
    while p < end {
        if p + 8 <= end, p.word & 0x8080_8080_8080_8080 == 0 {
            p += 8
            continue
        }
        let lead = p.pointee
        if lead < 0x80 {
            p += 1
            continue
        }
        let left = end - p
        func continues(_ index: Int) -> Bool { p[index] & 0xC0 == 0x80 }
        switch lead {
        case 0xC2...0xDF:
            guard left > 1, continues(1) else { return p }
            p += 2
        case 0xE0...0xEF:
            // Texts of three-byte scalars usually have many: lead and continuation bytes are checked together, then the
            // bits that are zero for an overlong sequence, and 0xD with the top bit for a surrogate.
            repeat {
                let two = p.word
                if end - p > 5, two & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 {
                    let (first, second) = (two & 0x200F, two >> 24 & 0x200F)
                    if first == 0 || first == 0x200D { return p }
                    if second == 0 || second == 0x200D { return p + 3 }
                    p += 6
                    continue
                }
                let bytes = p.halfWord
                guard end - p > 2, bytes & 0xC0_C0F0 == 0x80_80E0, bytes & 0x200F != 0, bytes & 0x200F != 0x200D else {
                    return p
                }
                p += 3
            } while p < end && p.pointee & 0xF0 == 0xE0
        case 0xF0...0xF4:
            guard left > 3, continues(1), continues(2), continues(3), lead != 0xF0 || p[1] >= 0x90,
                lead != 0xF4 || p[1] < 0x90
            else { return p }
            p += 4
        default: return p
        }
    }
    return end
}

/// Returns the value of four hexadecimal digits; `nil` if one is missing.
private func hexadecimal(_ start: Bytes) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
        guard let digit = start[index].hexadecimalDigit else { return nil }
        value = value << 4 | digit
    }
    return value
}

/// Scans one escape sequence, starting at its backslash; returns the scalar and the end, or `nil` if it is invalid.
func scanEscape(_ start: Bytes) -> (scalar: UInt32, end: Bytes)? {
    switch start[1] {
    case .quote, .backslash, UInt8(ascii: "/"): return (UInt32(start[1]), start + 2)
    case UInt8(ascii: "n"): return (0x0A, start + 2)
    case UInt8(ascii: "t"): return (0x09, start + 2)
    case UInt8(ascii: "r"): return (0x0D, start + 2)
    case UInt8(ascii: "b"): return (0x08, start + 2)
    case UInt8(ascii: "f"): return (0x0C, start + 2)
    case UInt8(ascii: "u"):
        guard let unit = hexadecimal(start + 2) else { return nil }
        guard unit & 0xF800 == 0xD800 else { return (unit, start + 6) }
        guard unit < 0xDC00, start[6] == .backslash, start[7] == UInt8(ascii: "u"), let low = hexadecimal(start + 8),
            low & 0xFC00 == 0xDC00
        else { return nil }
        return (0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF)), start + 12)
    default: return nil
    }
}

/// The reason why the scan of a string stopped.
enum StringStop {
    /// At the closing quote.
    case quote
    /// At the first byte of a sequence that is not UTF-8.
    case invalidUTF8
    /// At the backslash of an invalid escape sequence.
    case invalidEscape
    /// At a control character, including the zero after the text.
    case control
}

/// Scans the contents of a string, from the position after its opening quote to its closing quote or first error.
///
/// - Parameters:
///   - first: The position at which `scanString` stopped, with `topBits`.
///   - text: Called with each run of literal bytes.
///   - escape: Called with the scalar of each escape sequence.
@inline(__always) private func scanContents(
    _ start: Bytes, _ first: Bytes, _ topBits: UInt64, text: (Bytes, Int) -> Void, escape: (UInt32) -> Void
) -> (place: Bytes, stop: StringStop) {
    var p = start
    var stop = first
    var seen = topBits
    while true {
        if hasTopBits(seen) {
            let end = endOfUTF8(p, stop - p)
            if end != stop {
                text(p, end - p)
                return (end, .invalidUTF8)
            }
        }
        text(p, stop - p)
        if stop.pointee == .quote { return (stop, .quote) }
        guard stop.pointee == .backslash else { return (stop, .control) }
        guard let (scalar, end) = scanEscape(stop) else { return (stop, .invalidEscape) }
        escape(scalar)
        p = end
        seen = 0
        stop = scanString(p, &seen)
    }
}

@inline(never) private func scanUnusualContents(
    _ start: Bytes, _ first: Bytes, _ topBits: UInt64
) -> (place: Bytes, stop: StringStop) {
    scanContents(start, first, topBits, text: { _, _ in }, escape: { _ in })
}

/// Returns the end of a string's contents, and the reason; starts after the opening quote, or at any character.
@inline(__always) func scanContents(_ start: Bytes) -> (place: Bytes, stop: StringStop) {
    var seen: UInt64 = 0
    let stop = scanString(start, &seen)
    if stop.pointee == .quote, !hasTopBits(seen) { return (stop, .quote) }
    return scanUnusualContents(start, stop, seen)
}

/// Validates and skips a string, from the position after its opening quote.
@inline(__always) func skipString(_ start: Bytes) -> Bytes? {
    let (place, stop) = scanContents(start)
    return stop == .quote ? place + 1 : nil
}

/// Appends the text of a string, from the position after its opening quote, to a buffer; returns the end, or `nil` if
/// it is invalid.
@inline(never) func unescape(_ start: Bytes, into buffer: inout ByteBuffer) -> Bytes? {
    let (place, stop) = unescapeContents(start, into: &buffer)
    return stop == .quote ? place + 1 : nil
}

/// Appends the text of a string, from the position after its opening quote, up to its end or first error.
func unescapeContents(_ start: Bytes, into buffer: inout ByteBuffer) -> (place: Bytes, stop: StringStop) {
    var seen: UInt64 = 0
    let stop = scanString(start, &seen)
    return scanContents(start, stop, seen, text: { buffer.append($0, $1) }, escape: { appendUTF8($0, to: &buffer) })
}

private func appendUTF8(_ value: UInt32, to buffer: inout ByteBuffer) {
    if value < 0x80 {
        buffer.append(UInt8(value))
    } else if let bytes = Unicode.Scalar(value).flatMap(UTF8.encode) {
        for byte in bytes { buffer.append(byte) }
    }
}

/// Creates a text from bytes; invalid UTF-8 is replaced with U+FFFD.
@inline(__always) func makeString(_ start: Bytes, _ count: Int) -> String {
    String(decoding: start.raw(count), as: UTF8.self)
}

/// Creates a text from bytes that were validated.
@inline(__always) func makeValidString(_ start: Bytes, _ count: Int, isASCII: Bool) -> String {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return makeString(start, count) }
    return start.validatedText(count, isASCII: isASCII)
}
