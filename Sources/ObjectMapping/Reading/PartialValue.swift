/// The reading of a value that continues after the window, token by token: no byte of it is read twice.
final class PartialValue {
    /// Bytes before the value in the text.
    let offset: Int
    /// Bytes before those in the text that were not read yet.
    private var readOffset: Int
    private var tokenizer: JSONTokenizer

    init(at place: Bytes, in window: Window, maximumDepth: Int, origin: TextPosition, prefix: [JSONPathStep]) {
        offset = window.offset(place)
        readOffset = offset
        tokenizer = JSONTokenizer(maximumDepth: maximumDepth, origin: origin, prefix: prefix)
    }

    /// Reads what the window holds of the value; its end, nil if that is not in the window.
    ///
    /// - Throws: `MappingError` for the first error in the value.
    func end(in window: Window) throws(MappingError) -> Bytes? {
        let start = window.position.offset
        tokenizer.append(window.bytes.dropFirst(readOffset - start))
        readOffset = start + window.bytes.count
        if window.isComplete { tokenizer.finish() }
        switch tokenizer.run() {
        case .end(let end): return window.start + (offset + end - start)
        case .failure: throw MappingError(tokenizer.issue.map { [$0] } ?? [])
        default: return nil
        }
    }
}
