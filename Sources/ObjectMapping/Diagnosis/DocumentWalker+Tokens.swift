extension DocumentWalker {
    /// What a byte of a string begins.
    enum UTF8Sequence {
        case character(length: Int)
        case invalid
        /// Right so far, but the buffer ends in it.
        case cut
    }

    /// Passes a string from quote to quote; false if it is broken.
    mutating func skipString(called name: String) -> Bool {
        offset += 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return true
            case UInt8(ascii: "\\"):
                guard skipEscape() else { return false }
            case let byte where byte < 0x20:
                fail(
                    expected: byte == 0x0A ? "the escape \\n" : "an escape sequence",
                    found: "an unescaped control character \(Self.codePoint(UInt32(byte))) in a \(name)")
                return false
            case 0..<0x80:
                offset += 1
            default:
                switch utf8Sequence(at: offset) {
                case .character(let length): offset += length
                case .cut:
                    failAtEnd(expected: "the rest of a UTF-8 character")
                    return false
                case .invalid:
                    fail(expected: "UTF-8", found: Self.invalidUTF8(bytes[offset]))
                    return false
                }
            }
        }
        failAtEnd(expected: "the closing quote of the \(name)")
        return false
    }

    private mutating func skipEscape() -> Bool {
        let start = offset
        guard start + 1 < bytes.count else {
            failAtEnd(expected: "the rest of an escape sequence")
            return false
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
            return true
        case UInt8(ascii: "u"):
            break
        default:
            fail(expected: "one of \" \\ / b f n r t u after the backslash", at: start + 1)
            return false
        }
        guard let unit = skipCodeUnit() else { return false }
        switch unit {
        case 0xD800..<0xDC00:
            // Until what follows is known not to be the other half, the end of the buffer only cuts the pair.
            for (place, wanted) in [(offset, UInt8(ascii: "\\")), (offset + 1, UInt8(ascii: "u"))] {
                guard place < bytes.count else {
                    failAtEnd(expected: "the second half of a surrogate pair")
                    return false
                }
                guard bytes[place] == wanted else { return failLoneSurrogate(unit, at: start) }
            }
            guard let second = skipCodeUnit() else { return false }
            return 0xDC00..<0xE000 ~= second || failLoneSurrogate(unit, at: start)
        case 0xDC00..<0xE000:
            return failLoneSurrogate(unit, at: start)
        default:
            return true
        }
    }

    private mutating func failLoneSurrogate(_ unit: UInt32, at place: Int) -> Bool {
        fail(
            expected: "a pair of surrogates", found: "a lone surrogate \\u\(String(unit, radix: 16, uppercase: true))",
            at: place)
        return false
    }

    /// Passes `\uXXXX`, whose first two bytes are known.
    private mutating func skipCodeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for place in offset + 2..<offset + 6 {
            guard place < bytes.count else {
                failAtEnd(expected: "four hexadecimal digits after \\u")
                return nil
            }
            guard let digit = bytes[place].hexadecimalDigit else {
                fail(expected: "four hexadecimal digits after \\u", at: place)
                return nil
            }
            unit = unit << 4 | digit
        }
        offset += 6
        return unit
    }

    /// What the bytes from an offset, of which the first is not ASCII, make in UTF-8.
    func utf8Sequence(at place: Int) -> UTF8Sequence {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch bytes[place] {
        case 0..<0x80: return .character(length: 1)
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return .invalid
        }
        for i in 1..<length {
            guard place + i < bytes.count else { return .cut }
            guard (i == 1 ? second : 0x80...0xBF) ~= bytes[place + i] else { return .invalid }
        }
        return .character(length: length)
    }

    /// Passes a number; false if it is broken or too long.
    mutating func skipNumber() -> Bool {
        let start = offset
        if isAt("-") { offset += 1 }
        let digits = offset
        guard skipDigits(from: start, expected: "a digit after the minus sign") else { return false }
        if bytes[digits] == UInt8(ascii: "0"), offset - digits > 1 {
            fail(expected: "a number without leading zeros", found: "a number that begins with 0", at: start)
            return false
        }
        if isAt(".") {
            offset += 1
            guard skipDigits(from: start, expected: "a digit after the decimal point") else { return false }
        }
        if isAt("e") || isAt("E") {
            offset += 1
            if isAt("+") || isAt("-") { offset += 1 }
            guard skipDigits(from: start, expected: "a digit in the exponent") else { return false }
        }
        if offset == bytes.count, mayContinue {
            failAtEnd(expected: "the end of the number")
            return false
        }
        return true
    }

    private func isAt(_ character: Unicode.Scalar) -> Bool {
        offset < bytes.count && bytes[offset] == UInt8(ascii: character)
    }

    private mutating func skipDigits(from start: Int, expected: String) -> Bool {
        let first = offset
        while offset < bytes.count, bytes[offset].isASCIIDigit {
            offset += 1
            guard offset - start <= numberLengthLimit else {
                fail(
                    expected: "a number of at most \(numberLengthLimit) characters",
                    found: "a number longer than \(numberLengthLimit) characters", at: start)
                return false
            }
        }
        if offset == first { fail(expected: expected) }
        return offset > first
    }

    /// Passes `true`, `false` or `null`; false for anything else.
    mutating func skipWord() -> Bool {
        if offset == 0, origin.offset == 0, bytes.count < 3, [0xEF, 0xBB, 0xBF].starts(with: bytes) {
            failAtEnd(expected: "the rest of a byte order mark")
            return false
        }
        for word in ["true", "false", "null"] {
            let text = word.utf8
            let present = bytes[offset...].prefix(text.count)
            if present.elementsEqual(text) {
                offset += text.count
                return true
            }
            if !present.isEmpty, present.count < text.count, text.starts(with: present) {
                failAtEnd(expected: "the rest of '\(word)'")
                return false
            }
        }
        let letters = bytes[offset...].prefix(10).prefix { 0x61...0x7A ~= $0 | 0x20 }
        let word = String(decoding: letters, as: UTF8.self)
        // Words of other languages are named; any other might be somebody's data.
        switch word {
        case "NaN", "nan", "Infinity", "True", "False", "None", "Null", "NULL", "TRUE", "FALSE", "undefined", "nil":
            fail(expected: expectation, found: "'\(word)'")
        case _ where letters.count > 1:
            fail(expected: expectation, found: "a word that is none of true, false and null")
        default:
            fail(expected: expectation)
        }
        return false
    }
}

extension UInt8 {
    var hexadecimalDigit: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
