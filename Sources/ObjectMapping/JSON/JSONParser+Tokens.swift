extension JSONParser {
    /// Reads a string from quote to quote; nil if it is broken.
    mutating func string() -> String? {
        let start = offset + 1
        var end = start
        var hasEscapes = false
        scanning: while true {
            // Eight bytes at a time while none of them is a quote, a backslash or a control character.
            while bytes.count - end >= 8 {
                let word = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                if JSONParser.isSpecial(word) { break }
                end += 8
            }
            guard end < bytes.count else { return nil }
            switch bytes[end] {
            case UInt8(ascii: "\""): break scanning
            case UInt8(ascii: "\\"):
                hasEscapes = true
                end += 2
            case 0..<0x20: return nil
            default: end += 1
            }
        }
        offset = end + 1
        let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if hasEscapes {
            guard unescape(raw) else { return nil }
            return String(validating: scratch, as: UTF8.self)
        }
        return raw.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
    }

    /// Whether one of eight bytes is a quote, a backslash or below a blank.
    @inline(__always)
    private static func isSpecial(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word
        return found & highs != 0
    }

    /// Puts the meaning of a string with escapes into `scratch`.
    private mutating func unescape(_ raw: UnsafeRawBufferPointer) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        var place = 0
        while place < raw.count {
            let byte = raw[place]
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                scratch.append(byte)
                continue
            }
            guard place < raw.count else { return false }
            let escape = raw[place]
            place += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(escape)
            case UInt8(ascii: "b"): scratch.append(0x08)
            case UInt8(ascii: "f"): scratch.append(0x0C)
            case UInt8(ascii: "n"): scratch.append(0x0A)
            case UInt8(ascii: "r"): scratch.append(0x0D)
            case UInt8(ascii: "t"): scratch.append(0x09)
            case UInt8(ascii: "u"):
                guard var value = JSONParser.codeUnit(raw, &place) else { return false }
                if 0xD800..<0xDC00 ~= value {
                    guard raw.count - place >= 6, raw[place] == UInt8(ascii: "\\"), raw[place + 1] == escape else {
                        return false
                    }
                    place += 2
                    guard let low = JSONParser.codeUnit(raw, &place), 0xDC00..<0xE000 ~= low else { return false }
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(value) else { return false }
                scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: return false
            }
        }
        return true
    }

    private static func codeUnit(_ raw: UnsafeRawBufferPointer, _ place: inout Int) -> UInt32? {
        guard raw.count - place >= 4 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = raw[place].hexadecimalDigit else { return nil }
            value = value << 4 | digit
            place += 1
        }
        return value
    }

    /// Reads a number; nil if it is broken or too long.
    mutating func number() -> JSON? {
        let start = offset
        let isNegative = bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let firstDigit = offset
        var value: UInt64 = 0
        while offset < bytes.count, bytes[offset].isASCIIDigit {
            // Wraps only where there are too many digits for an Int64 anyway.
            value = value &* 10 &+ UInt64(bytes[offset] &- UInt8(ascii: "0"))
            offset += 1
        }
        let digits = offset - firstDigit
        guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { return nil }
        var isPlain = digits < 20 && value <= UInt64(Int64.max) + (isNegative ? 1 : 0) && !(isNegative && value == 0)
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isPlain = false
            offset += 1
            guard skipDigits() else { return nil }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isPlain = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard skipDigits() else { return nil }
        }
        guard offset - start <= numberLengthLimit else { return nil }
        if isPlain { return JSON(.integer(isNegative ? Int64(truncatingIfNeeded: 0 &- value) : Int64(value))) }
        return JSON(.number(String(decoding: bytes[start..<offset], as: UTF8.self)))
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while offset < bytes.count, bytes[offset].isASCIIDigit { offset += 1 }
        return offset > start
    }
}
