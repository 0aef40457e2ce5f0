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
    package func advanced(over bytes: UnsafeRawBufferPointer, to index: Int) -> TextPosition {
        var place = self
        place.advance(over: bytes, from: 0, to: index)
        return place
    }

    /// Moves on over bytes of a text, of which `from` is the one at this place.
    package mutating func advance(over bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        let end = min(end, bytes.count)
        guard start < end else { return }
        if offset == 0, start == 0 { column -= Self.lengthOfByteOrderMark(in: bytes) > 0 ? 1 : 0 }
        var first = start
        while let newline = bytes.newline(from: first, to: end) {
            line += 1
            column = 1
            first = newline + 1
        }
        column += bytes.scalarCount(from: first, to: end)
        offset += end - start
    }

    /// 3 if a text starts with the byte order mark of UTF-8, else 0.
    package static func lengthOfByteOrderMark(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func newline(from start: Int, to end: Int) -> Int? {
        guard let base = baseAddress, let found = memchr(base + start, 0x0A, end - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The bytes of a word that continue a scalar: those of the form `10……`.
    @inline(__always) private static func continuations(_ word: UInt64) -> Int {
        // One bit a byte; the product gathers their sum in its highest byte.
        let bits = (word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101
        return Int((bits &* 0x0101_0101_0101_0101) >> 56)
    }

    /// Unicode scalars that begin in a stretch of UTF-8: every byte but those that continue one.
    fileprivate func scalarCount(from start: Int, to end: Int) -> Int {
        var count = end - start
        var index = start
        func word(_ offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: index + offset, as: UInt64.self) }
        while index + 32 <= end {
            let words = (word(0), word(8), word(16), word(24))
            if (words.0 | words.1 | words.2 | words.3) & 0x8080_8080_8080_8080 != 0 {
                count -= Self.continuations(words.0) + Self.continuations(words.1)
                count -= Self.continuations(words.2) + Self.continuations(words.3)
            }
            index += 32
        }
        for rest in index..<end where self[rest] & 0xC0 == 0x80 { count -= 1 }
        return count
    }
}
