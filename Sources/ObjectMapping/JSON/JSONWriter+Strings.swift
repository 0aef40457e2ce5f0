extension JSONWriter {
    /// Writes a string in quotes, with the escapes required by RFC 8259: quotes, backslashes and control characters.
    mutating func string(_ text: String) { text.withView { string($0) } }

    /// Writes a string from bytes in UTF-8.
    @inline(__always) mutating func string(_ bytes: ByteView) {
        let count = bytes.count
        guard let first = Bytes(bytes) else { return buffer.append(0x2222, 2) }
        var plain = 0
        // Copied before it is searched: the copy is followed by padding, which allows searching eight bytes at a time.
        buffer.append(upTo: count &+ 16) { target in
            target[0] = .quote
            let copy = target + 1
            copy.initialize(from: first, count: count)
            (copy + count).store(0x2020_2020_2020_2020)
            while plain < count, !hasEscapes(Bytes(copy + plain).word) { plain &+= 8 }
            if plain < count { return plain &+ 1 }
            copy[count] = .quote
            return count &+ 2
        }
        if plain < count {
            escape(bytes.dropFirst(plain))
            buffer.append(.quote)
        }
    }

    @inline(never) private mutating func escape(_ bytes: ByteView) {
        buffer.append(upTo: bytes.count * 6) { target in
            var place = target
            func put(_ byte: UInt8) {
                place.pointee = byte
                place += 1
            }
            for byte in bytes {
                guard byte < 0x20 || byte == .quote || byte == .backslash else {
                    put(byte)
                    continue
                }
                put(.backslash)
                switch byte {
                case .quote, .backslash: put(byte)
                case 0x0A: put(UInt8(ascii: "n"))
                case 0x0D: put(UInt8(ascii: "r"))
                case 0x09: put(UInt8(ascii: "t"))
                default:
                    put(UInt8(ascii: "u"))
                    put(0x30)
                    put(0x30)
                    put(hexadecimalDigit(byte >> 4))
                    put(hexadecimalDigit(byte & 15))
                }
            }
            return place - target
        }
    }
}

/// Whether one of eight bytes is a quote, a backslash or a control character.
@inline(__always) private func hasEscapes(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
        ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
    return found & 0x8080_8080_8080_8080 != 0
}

@inline(__always) private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : UInt8(ascii: "a") + value - 10
}

extension JSONWriter {
    /// Returns the text on several lines, each level indented by two spaces.
    func indented() -> JSONWriter {
        var indented = JSONWriter(capacity: count * 2)
        var depth = 0
        var isString = false
        var isEscaped = false
        for index in 0..<count {
            let byte = buffer.start[index]
            if isString {
                indented.buffer.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == .backslash {
                    isEscaped = true
                } else if byte == .quote {
                    isString = false
                }
                continue
            }
            switch byte {
            case .openBrace, .openBracket:
                indented.buffer.append(byte)
                depth += 1
                // The codes of opening and closing brackets differ by two.
                if buffer.start[index + 1] != byte + 2 { indented.newLine(depth) }
            case .closeBrace, .closeBracket:
                depth -= 1
                if buffer.start[index - 1] != byte - 2 { indented.newLine(depth) }
                indented.buffer.append(byte)
            case .comma:
                indented.buffer.append(byte)
                indented.newLine(depth)
            case .colon:
                indented.buffer.append(byte)
                indented.buffer.append(0x20)
            default:
                isString = byte == .quote
                indented.buffer.append(byte)
            }
        }
        return indented
    }

    private mutating func newLine(_ depth: Int) {
        buffer.append(0x0A)
        for _ in 0..<depth { buffer.append(0x2020, 2) }
    }
}
