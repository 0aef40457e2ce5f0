import Synchronization

/// A text and its tokens: the memory of a parsed `JSON` and of a `MappingDecoder`.
// Unchecked: text and tokens are constants; the mutex guards the indexes.
final class TokenTape: @unchecked Sendable {
    /// Memory that is allocated lazily.
    private struct Indexes {
        /// The places of elements, or of keys, by the place of their array or object.
        var places: [Int: [UInt32]] = [:]
        /// The places of values by keys, by the place of their object.
        var keys: [Int: [ExactText: Int]] = [:]
        /// Whether the text is compact; `nil` if it was not compared yet.
        var isCompact: Bool?
    }

    private let text: PaddedText
    private let words: TokenWords
    /// The nesting of arrays and objects.
    let depth: Int
    /// Warnings about duplicate keys; the tokens then contain each key once.
    let duplicateKeys: [MappingIssue]
    private let indexes: Mutex<Indexes>

    /// The place of the value of the whole text.
    static var root: Int { 1 }
    /// The place of a null that is not in the text.
    static var nothing: Int { 0 }
    /// Up to this number of members or elements, a linear search is as fast as an index.
    private static var indexThreshold: Int { 32 }

    private init(
        _ text: consuming PaddedText, _ words: consuming TokenWords, depth: Int, duplicateKeys: [MappingIssue] = []
    ) {
        self.text = text
        self.words = words
        self.depth = depth
        self.duplicateKeys = duplicateKeys
        indexes = Mutex(Indexes())
    }

    @inline(__always) var tokens: Tokens { Tokens(text: text.start, words: words.start) }
    /// The text.
    var bytes: ByteView { text.start.raw(text.count) }

    // MARK: Reading

    /// Parses a text with a single value; returns `nil` if it is invalid or nested too deeply.
    ///
    /// - Parameter keepsRepeatedKeys: Whether the tokens are those of the text. Otherwise each key of an object has the
    ///   last one of its values, at its first position.
    static func read(_ bytes: ByteView, maximumDepth: Int, keepsRepeatedKeys: Bool = false) -> TokenTape? {
        let text = PaddedText(bytes)
        var builder = TapeBuilder(text.start, count: bytes.count, findsRepeatedKeys: !keepsRepeatedKeys)
        let start = text.start + TextPosition.lengthOfByteOrderMark(in: bytes)
        guard builder.read(at: start, maximumDepth: maximumDepth) == text.start + bytes.count else { return nil }
        return finish(text, builder, bytes, maximumDepth)
    }

    /// Parses the value at the start of a text, which can be followed by other text.
    ///
    /// - Returns: The tape, and the length of the value and the surrounding whitespace; `nil` if the value is invalid
    ///   or nested too deeply.
    static func readFirst(in rest: ByteView, maximumDepth: Int) -> (tape: TokenTape, count: Int)? {
        // The length of the value is unknown, and the text is not padded: copies of increasing size are parsed.
        var size = 1 << 10
        while true {
            let part = rest.prefix(size)
            let text = PaddedText(part)
            var builder = TapeBuilder(text.start, count: part.count, findsRepeatedKeys: true)
            let count = builder.read(at: text.start, maximumDepth: maximumDepth).map { $0 - text.start }
            if let count, count < part.count || part.count == rest.count {
                let bytes = rest.prefix(count)
                let tape = finish(PaddedText(bytes), builder, bytes, maximumDepth)
                // The builder refers to it.
                withExtendedLifetime(text) {}
                return (tape, count)
            }
            if part.count == rest.count { return nil }
            size *= 4
        }
    }

    private static func finish(
        _ text: consuming PaddedText, _ builder: consuming TapeBuilder, _ bytes: ByteView, _ maximumDepth: Int
    ) -> TokenTape {
        let depth = builder.depth
        let repeated = builder.candidates.isEmpty ? [:] : builder.tokens.repeatedKeys(of: builder.candidates)
        if repeated.isEmpty { return TokenTape(text, builder.finish(), depth: depth) }
        let issues = DuplicateKeyFinder.issues(in: bytes, maximumDepth: maximumDepth)
        let words = builder.tokens.words(from: root, keeping: repeated)
        return TokenTape(text, words, depth: depth, duplicateKeys: issues)
    }

    // MARK: Members

    /// Returns the value at a place; strings, fractions, arrays and objects retain the tape.
    @inline(__always) func value(at place: Int) -> JSON {
        let token = tokens.token(place)
        if token.kind == .integer, let value = token.integer(in: text.start) { return JSON(.integer(value)) }
        let isWord = token.kind.rawValue >= Token.Kind.true.rawValue && !token.isContainer
        return isWord ? token.scalar(in: text.start) : JSON(.parsed(self, at: place))
    }

    /// Returns the place of a key's value; `nil` if the object does not have it.
    @inline(__always) func member(_ name: String, of object: Int) -> Int? {
        if tokens.memberCount(object) > TokenTape.indexThreshold { return keys(of: object)[ExactText(text: name)] }
        return name.withView { tokens.member(Bytes($0) ?? text.start, $0.count, of: object) }
    }

    /// Returns the place of the element, or of the key of the member, at an index below the count.
    func child(_ index: Int, of container: Int) -> Int {
        let isObject = tokens.token(container).kind == .object
        let count = tokens.memberCount(container)
        let width = isObject ? 2 : 1
        // All children are scalars.
        if tokens.end(of: container) - container - 2 == count * width { return container + 2 + index * width }
        if index <= TokenTape.indexThreshold {
            return tokens.place(index, after: container + 2, inObject: isObject)
        }
        if let places = indexes.withLock({ $0.places[container] }) { return Int(places[index]) }
        var places: [UInt32] = []
        places.reserveCapacity(count)
        var place = container + 2
        for _ in 0..<count {
            places.append(UInt32(truncatingIfNeeded: place))
            place = tokens.place(1, after: place, inObject: isObject)
        }
        indexes.withLock { [places] in $0.places[container] = places }
        return Int(places[index])
    }

    private func keys(of object: Int) -> [ExactText: Int] {
        if let keys = indexes.withLock({ $0.keys[object] }) { return keys }
        var keys: [ExactText: Int] = [:]
        keys.reserveCapacity(tokens.memberCount(object))
        tokens.forEachKey(of: object) { keys[ExactText(text: $0)] = $1 }
        indexes.withLock { [keys] in $0.keys[object] = keys }
        return keys
    }

    // MARK: Text

    /// Returns the bytes of a value if they are its compact text; `nil` if they may differ.
    func writtenBytes(of place: Int) -> ByteView? {
        guard duplicateKeys.isEmpty, let part = slice(of: place), let whole = slice(of: TokenTape.root) else {
            return nil
        }
        let isCompact =
            indexes.withLock(\.isCompact)
            ?? value(at: TokenTape.root).written { $0.withBytes { $0.isSame(as: whole) } }
        indexes.withLock { $0.isCompact = isCompact }
        return isCompact ? part : nil
    }

    /// Returns the bytes of a value in the text; `nil` if their number is not known.
    private func slice(of place: Int) -> ByteView? {
        let token = tokens.token(place)
        guard token.storedLength < Token.longest else { return nil }
        let end = token.offset + token.storedLength + (token.isString ? 2 : 0)
        return bytes.part(token.offset..<end)
    }
}

/// A copy of a text with padding.
struct PaddedText: ~Copyable {
    let start: Bytes
    let count: Int

    init(_ bytes: ByteView) {
        start = Bytes(.padded(bytes))
        count = bytes.count
    }

    deinit { start.deallocate() }
}
