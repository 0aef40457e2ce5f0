import ObjectMapping

/// Reads consecutive parts of a text in one pass.
final class TextSlices {
    private var source: any ByteSource
    private let block = ByteBlock(count: 256 << 10)
    /// The unread bytes in the block.
    private var rest = 0..<0
    /// The offset of the unread bytes in the text.
    private var offset = 0

    init(_ source: any ByteSource) { self.source = source }

    /// Returns a part of the text, which must be read completely before the next one.
    func slice(_ range: Range<Int>) -> some ByteSource { Slice(slices: self, range: range) }

    /// Reads bytes of a part; returns 0 at its end.
    private func read(_ range: Range<Int>, into buffer: MutableByteView) throws -> Int {
        while true {
            let skipped = min(max(0, range.lowerBound - offset), rest.count)
            advance(skipped)
            if !rest.isEmpty || offset >= range.upperBound { break }
            rest = 0..<(try source.read(into: block.bytes))
            if rest.isEmpty { return 0 }
        }
        let bytes = block.bytes.view.dropFirst(rest.lowerBound).prefix(min(rest.count, range.upperBound - offset))
        let count = buffer.copy(bytes)
        advance(count)
        return count
    }

    private func advance(_ count: Int) {
        rest = rest.dropFirst(count)
        offset += count
    }

    private struct Slice: ByteSource {
        let slices: TextSlices
        let range: Range<Int>

        mutating func read(into buffer: MutableByteView) throws -> Int { try slices.read(range, into: buffer) }
    }
}
