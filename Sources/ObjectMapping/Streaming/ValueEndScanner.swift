/// Looks for the end of a value of which more and more is there, and looks at no byte twice.
struct ValueEndScanner {
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether the value is whole, if it is sound.
    mutating func isReached(in bytes: UnsafeRawBufferPointer) -> Bool {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == .backslash { isEscaped = true }
                if byte == .quote { isInString = false }
            } else if byte == .quote {
                isInString = true
            } else if byte == .openBrace || byte == .openBracket {
                depth += 1
            } else if byte == .closeBrace || byte == .closeBracket {
                depth -= 1
            }
            if depth <= 0, !isInString { return true }
        }
        return false
    }
}
