extension JSONTokenizer {
    /// Reads a string or key, or the rest of it.
    mutating func string(_ piece: Piece) -> Event {
        let isKey = state == .key || state == .firstKey
        let (place, stop) = scanContents(piece[max(scanned, offset + 1)])
        let reached = piece.offset(place)
        if stop == .quote { return isKey ? key(endingAt: reached + 1, piece) : scalar(endingAt: reached + 1) }
        // Everything before is valid, so a string that continues is not read again.
        scanned = reached
        switch stop {
        case .quote, .control:
            if reached == end {
                return endOfText(piece, expected: "the closing quote of the \(isKey ? "key" : "string")")
            }
            return fail(
                piece, at: reached, expected: place.pointee == 0x0A ? "the escape \\n" : "an escape sequence",
                found:
                    "an unescaped control character \(SyntaxFailure.codePoint(UInt32(place.pointee))) in a \(isKey ? "key" : "string")"
            )
        case .invalidUTF8:
            if case .incomplete = UTF8Sequence(rest(piece, at: reached)) {
                return endOfText(piece, expected: "the rest of a UTF-8 character")
            }
            return fail(piece, at: reached, expected: "UTF-8", found: SyntaxFailure.invalidUTF8(place.pointee))
        case .invalidEscape: return failEscape(piece, at: reached)
        }
    }

    /// Returns the bytes from an offset to the end of those in memory.
    private func rest(_ piece: Piece, at offset: Int) -> ByteView { piece[offset].raw(end - offset) }

    /// Reports the error in an escape sequence.
    private mutating func failEscape(_ piece: Piece, at start: Int) -> Event {
        func unit(_ digits: ByteView) -> UInt32 {
            digits.prefix(4).reduce(0) { $0 << 4 | ($1.hexadecimalDigit ?? 0) }
        }
        let escape = rest(piece, at: start)
        if escape.count == 1 { return endOfText(piece, expected: "the rest of an escape sequence") }
        guard escape[1] == UInt8(ascii: "u") else {
            return fail(piece, at: start + 1, expected: "one of \" \\ / b f n r t u after the backslash")
        }
        // The first unit, and for half of a pair, the second one.
        for first in [2, 8] {
            let digits = escape.dropFirst(first)
            let count = digits.prefix(4).prefix { $0.hexadecimalDigit != nil }.count
            if count < digits.prefix(4).count || digits.count < 4 {
                return fail(piece, at: start + first + count, expected: "four hexadecimal digits after \\u")
            }
            guard first == 2, 0xD800..<0xDC00 ~= unit(digits) else { break }
            let next = digits.dropFirst(4).prefix(2)
            guard [UInt8.backslash, UInt8(ascii: "u")].starts(with: next) else { break }
            if next.count < 2 { return endOfText(piece, expected: "the second half of a surrogate pair") }
        }
        let half = unit(escape.dropFirst(2))
        return fail(
            piece, at: start, expected: "a pair of surrogates",
            found: "a lone surrogate \\u\(String(half, radix: 16, uppercase: true))")
    }

    /// Reads a number.
    mutating func number(_ piece: Piece) -> Event {
        let start = piece[offset]
        var error: (place: Bytes, fault: NumberFault)?
        let stop = scanNumber(start) { error = ($0, $1) }
        if let stop {
            // More digits may follow.
            if piece.offset(stop) == end, !isAtEnd { return .needsMore }
            return scalar(endingAt: piece.offset(stop))
        }
        guard let (place, fault) = error else { return .failure }
        if fault != .leadingZero, place - start > numberLengthLimit,
            (start + numberLengthLimit).raw(place - start - numberLengthLimit).contains(where: \.isASCIIDigit)
        {
            return fail(
                piece, expected: "a number of at most \(numberLengthLimit) characters",
                found: "a number longer than \(numberLengthLimit) characters")
        }
        let expected =
            switch fault {
            case .missingInteger: "a digit after the minus sign"
            case .missingFraction: "a digit after the decimal point"
            case .missingExponent: "a digit in the exponent"
            case .leadingZero, .tooLong: "a number without leading zeros"
            }
        guard fault == .leadingZero else { return fail(piece, at: piece.offset(place), expected: expected) }
        return fail(piece, expected: expected, found: "a number with a leading zero")
    }

    /// Reads `true`, `false` or `null`.
    mutating func word(_ piece: Piece) -> Event {
        let place = piece[offset]
        if place.isTrue || place.isNull { return scalar(endingAt: offset + 4) }
        if place.isFalse { return scalar(endingAt: offset + 5) }
        let text = rest(piece, at: offset)
        if offset == 0, isTextStart, text.count < 3, [0xEF, 0xBB, 0xBF].starts(with: text) {
            return endOfText(piece, expected: "the rest of a byte order mark")
        }
        for word in ["true", "false", "null"] where text.count < word.utf8.count && word.utf8.starts(with: text) {
            return endOfText(piece, expected: "the rest of '\(word)'")
        }
        let letters = text.prefix(10).prefix { 0x61...0x7A ~= $0 | 0x20 }
        let word = String(decoding: letters, as: UTF8.self)
        let foreignWords = [
            "NaN", "nan", "Infinity", "True", "False", "None", "Null", "NULL", "TRUE", "FALSE", "undefined", "nil",
        ]
        if letters.count == text.count, !isAtEnd,
            letters.count == 1 || foreignWords.contains(where: { $0.hasPrefix(word) })
        {
            return .needsMore
        }
        switch word {
        // Words of other languages are named; any other word could be data.
        case _ where foreignWords.contains(word): return fail(piece, expected: expectation, found: "'\(word)'")
        case _ where letters.count > 1:
            return fail(piece, expected: expectation, found: "an invalid literal")
        default: return fail(piece, expected: expectation)
        }
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

/// The UTF-8 sequence at a place that does not start with ASCII.
enum UTF8Sequence {
    case character(length: Int)
    case invalid
    /// Valid so far, but the bytes end in it.
    case incomplete

    init(_ bytes: ByteView) {
        func length(_ bytes: some Sequence<UInt8>) -> Int? {
            var (parser, bytes) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
            return if case .valid(let character) = parser.parseScalar(from: &bytes) { character.count } else { nil }
        }
        let start = Array(bytes.prefix(4))
        if let length = length(start) {
            self = .character(length: length)
        } else {
            // After any first byte, the first or the last continuation byte is valid.
            let isStart = [0x80, 0xBF].contains { length(start + repeatElement($0, count: 3)) != nil }
            self = isStart ? .incomplete : .invalid
        }
    }
}
