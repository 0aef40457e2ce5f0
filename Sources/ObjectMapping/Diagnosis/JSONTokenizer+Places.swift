extension JSONTokenizer {
    /// The paths and places of tokens, found in one pass.
    ///
    /// An offset within a token, or among the blanks and punctuation before it, belongs to it. In a broken text
    /// whatever lies behind the mistake belongs to the value that holds the mistake.
    ///
    /// - Parameter offsets: Offsets in the buffer, in ascending order.
    package static func places(
        offsets: [Int], in bytes: ByteView, maximumDepth: Int = .max,
        origin: TextPosition = TextPosition(), prefix: [JSONPathStep] = []
    ) -> [(path: [JSONPathStep], position: TextPosition)] {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix)
        var found: [(path: [JSONPathStep], position: TextPosition)] = []
        var position = origin
        var counted = 0
        while found.count < offsets.count {
            let (end, depth) =
                switch tokenizer.next() {
                case .key(let range), .scalar(let range): (range.upperBound, tokenizer.depth)
                case .open(let offset, _): (offset + 1, tokenizer.depth - 1)
                case .close(let offset): (offset + 1, tokenizer.depth)
                case .end, .needsMore: (Int.max, 0)
                case .failure: (Int.max, tokenizer.failure?.depth ?? 0)
                }
            guard offsets[found.count] < end else { continue }
            let path = tokenizer.path(through: depth)
            while found.count < offsets.count, offsets[found.count] < end {
                let offset = offsets[found.count]
                position.advance(over: bytes, from: counted, to: offset)
                counted = max(counted, offset)
                found.append((path, position))
            }
        }
        return found
    }

    /// The place of the value at a path, or of its key; nil if there is none.
    ///
    /// Of a repeated key the last one counts. A text that is broken further on is searched as far as it goes.
    ///
    /// - Parameters:
    ///   - path: Steps from the value that `bytes` holds.
    ///   - ofKey: Whether the place of the key in front of the value is wanted.
    ///   - origin: The place of the first byte in the whole text.
    package static func position(
        of path: [JSONPathStep], in bytes: ByteView, ofKey: Bool = false,
        origin: TextPosition = TextPosition()
    ) -> TextPosition? {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: .max, origin: origin)
        var found: Int?
        /// How many of the open containers, from the outermost, lead to the path.
        var matched = 0
        var keyOffset = 0
        reading: while true {
            let start: Int
            let depth: Int
            switch tokenizer.next() {
            case .key(let range):
                keyOffset = range.lowerBound
                continue
            case .close:
                matched = min(matched, tokenizer.depth)
                continue
            case .end, .failure, .needsMore:
                break reading
            case .scalar(let range):
                (start, depth) = (range.lowerBound, tokenizer.depth)
            case .open(let offset, _):
                (start, depth) = (offset, tokenizer.depth - 1)
            }
            // Only a child of the innermost container on the path can be the next step.
            guard depth <= path.count, matched == depth else { continue }
            guard depth == 0 || tokenizer.isAt(path[depth - 1], depth: depth - 1) else { continue }
            // A repeated key replaces the earlier value and everything in it.
            found = depth == path.count ? (ofKey && depth > 0 ? keyOffset : start) : nil
            if tokenizer.depth > depth { matched = depth + 1 }
        }
        return found.map { origin.advanced(over: bytes, to: $0) }
    }

    private func isAt(_ step: JSONPathStep, depth: Int) -> Bool {
        switch step {
        case .index(let index): !frames[depth].isObject && index == frames[depth].index
        case .key(let name):
            frames[depth].isObject && name.utf8.elementsEqual(JSONText.unescaped(keyBytes(at: depth)).utf8)
        }
    }

    /// Bytes before the value at a path, or before the last one on the way that exists.
    static func offset(ofNearest path: [JSONPathStep], in bytes: ByteView) -> Int {
        for count in (1...max(1, path.count)).reversed() {
            if let position = position(of: Array(path.prefix(count)), in: bytes) { return position.offset }
        }
        return position(of: [], in: bytes)?.offset ?? 0
    }
}
