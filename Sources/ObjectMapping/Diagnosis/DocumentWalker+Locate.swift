extension DocumentWalker {
    /// The paths and places of tokens, found in one pass.
    ///
    /// An offset within a token, or among the blanks and punctuation before it, belongs to it. In a broken text
    /// whatever lies behind the mistake belongs to the value that holds the mistake.
    ///
    /// - Parameter offsets: Offsets in the buffer, in ascending order.
    package static func locate(
        offsets: [Int], in bytes: UnsafeRawBufferPointer, maximumDepth: Int = .max,
        origin: TextPosition = TextPosition(), prefix: [JSONPathStep] = []
    ) -> [(path: [JSONPathStep], position: TextPosition)] {
        var walker = DocumentWalker(bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix)
        var found: [(path: [JSONPathStep], position: TextPosition)] = []
        var position = origin
        var counted = 0
        while found.count < offsets.count {
            let (end, depth) =
                switch walker.next() {
                case .key(let range), .scalar(let range): (range.upperBound, walker.frames.count)
                case .open(let offset, _): (offset + 1, walker.frames.count - 1)
                case .close(let offset): (offset + 1, walker.frames.count)
                case .end: (Int.max, 0)
                case .failure: (Int.max, walker.failureDepth)
                }
            guard offsets[found.count] < end else { continue }
            let path = walker.path(through: depth)
            while found.count < offsets.count, offsets[found.count] < end {
                let offset = offsets[found.count]
                position.advance(over: bytes, from: counted, to: offset)
                counted = max(counted, offset)
                found.append((path, position))
            }
        }
        return found
    }
}
