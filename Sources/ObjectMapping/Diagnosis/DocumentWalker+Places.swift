extension DocumentWalker {
    /// The paths and places of tokens, found in one pass.
    ///
    /// An offset within a token, or among the blanks and punctuation before it, belongs to it. In a broken text
    /// whatever lies behind the mistake belongs to the value that holds the mistake.
    ///
    /// - Parameter offsets: Offsets in the buffer, in ascending order.
    package static func places(
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

    /// The place of the value at a path, or of its key; nil if there is none.
    ///
    /// Of a repeated key the last one counts. A text that is broken further on is searched as far as it goes.
    ///
    /// - Parameters:
    ///   - path: Steps from the value that `bytes` holds.
    ///   - ofKey: Whether the place of the key in front of the value is wanted.
    ///   - origin: The place of the first byte in the whole text.
    package static func position(
        of path: [JSONPathStep], in bytes: UnsafeRawBufferPointer, ofKey: Bool = false,
        origin: TextPosition = TextPosition()
    ) -> TextPosition? {
        var walker = DocumentWalker(bytes, maximumDepth: .max, origin: origin)
        var found: Int?
        /// How many of the open containers, from the outermost, lie on the path.
        var matched = 0
        var keyOffset = 0
        reading: while true {
            let start: Int
            let depth: Int
            switch walker.next() {
            case .key(let range):
                keyOffset = range.lowerBound
                continue
            case .close:
                matched = min(matched, walker.frames.count)
                continue
            case .end, .failure:
                break reading
            case .scalar(let range):
                (start, depth) = (range.lowerBound, walker.frames.count)
            case .open(let offset, _):
                (start, depth) = (offset, walker.frames.count - 1)
            }
            // Only a child of the innermost container on the path can be the next step.
            guard depth <= path.count, matched == depth else { continue }
            guard depth == 0 || walker.frames[depth - 1].stands(at: path[depth - 1], in: bytes) else { continue }
            // A repeated key starts anew, whatever the one before it held.
            found = depth == path.count ? (ofKey && depth > 0 ? keyOffset : start) : nil
            if walker.frames.count > depth { matched = depth + 1 }
        }
        return found.map { origin.advanced(over: bytes, to: $0) }
    }

    /// Bytes before the value at a path, or before the last one on the way that is there.
    static func offset(ofNearest path: [JSONPathStep], in bytes: UnsafeRawBufferPointer) -> Int {
        if let position = position(of: path, in: bytes) { return position.offset }
        return path.isEmpty ? 0 : offset(ofNearest: path.dropLast(), in: bytes)
    }
}

extension DocumentWalker.Frame {
    fileprivate func stands(at step: JSONPathStep, in bytes: UnsafeRawBufferPointer) -> Bool {
        switch step {
        case .index(let index): !isObject && index == self.index
        case .key(let name):
            isObject && key.map { name.utf8.elementsEqual(JSONText.unescaped(bytes[$0]).utf8) } ?? false
        }
    }
}
