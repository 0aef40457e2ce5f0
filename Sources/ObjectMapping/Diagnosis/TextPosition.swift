/// A place in a text.
package struct TextPosition: Sendable, Hashable {
    /// From 1; a line ends with a line feed.
    package var line: Int
    /// From 1, in Unicode scalars; a byte order mark at the start of a text counts for none.
    package var column: Int
    /// In bytes from the start of the text.
    package var offset: Int

    package init(line: Int = 1, column: Int = 1, offset: Int = 0) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The place of a value that came without its text.
    package static let unknown = TextPosition(line: 0, column: 0)

    /// The place of a byte in a text of which this is the place of the first one.
    package func advanced(over bytes: ByteView, to index: Int) -> TextPosition {
        var place = self
        place.advance(over: bytes, from: 0, to: index)
        return place
    }

    /// Moves on over bytes of a text, of which `from` is the one at this place.
    package mutating func advance(over bytes: ByteView, from start: Int, to end: Int) {
        let end = min(end, bytes.count)
        guard start < end else { return }
        if offset == 0, start == 0 { column -= Self.lengthOfByteOrderMark(in: bytes) > 0 ? 1 : 0 }
        var first = start
        while let newline = bytes.prefix(end).firstIndex(of: 0x0A, from: first) {
            line += 1
            column = 1
            first = newline + 1
        }
        column += bytes.scalarCount(from: first, to: end)
        offset += end - start
    }

    /// 3 if a text starts with the byte order mark of UTF-8, else 0.
    package static func lengthOfByteOrderMark(in bytes: ByteView) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}
