/// A JSON value: null, a boolean, a number, a string, an array or an object.
///
/// ```swift
/// let json = try JSON(data)
/// let name = json["user"]["name"].string          // nil if the member is missing or is not a string
/// let mean = try json.value(at: "transactions.@avg.amount")
/// ```
///
/// Subscripts never trap: what they do not find is an *absent* value, whose `exists` is false and whose accessors are
/// all nil. Absent is not null: `isNull` is true only of a null in the text.
///
/// Numbers keep their text, so that nothing is rounded between reading and writing; they are equal when their values
/// are (`1 == 1.0 == 1e0`). Objects keep the order of their keys, which does not count for equality. Strings and keys
/// are equal when their Unicode scalars are.
///
/// ### Memory
///
/// Parsing copies the text once and adds eight bytes for each value and key; strings, numbers and arrays are made when
/// an accessor is called. The parts of a parsed value refer to the whole text: one that is kept keeps all of it in
/// memory. To keep a small part of a large text, keep what its accessors return, or a copy: `try JSON(part.data)`.
///
/// Values made in code, by literals or by setting subscripts, are trees, whose parts may be parsed values. Values of
/// any depth can be made, compared, written and freed.
public struct JSON: Sendable {
    enum Storage: Sendable {
        case absent
        case null
        case bool(Bool)
        case integer(Int64)
        /// A number that is not an `Int64`, or is not written like one, as its text.
        case number(String)
        case string(String)
        case array(JSONTree)
        case object(JSONTree)
        /// A string, number, array or object of a text that was read.
        case parsed(TokenTape, at: Int)
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// Parses a text that holds one value, with nothing but whitespace around it.
    ///
    /// Strict RFC 8259 in UTF-8; a byte order mark at the start is skipped. Of a repeated key the last value is used,
    /// see `duplicateKeys`. Texts of 4 GiB and more are not read.
    ///
    /// - Parameters:
    ///   - text: `Data`, bytes or a `String`.
    ///   - maximumDepth: How deep arrays and objects may nest, at most 1,024. Defaults to 512.
    /// - Throws: The first error in the text, with its position.
    /// - Complexity: O(*n*) in the length of the text.
    public init(_ text: some JSONInput, maximumDepth: Int = 512) throws(MappingError) {
        let result = text.withJSONView { bytes in
            Result { () throws(MappingError) in try JSON(bytes, maximumDepth: maximumDepth) }
        }
        self = try result.get()
    }

    /// Parses a string, as `init(_:maximumDepth:)` does.
    ///
    /// The label tells parsing from `JSON.string(_:)`, which makes a value that is a string:
    /// `try JSON(parsing: "[1]")` is an array, `JSON.string("[1]")` is not.
    ///
    /// - Parameters:
    ///   - text: JSON text.
    ///   - maximumDepth: How deep arrays and objects may nest, at most 1,024. Defaults to 512.
    /// - Throws: The first error in the text, with its position.
    public init(parsing text: some StringProtocol & JSONInput, maximumDepth: Int = 512) throws(MappingError) {
        try self.init(text, maximumDepth: maximumDepth)
    }

    /// Parses bytes.
    init(_ bytes: ByteView, maximumDepth: Int = MappingLimits.usualDepth) throws(MappingError) {
        guard bytes.count <= Token.longestText else {
            throw MappingError(.tooLong(bytes.count, limit: Token.longestText))
        }
        let depth = min(maximumDepth, MappingLimits.largestDepth)
        guard let value = JSON.value(of: bytes, maximumDepth: depth) else {
            throw MappingError(JSONTokenizer.issue(of: bytes, maximumDepth: depth))
        }
        self = value
    }

    /// The value of a text; nil if the text is invalid.
    private static func value(of bytes: ByteView, maximumDepth: Int) -> JSON? {
        let mark = TextPosition.lengthOfByteOrderMark(in: bytes)
        let first = bytes.dropFirst(mark).first { !$0.isJSONBlank }
        if first == .openBrace || first == .openBracket {
            return TokenTape.read(bytes, maximumDepth: maximumDepth).map { JSON(.parsed($0, at: TokenTape.root)) }
        }
        // A scalar needs no tape: conversions read many.
        return bytes.withPaddedCopy { text in
            guard let (token, end) = Token.scalar(at: skipWhitespace(text + mark), in: text),
                skipWhitespace(end) == text + bytes.count
            else { return nil }
            return token.scalar(in: text)
        }
    }

    /// Warnings about keys that an object of the text repeats; the first 1,000 of them.
    ///
    /// Known only of the whole value that `init(_:)` made; empty for its parts and for changed copies.
    public var duplicateKeys: [MappingIssue] {
        if case .parsed(let tape, TokenTape.root) = storage { tape.duplicateKeys } else { [] }
    }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text without whitespace: numbers unchanged, keys in their order.
    ///
    /// An absent value is an empty text.
    public var text: String { written { $0.text } }

    /// The value as JSON text in UTF-8 without whitespace.
    public var data: Data { written { $0.data } }

    /// The value as JSON text on several lines, each level indented by two spaces.
    public var prettyPrinted: String { written(indented: true) { $0.text } }

    /// The value as JSON text without whitespace, as `text`.
    public var description: String { text }

    func written<Result>(indented: Bool = false, _ result: (borrowing JSONWriter) throws -> Result) rethrows -> Result {
        var writer = JSONWriter()
        writer.tree(self)
        if indented { writer = writer.indented() }
        return try result(writer)
    }
}

extension JSON {
    /// Calls a closure with the value as text without whitespace.
    func withText<R>(_ body: (ByteView) throws -> R) rethrows -> R {
        if case .parsed(let tape, let place) = storage, let bytes = tape.writtenBytes(of: place) {
            return try withExtendedLifetime(tape) { try body(bytes) }
        }
        return try written { try $0.withBytes(body) }
    }
}
