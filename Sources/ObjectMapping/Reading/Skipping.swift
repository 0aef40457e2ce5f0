/// Past a string, from behind its opening quote; UTF-8 and escapes are checked.
@inline(__always) func skipString(_ start: Bytes) -> Bytes? {
    var seen: UInt64 = 0
    let stop = scanString(start, &seen)
    if stop.pointee == .quote, !hasTopBits(seen) { return stop + 1 }
    return skipUnusualString(start, stop, seen)
}

@inline(never) private func skipUnusualString(_ start: Bytes, _ first: Bytes, _ topBits: UInt64) -> Bytes? {
    var p = start
    var stop = first
    var seen = topBits
    while true {
        if hasTopBits(seen), !isUTF8(p, stop - p) { return nil }
        if stop.pointee == .quote { return stop + 1 }
        guard stop.pointee == .backslash, let (_, end) = scanEscape(stop) else { return nil }
        p = end
        seen = 0
        stop = scanString(p, &seen)
    }
}

/// Past a number as RFC 8259 spells it, of at most `numberLengthLimit` characters.
@inline(__always) func skipNumber(_ start: Bytes) -> Bytes? {
    var p = start
    if p.pointee == UInt8(ascii: "-") { p += 1 }
    let first = p
    while p.pointee.isASCIIDigit { p += 1 }
    if p == first || (first.pointee == UInt8(ascii: "0") && p - first > 1) { return nil }
    if p.pointee == UInt8(ascii: ".") {
        p += 1
        let fraction = p
        while p.pointee.isASCIIDigit { p += 1 }
        if p == fraction { return nil }
    }
    if p.pointee | 0x20 == UInt8(ascii: "e") {
        p += 1
        if p.pointee == UInt8(ascii: "-") || p.pointee == UInt8(ascii: "+") { p += 1 }
        let exponent = p
        while p.pointee.isASCIIDigit { p += 1 }
        if p == exponent { return nil }
    }
    return p - start <= numberLengthLimit ? p : nil
}

/// The longest number that is read, in characters: no exact type holds more, and longer ones are attacks.
let numberLengthLimit = 1024
