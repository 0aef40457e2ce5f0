/// A text with its tokens in a row, and how they are to be decoded; whoever keeps a decoder keeps it.
final class TokenTape {
    /// The bytes that were read, with padding behind them.
    let text: Bytes
    let words: UnsafeMutablePointer<UInt64>
    let settings: DecodingSettings
    let powers = PowersOfFive.shared
    /// Bytes of the text.
    let count: Int
    /// How the types looked at last are decoded, by the addresses of their metadata.
    @exclusivity(unchecked) private var kinds: ContiguousArray<(type: ObjectIdentifier, kind: DecodableKind)>
    /// Keys as the strategy has them, by how they stand in the text.
    @exclusivity(unchecked) var convertedKeys: [String: String] = [:]

    /// The place of the value of the whole text.
    static var root: Int { 1 }
    /// The place of a null that is not in the text.
    static var nothing: Int { 0 }
    private static var kindCount: Int { 32 }

    /// A copy of a text; nil if it is broken or nests deeper than the settings allow.
    init?(_ bytes: UnsafeRawBufferPointer, _ settings: DecodingSettings) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + Bytes.padding)
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
        (copy + bytes.count).initialize(repeating: 0, count: Bytes.padding)
        let text = Bytes(copy)
        var builder = TapeBuilder(text, count: bytes.count)
        let isSound = builder.read(
            from: text + TextPosition.lengthOfByteOrderMark(in: bytes), to: text + bytes.count,
            maximumDepth: settings.limits.depth)
        self.text = text
        self.settings = settings
        words = builder.words
        count = bytes.count
        kinds = ContiguousArray(
            repeating: (ObjectIdentifier(Never.self), .plain), count: isSound ? TokenTape.kindCount : 0)
        if !isSound { return nil }
    }

    deinit {
        text.deallocate()
        words.deallocate()
    }

    // MARK: Tokens

    @inline(__always) func token(_ place: Int) -> Token { Token(words[place]) }

    /// Behind the tokens of the value at a place.
    @inline(__always) func end(of place: Int) -> Int {
        token(place).isContainer ? Int(truncatingIfNeeded: words[place + 1] & 0xFFFF_FFFF) : place &+ 1
    }

    /// Members of the object, or elements of the array, at a place.
    @inline(__always) func memberCount(_ place: Int) -> Int { Int(truncatingIfNeeded: words[place + 1] >> 32) }

    /// The text of the string at a place.
    @inline(__always) func string(_ place: Int) -> String? {
        let token = token(place)
        guard token.word & 15 <= Token.Kind.escapedString.rawValue else { return nil }
        let start = text + token.offset + 1
        let length = token.length(in: text)
        if token.kind == .escapedString { return unescaped(start) }
        return makeValidString(start, length, isASCII: token.kind == .plainString)
    }

    @inline(never) private func unescaped(_ start: Bytes) -> String {
        var buffer = ByteBuffer()
        defer { buffer.free() }
        guard unescape(start, into: &buffer) != nil else { return "" }
        return makeString(buffer.text, buffer.count)
    }

    /// The text of the number at a place.
    func numberText(_ place: Int) -> String {
        makeString(text + token(place).offset, token(place).length(in: text))
    }

    /// A scalar as a value; of an object or array only what it is.
    func scalarValue(_ place: Int) -> JSON {
        switch token(place).kind {
        case .plainString, .string, .escapedString: .string(string(place) ?? "")
        case .integer, .number: JSON(.number(numberText(place)))
        case .true: .bool(true)
        case .false: .bool(false)
        case .null: .null
        case .object: [:]
        case .array: []
        }
    }

    /// The keys of the object at a place, in the order of the text, each with the place of its value.
    func forEachKey(of place: Int, atMost limit: Int = .max, _ body: (String, Int) throws -> Void) rethrows {
        var key = place + 2
        for _ in 0..<min(limit, memberCount(place)) {
            try body(string(key) ?? "", key + 1)
            key = end(of: key + 1)
        }
    }

    // MARK: Types

    /// How a type is decoded; what was looked at last is remembered.
    @inline(__always) func kind<Value: Decodable>(of type: Value.Type) -> DecodableKind {
        let id = ObjectIdentifier(type)
        let slot = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (TokenTape.kindCount - 1)
        if kinds[slot].type == id { return kinds[slot].kind }
        let kind = DecodableKind(type, settings)
        kinds[slot] = (id, kind)
        return kind
    }
}
