/// The maximum length of a number in characters: no exact type needs more, and longer numbers can be attacks.
let numberLengthLimit = 1024

/// The reason why a number is invalid.
enum NumberFault { case missingInteger, leadingZero, missingFraction, missingExponent, tooLong }

/// Scans a number by the grammar of RFC 8259, of up to `numberLengthLimit` characters; returns its end.
///
/// - Parameter fail: Called with the place of an error, and the error, before `nil` is returned.
@inline(__always) func scanNumber(_ start: Bytes, _ fail: (Bytes, NumberFault) -> Void) -> Bytes? {
    func digits(_ start: Bytes) -> Bytes {
        var p = start
        while p.pointee.isASCIIDigit { p += 1 }
        return p
    }
    func failed(_ place: Bytes, _ fault: NumberFault) -> Bytes? {
        fail(place, fault)
        return nil
    }
    let first = start.pointee == UInt8(ascii: "-") ? start + 1 : start
    var p = digits(first)
    if p == first { return failed(p, .missingInteger) }
    if first.pointee == UInt8(ascii: "0") && p - first > 1 { return failed(p, .leadingZero) }
    if p.pointee == UInt8(ascii: ".") {
        let fraction = p + 1
        p = digits(fraction)
        if p == fraction { return failed(p, .missingFraction) }
    }
    if p.pointee | 0x20 == UInt8(ascii: "e") {
        p += 1
        if p.pointee == UInt8(ascii: "-") || p.pointee == UInt8(ascii: "+") { p += 1 }
        let exponent = p
        p = digits(exponent)
        if p == exponent { return failed(p, .missingExponent) }
    }
    return p - start <= numberLengthLimit ? p : failed(p, .tooLong)
}

/// Skips a number; returns `nil` if it is invalid.
@inline(__always) func skipNumber(_ start: Bytes) -> Bytes? { scanNumber(start) { _, _ in } }

@inline(__always) private func areEightDigits(_ word: UInt64) -> Bool {
    let shifted = ((word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0) >> 4
    return (word & 0xF0F0_F0F0_F0F0_F0F0) | shifted == 0x3333_3333_3333_3333
}

/// Returns the value of eight digits.
@inline(__always) private func eightDigits(_ word: UInt64) -> UInt64 {
    var pairs = word &- 0x3030_3030_3030_3030
    pairs = (pairs &* 10) &+ (pairs >> 8)
    let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
}

/// Scans a plain integer of up to 18 digits; returns `nil` for other values, and for one that the type cannot represent.
@inline(__always) func scanInteger<Integer: FixedWidthInteger>(_ start: Bytes, _ value: inout Integer) -> Bytes? {
    var p = start
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative { p += 1 }
    let first = p
    var magnitude: UInt64 = 0
    let word = p.word
    if areEightDigits(word) {
        magnitude = eightDigits(word)
        p += 8
    }
    while p.pointee.isASCIIDigit {
        magnitude = magnitude &* 10 &+ UInt64(p.pointee &- 0x30)
        p += 1
    }
    let count = p - first
    if count == 0 || count > 18 || (first.pointee == UInt8(ascii: "0") && count > 1) { return nil }
    if p.pointee == UInt8(ascii: ".") || p.pointee | 0x20 == UInt8(ascii: "e") { return nil }
    // Always exact with 64 bits; `Int` has 32 on watchOS.
    let signed = Int64(truncatingIfNeeded: magnitude)
    guard let exact = Integer(exactly: isNegative ? 0 &- signed : signed) else { return nil }
    value = exact
    return p
}

/// Scans a number as the nearest `Double`; returns `nil` for other values, and for overflow.
@inline(__always) func scanDouble(_ start: Bytes, _ value: inout Double, _ powers: PowersOfFive) -> Bytes? {
    var p = start
    let isNegative = p.pointee == UInt8(ascii: "-")
    if isNegative { p += 1 }
    let first = p
    var digits: UInt64 = 0
    while p.pointee.isASCIIDigit {
        digits = digits &* 10 &+ UInt64(p.pointee &- 0x30)
        p += 1
    }
    var count = p - first
    if count == 0 || (first.pointee == UInt8(ascii: "0") && count > 1) { return nil }
    var exponent = 0
    if p.pointee == UInt8(ascii: ".") {
        p += 1
        let fraction = p
        var word = p.word
        while areEightDigits(word) {
            digits = digits &* 100_000_000 &+ eightDigits(word)
            p += 8
            word = p.word
        }
        while p.pointee.isASCIIDigit {
            digits = digits &* 10 &+ UInt64(p.pointee &- 0x30)
            p += 1
        }
        exponent = fraction - p
        if exponent == 0 { return nil }
        count &-= exponent
    }
    if p.pointee | 0x20 == UInt8(ascii: "e") {
        p += 1
        let isBelow = p.pointee == UInt8(ascii: "-")
        if isBelow || p.pointee == UInt8(ascii: "+") { p += 1 }
        if !p.pointee.isASCIIDigit { return nil }
        var written = 0
        while p.pointee.isASCIIDigit {
            if written < 100_000 { written = written &* 10 &+ Int(p.pointee &- 0x30) }
            p += 1
        }
        exponent &+= isBelow ? -written : written
    }
    if p - start > numberLengthLimit { return nil }
    var result: Double
    if count <= 19, digits < 1 << 53, -22...22 ~= exponent {
        // Both are exact as `Double`, so a single rounding is correct (Clinger 1990).
        result = Double(Int64(truncatingIfNeeded: digits))
        if exponent < 0 { result /= powers.ten[-exponent] } else { result *= powers.ten[exponent] }
    } else if count <= 19, let near = powers.nearest(digits, exponent) {
        result = near
    } else {
        guard let exact = Double(makeString(first, p - first)), exact.isFinite else { return nil }
        result = exact
    }
    value = isNegative ? -result : result
    return p
}
