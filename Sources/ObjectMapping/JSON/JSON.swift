/// A JSON value: null, a boolean, a number, a string, an array or an object.
///
/// ```swift
/// let json = try JSON(data)
/// let name = json["user"]["name"].string          // nil when there is no such member, or it is no string
/// let mean = try json.value(at: "transactions.@avg.amount")
/// ```
///
/// Subscripts never trap: what is not there is an *absent* value, whose `exists` is false and whose accessors are all
/// nil. Absent is not null: `isNull` is true only of a null that stands in the text.
///
/// Numbers keep their text, so that nothing is rounded on the way from reading to writing; they are equal when their
/// values are (`1 == 1.0 == 1e0`). Objects keep the order of their keys, which does not count for equality. Strings
/// and keys are equal when their Unicode scalars are.
public struct JSON: Sendable {
    enum Storage: Sendable {
        case absent
        case null
        case bool(Bool)
        case integer(Int64)
        /// A number that is no `Int64`, or is not written like one, as its text.
        case number(String)
        case string(String)
        case array([JSON])
        case object(JSONObject)
        /// A whole text with something to say about it besides its value, which is an array or an object.
        case document(Document)
    }

    /// The value of a text in which keys are repeated.
    final class Document: Sendable {
        let content: Storage
        let duplicateKeys: [MappingIssue]

        init(content: Storage, duplicateKeys: [MappingIssue]) {
            self.content = content
            self.duplicateKeys = duplicateKeys
        }
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// The value itself; never a document.
    var content: Storage {
        if case .document(let document) = storage { document.content } else { storage }
    }

    /// Reads a text that holds one value, with nothing but blanks around it.
    ///
    /// Strict RFC 8259 in UTF-8; a byte order mark at the start is skipped. Of a repeated key the last value wins; see
    /// `duplicateKeys`.
    ///
    /// - Parameters:
    ///   - text: `Data`, bytes or a `String`.
    ///   - maximumDepth: How deep arrays and objects may nest, at most 1,024.
    /// - Throws: The first mistake in the text, with its place.
    public init(_ text: some JSONInput, maximumDepth: Int = 512) throws(MappingError) {
        let result = text.withJSONBytes { bytes in
            Result { () throws(MappingError) in try JSON(bytes, maximumDepth: maximumDepth) }
        }
        self = try result.get()
    }

    /// Reads bytes where they lie.
    init(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int = MappingLimits.usualDepth) throws(MappingError) {
        let depth = min(maximumDepth, MappingLimits.largestDepth)
        var parser = JSONParser(bytes, maximumDepth: depth)
        guard let value = parser.parse() else { throw MappingError(JSON.issue(in: bytes, maximumDepth: depth)) }
        guard parser.repeatsKeys else {
            self = value
            return
        }
        let issues = DocumentWalker.duplicateKeys(in: bytes, maximumDepth: depth)
        self.init(.document(Document(content: value.storage, duplicateKeys: issues)))
    }

    private static func issue(in bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> MappingIssue {
        DocumentWalker.firstIssue(in: bytes, maximumDepth: maximumDepth)
            ?? MappingIssue(
                kind: .syntax, path: "$", position: TextPosition(), expected: "a JSON value", found: "something else")
    }

    /// The keys that stand more than once in an object of the text, as warnings; the first 1,000 of them.
    ///
    /// Known of the value that `init(_:)` made; empty for the parts of it and for changed copies.
    public var duplicateKeys: [MappingIssue] {
        if case .document(let document) = storage { document.duplicateKeys } else { [] }
    }
}
