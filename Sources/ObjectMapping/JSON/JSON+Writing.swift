extension JSON: CustomStringConvertible {
    /// The value as JSON text without blanks: numbers as they stood, keys in their order.
    ///
    /// An absent value is an empty text.
    public var text: String { written { $0.text } }

    /// The value as JSON text in UTF-8 without blanks.
    public var data: Data { written { $0.data } }

    /// The value as JSON text on several lines, each level indented by two blanks.
    public var prettyPrinted: String { written(indented: true) { $0.text } }

    /// The value as JSON text without blanks, as `text`.
    public var description: String { text }

    private func written<Result>(indented: Bool = false, _ result: (JSONWriter) -> Result) -> Result {
        var writer = JSONWriter()
        writer.tree(self)
        if indented { writer = writer.indented() }
        defer { writer.free() }
        return result(writer)
    }
}
