/// The exact, patient reader of JSON: it runs only after a fast one met something wrong, and to find places.
///
/// It gives one event a token and stops at the first thing RFC 8259 forbids. It keeps its own stack, reads nothing
/// outside the buffer and takes time in proportion to the text.
package struct DocumentWalker {
    /// A token, by the offsets of its bytes; strings and keys with their quotes.
    package enum Event: Equatable {
        case key(Range<Int>)
        case scalar(Range<Int>)
        case open(Int, isObject: Bool)
        case close(Int)
        /// The value has ended before this offset.
        case end(Int)
        /// The text broke; `failure` says how.
        case failure
    }

    struct Frame {
        let isObject: Bool
        /// Index of the current element of an array.
        var index = 0
        /// Bytes of the current key between its quotes; nil before the first one is read.
        var key: Range<Int>?
    }

    enum State { case value, firstElement, firstKey, key, colon, afterValue, ended, failed }

    let bytes: UnsafeRawBufferPointer
    /// Whether more text may come after the buffer: then a number at its end is not known to be whole.
    let mayContinue: Bool
    let maximumDepth: Int
    /// Where the buffer starts, and the path of its value.
    let origin: TextPosition
    let prefix: [JSONPathStep]

    var offset = 0
    var state = State.value
    var frames: [Frame] = []
    var failure: SyntaxFailure?

    /// A walker at the start of a value.
    ///
    /// - Parameters:
    ///   - bytes: A value with blanks around it; the whole text, or a window of it.
    ///   - maximumDepth: How deep arrays and objects may nest; those that `prefix` leads through count.
    ///   - origin: The place of the first byte in the whole text.
    ///   - prefix: The path of the value in the whole document.
    ///   - mayContinue: Whether the text may go on after the buffer.
    package init(
        _ bytes: UnsafeRawBufferPointer, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = [], mayContinue: Bool = false
    ) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.origin = origin
        // The text of a path is made for each issue: a key of a megabyte must not be copied each time.
        self.prefix = prefix.map(\.shortened)
        self.mayContinue = mayContinue
        if origin.offset == 0 { offset = TextPosition.lengthOfByteOrderMark(in: bytes) }
    }

    /// The next token, `.end` after the last one of the value, `.failure` ever after the first mistake.
    package mutating func next() -> Event {
        if state == .failed { return .failure }
        if state == .ended { return .end(offset) }
        skipBlanks()
        guard offset < bytes.count else { return fail(expected: expectation) }
        let byte = bytes[offset]
        switch state {
        case .firstElement where byte == UInt8(ascii: "]"), .firstKey where byte == UInt8(ascii: "}"):
            return close()
        case .value, .firstElement:
            return value(byte)
        case .firstKey, .key:
            guard byte == UInt8(ascii: "\"") else { return fail(expected: expectation) }
            let start = offset
            guard skipString(called: "key") else { return .failure }
            frames[frames.count - 1].key = start + 1..<offset - 1
            state = .colon
            return .key(start..<offset)
        case .colon:
            guard byte == UInt8(ascii: ":") else { return fail(expected: expectation) }
            offset += 1
            state = .value
            return next()
        case .afterValue:
            return afterValue(byte)
        case .ended, .failed:
            return .failure
        }
    }

    private mutating func value(_ byte: UInt8) -> Event {
        let start = offset
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard prefix.count + frames.count < maximumDepth else {
                return fail(
                    expected: "at most \(maximumDepth) levels of nesting",
                    found: "nesting deeper than \(maximumDepth) levels")
            }
            let isObject = byte == UInt8(ascii: "{")
            frames.append(Frame(isObject: isObject))
            state = isObject ? .firstKey : .firstElement
            offset += 1
            return .open(start, isObject: isObject)
        case UInt8(ascii: "\""):
            guard skipString(called: "string") else { return .failure }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard skipNumber() else { return .failure }
        default:
            guard skipWord() else { return .failure }
        }
        state = frames.isEmpty ? .ended : .afterValue
        return .scalar(start..<offset)
    }

    private mutating func afterValue(_ byte: UInt8) -> Event {
        guard let frame = frames.last else { return .failure }
        switch byte {
        case UInt8(ascii: ","):
            offset += 1
            frames[frames.count - 1].index += 1
            state = frame.isObject ? .key : .value
            return next()
        case UInt8(ascii: "]") where !frame.isObject, UInt8(ascii: "}") where frame.isObject:
            return close()
        default:
            return fail(expected: expectation)
        }
    }

    private mutating func close() -> Event {
        frames.removeLast()
        state = frames.isEmpty ? .ended : .afterValue
        offset += 1
        return .close(offset - 1)
    }

    mutating func skipBlanks() {
        while offset < bytes.count, bytes[offset].isJSONBlank { offset += 1 }
    }

    /// What may stand here, in words.
    var expectation: String {
        let isInObject = frames.last?.isObject ?? false
        return switch state {
        case .value where frames.isEmpty:
            switch prefix.last {
            case .key?: "a value after the colon"
            case .index(0)?: "a value or ']'"
            case .index?: "a value after the comma"
            case nil: "a value"
            }
        case .value: isInObject ? "a value after the colon" : "a value after the comma"
        case .firstElement: "a value or ']'"
        case .firstKey: "a key in quotes or '}'"
        case .key: "a key in quotes after the comma"
        case .colon: "a colon after the key"
        case .afterValue: isInObject ? "a comma or '}'" : "a comma or ']'"
        case .ended, .failed: "the end of the text"
        }
    }
}

extension UInt8 {
    /// Whether RFC 8259 lets this byte stand between tokens.
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
