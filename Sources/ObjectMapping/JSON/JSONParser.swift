/// The reader behind `JSON(_:)`: one pass, its own stack, and no words about mistakes: those are the walker's.
struct JSONParser {
    private typealias Member = (key: String, value: JSON)

    private struct Frame {
        let isObject: Bool
        /// Where its members start on the stack.
        let start: Int
        /// A bit a key seen, by a weak hash: a key whose bit is taken may be a repetition.
        var seen: UInt64 = 0
        var mayRepeat = false
        var key = ""
    }

    let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    var offset: Int
    private var stack: [Member] = []
    private var frames: [Frame] = []
    var scratch: [UInt8] = []
    /// Whether some object repeats a key.
    private(set) var repeatsKeys = false

    init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        offset = TextPosition.lengthOfByteOrderMark(in: bytes)
    }

    /// The value of the whole text; nil if something is wrong with it.
    mutating func parse() -> JSON? {
        guard let value = parseFirst(), nextByte() == nil else { return nil }
        return value
    }

    /// The value at the start of the text, whatever follows it; nil if something is wrong with it.
    mutating func parseFirst() -> JSON? {
        guard var value = startValue() else { return nil }
        while true {
            // A value has been read, or a container was opened: then there is none yet.
            if let complete = value {
                if frames.isEmpty { return complete }
                stack.append((frames[frames.count - 1].key, complete))
                switch nextByte() {
                case UInt8(ascii: ","):
                    offset += 1
                    if frames[frames.count - 1].isObject {
                        guard nextByte() == UInt8(ascii: "\""), key() else { return nil }
                    }
                    guard let next = startValue() else { return nil }
                    value = next
                case UInt8(ascii: "]") where !frames[frames.count - 1].isObject,
                    UInt8(ascii: "}") where frames[frames.count - 1].isObject:
                    value = close()
                default:
                    return nil
                }
                continue
            }
            let isObject = frames[frames.count - 1].isObject
            switch nextByte() {
            case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
                value = close()
            case UInt8(ascii: "\"") where isObject:
                guard key(), let next = startValue() else { return nil }
                value = next
            default:
                guard !isObject, let next = startValue() else { return nil }
                value = next
            }
        }
    }

    /// The next byte that is no blank, not yet passed.
    @inline(__always)
    private mutating func nextByte() -> UInt8? {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte > 0x20 || !byte.isJSONBlank { return byte }
            offset += 1
        }
        return nil
    }

    /// Reads a scalar, or opens a container and gives `.some(nil)`; nil if neither stands here.
    private mutating func startValue() -> JSON?? {
        guard let byte = nextByte() else { return nil }
        switch byte {
        case UInt8(ascii: "\""):
            guard let text = string() else { return nil }
            return JSON(.string(text))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard frames.count < maximumDepth else { return nil }
            offset += 1
            frames.append(Frame(isObject: byte == UInt8(ascii: "{"), start: stack.count))
            return .some(nil)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let number = number() else { return nil }
            return number
        case UInt8(ascii: "t"):
            guard word("true") else { return nil }
            return JSON(.bool(true))
        case UInt8(ascii: "f"):
            guard word("false") else { return nil }
            return JSON(.bool(false))
        case UInt8(ascii: "n"):
            guard word("null") else { return nil }
            return JSON.null
        default:
            return nil
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count - offset >= length else { return false }
        for i in 0..<length where bytes[offset + i] != word.utf8Start[i] { return false }
        offset += length
        return true
    }

    private mutating func close() -> JSON {
        offset += 1
        let frame = frames.removeLast()
        defer { stack.removeSubrange(frame.start...) }
        // The slices end before the stack shrinks: a slice still alive would make it copy itself whole.
        guard frame.isObject else { return JSON(.array(stack[frame.start...].map(\.value))) }
        let all = Array(stack[frame.start...])
        if frame.mayRepeat, JSONParser.hasRepetition(all), let kept = JSONObject.withoutRepetition(all) {
            repeatsKeys = true
            return JSON(.object(JSONObject(unique: kept)))
        }
        return JSON(.object(JSONObject(unique: all)))
    }

    /// Whether a key may stand twice; for sure only of few members.
    private static func hasRepetition(_ members: [Member]) -> Bool {
        guard members.count <= 24 else { return true }
        for i in members.indices.dropFirst() {
            let key = ExactText(text: members[i].key)
            if members[..<i].contains(where: { ExactText(text: $0.key) == key }) { return true }
        }
        return false
    }

    /// Reads a key and the colon behind it.
    private mutating func key() -> Bool {
        let start = offset + 1
        guard let text = string() else { return false }
        let length = offset - 1 - start
        guard nextByte() == UInt8(ascii: ":") else { return false }
        offset += 1
        // Of a key with escapes the bytes say nothing; of others the first, middle and last one tell most apart.
        let hasEscapes = length != text.utf8.count
        let hash =
            UInt64(bytes[start]) &* 31 ^ UInt64(bytes[start + length / 2]) &* 17 ^ UInt64(bytes[start + length - 1])
            ^ UInt64(length) &* 7
        let bit: UInt64 = 1 << (hash & 63)
        let last = frames.count - 1
        if hasEscapes || frames[last].seen & bit != 0 { frames[last].mayRepeat = true }
        frames[last].seen |= bit
        frames[last].key = text
        return true
    }
}
