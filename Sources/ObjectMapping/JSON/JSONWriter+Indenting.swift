extension JSONWriter {
    /// The same text on several lines, each level indented by two blanks.
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
                // The brackets of an empty container differ by two, whatever their shape.
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
