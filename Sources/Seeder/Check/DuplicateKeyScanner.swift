import ObjectMapping

/// Finds the keys that stand again in the same object of a text that passes by.
///
/// Whether the text is JSON is not its question: what it finds behind a mistake is worth nothing.
struct DuplicateKeyScanner {
    /// Keys that stand again, in the order of the text, no more than the limit.
    private(set) var issues: [MappingIssue] = []
    /// How many there are.
    private(set) var count = 0

    private let isLines: Bool
    private let limit: Int
    private var position = TextPosition()
    /// The objects and arrays that are open, and behind them frames to be used again.
    private var frames: [Frame] = []
    private var depth = 0
    private var state = State.between
    private var expectsKey = false
    private var key: [UInt8] = []
    private var keyPosition = TextPosition()

    /// No reader takes a deeper text, and memory must not grow with it.
    private static let maximumDepth = MappingLimits.largestDepth
    /// Keys of one object that are remembered.
    private static let maximumKeys = 1 << 20

    private enum State {
        case between
        case string(isKey: Bool, isEscaped: Bool)
        /// Too deep to find anything before the next line.
        case lost
    }

    private struct Frame {
        var isObject = false
        /// Of the element in an array.
        var index = 0
        /// Of the member in an object: its bytes between the quotes.
        var key: [UInt8] = []
        var seen: Set<Int> = []
    }

    /// - Parameters:
    ///   - isLines: Whether every line is a text of its own.
    ///   - limit: How many issues are kept.
    init(isLines: Bool, limit: Int) {
        self.isLines = isLines
        self.limit = limit
    }

    /// Looks at the next bytes of the text.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                startLine()
                continue
            }
            switch state {
            case .between: takeToken(byte)
            case .string(let isKey, let isEscaped): take(byte, isKey, isEscaped)
            case .lost: break
            }
            // A byte order mark is no character.
            if byte & 0xC0 != 0x80, byte != 0xEF || position.offset > 0 { position.column += 1 }
            position.offset += 1
        }
    }

    private mutating func startLine() {
        position = TextPosition(line: position.line + 1, column: 1, offset: position.offset + 1)
        if isLines { (depth, state, expectsKey) = (0, .between, false) }
    }

    private mutating func takeToken(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            state = .string(isKey: expectsKey, isEscaped: false)
            keyPosition = position
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth = max(depth - 1, 0)
            expectsKey = false
        case UInt8(ascii: ",") where depth > 0:
            expectsKey = frames[depth - 1].isObject
            frames[depth - 1].index += 1
        default: break
        }
    }

    private mutating func open(isObject: Bool) {
        guard depth < Self.maximumDepth else {
            state = .lost
            return
        }
        if depth == frames.count { frames.append(Frame()) }
        frames[depth].isObject = isObject
        frames[depth].index = 0
        // Emptying a large set takes as long as filling it.
        frames[depth].seen.removeAll(keepingCapacity: frames[depth].seen.capacity < 100)
        depth += 1
        expectsKey = isObject
    }

    private mutating func take(_ byte: UInt8, _ isKey: Bool, _ isEscaped: Bool) {
        if byte == UInt8(ascii: "\""), !isEscaped {
            state = .between
            if isKey { endKey() }
            return
        }
        if isKey { key.append(byte) }
        let isBackslash = byte == UInt8(ascii: "\\")
        if isEscaped || isBackslash { state = .string(isKey: isKey, isEscaped: isBackslash && !isEscaped) }
    }

    private mutating func endKey() {
        expectsKey = false
        swap(&frames[depth - 1].key, &key)
        key.removeAll(keepingCapacity: true)
        let hash = Self.hash(frames[depth - 1].key)
        guard frames[depth - 1].seen.count < Self.maximumKeys || frames[depth - 1].seen.contains(hash) else { return }
        guard !frames[depth - 1].seen.insert(hash).inserted else { return }
        count += 1
        guard issues.count < limit else { return }
        let path: [JSONPathStep] = frames[..<depth].map { frame in
            frame.isObject ? .key(JSONText.unescaped(frame.key)) : .index(frame.index)
        }
        issues.append(
            MappingIssue(
                kind: .duplicateKey, path: path.text, position: keyPosition, expected: "each key once",
                found: "this key again"))
    }

    /// 64 bits that no two keys of an object share by chance; keys are equal when their characters are, however escaped.
    private static func hash(_ key: [UInt8]) -> Int {
        var hasher = Hasher()
        let text = key.contains(UInt8(ascii: "\\")) ? Array(JSONText.unescaped(key).utf8) : key
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
