import ObjectMapping

/// Reads parts of a text, one after the other in their order, in one pass over the text.
final class TextSlices {
    private var source: any ByteSource
    private let block = ByteBlock(count: 256 << 10)
    /// The bytes in the block that are not read yet.
    private var rest = 0..<0
    /// The offset in the text of the first of these.
    private var offset = 0

    init(_ source: any ByteSource) { self.source = source }

    /// A part of the text, which is to be read to its end before another part is.
    func slice(_ range: Range<Int>) -> some ByteSource { Slice(slices: self, range: range) }

    /// Reads bytes of a part; 0 at its end.
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
