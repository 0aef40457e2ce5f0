/// A JSON value: null, a Boolean, a number, a string, an array or an object.
///
/// ```swift
/// let json = try JSON(data)
/// let name = json["user"]["name"].string          // nil if the member is missing or is not a string
/// let mean = try json.value(at: "transactions.@avg.amount")
/// ```
///
/// Subscripts do not trap: for a missing member they return an *absent* value, whose `exists` is false and whose
/// accessors return `nil`. An absent value is not null: `isNull` is true only for a null in the text.
///
/// Numbers keep their text, so that nothing is rounded between reading and writing; they are equal if their values are
/// (`1 == 1.0 == 1e0`). Objects keep the order of their keys, which does not affect equality. Strings and keys are
/// equal if their Unicode scalars are.
///
/// ### Memory
///
/// Parsing copies the text once and adds eight bytes for each value and key; strings, numbers and arrays are created by
/// the accessors. Parts of a parsed value retain the whole text. To store a small part of a large text, store what its
/// accessors return, or a copy: `try JSON(part.data)`.
///
/// Values that are created in code, by literals or by setting subscripts, are trees, whose parts can be parsed values.
/// Values of any depth can be created, compared, written and released.
public struct JSON: Sendable {
    enum Storage: Sendable {
        case absent
        case null
        case bool(Bool)
        case integer(Int64)
        /// A number that is not an `Int64`, or is not written like one, with its text.
        case number(String)
        case string(String)
        case array(JSONTree)
        case object(JSONTree)
        /// A string, number, array or object in a parsed text.
        case parsed(TokenTape, at: Int)
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// Parses a text with a single value and optional whitespace.
    ///
    /// The syntax is that of RFC 8259 in UTF-8; a byte order mark at the start is ignored. For a duplicate key, the
    /// last value is used; see `duplicateKeys`. Texts of 4 GiB and more are not supported.
    ///
    /// - Parameters:
    ///   - text: `Data`, bytes or a `String`.
    ///   - maximumDepth: The maximum nesting of arrays and objects, up to 1,024. Defaults to 512.
    /// - Throws: The first error in the text, with its position.
    /// - Complexity: O(*n*) in the length of the text.
    public init(_ text: some JSONInput, maximumDepth: Int = 512) throws(MappingError) {
        self = try text.withJSONView { bytes throws(MappingError) in try JSON(bytes, maximumDepth: maximumDepth) }
    }

    /// Parses a string, like `init(_:maximumDepth:)`.
    ///
    /// The label distinguishes parsing from `JSON.string(_:)`, which creates a string value: `try JSON(parsing: "[1]")`
    /// is an array, `JSON.string("[1]")` is not.
    ///
    /// - Parameters:
    ///   - text: JSON text.
    ///   - maximumDepth: The maximum nesting of arrays and objects, up to 1,024. Defaults to 512.
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

    /// Parses a text; returns `nil` if it is invalid.
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

    /// Warnings about duplicate keys in the text, up to 1,000.
    ///
    /// They are available only for the value created by `init(_:)`, and not for its parts and changed copies.
    public var duplicateKeys: [MappingIssue] {
        if case .parsed(let tape, TokenTape.root) = storage { tape.duplicateKeys } else { [] }
    }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text without whitespace, with unchanged numbers and order of keys.
    ///
    /// The text of an absent value is empty.
    public var text: String { written { $0.text } }

    /// The value as JSON text in UTF-8 without whitespace.
    public var data: Data { written { $0.data } }

    /// The value as JSON text on several lines, each level indented by two spaces.
    public var prettyPrinted: String { written(indented: true) { $0.text } }

    /// The value as JSON text without whitespace, like `text`.
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
