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
