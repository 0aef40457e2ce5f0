extension JSONTokenizer {
    /// Returns the paths and positions of tokens, found in one pass.
    ///
    /// An offset within a token, or in the whitespace and punctuation before it, belongs to it. In invalid text,
    /// everything after an error belongs to the value with the error.
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

    /// Returns the position of the value at a path, or of its key; `nil` if the path does not exist.
    ///
    /// For a duplicate key, the last one counts. Text with a later error is searched up to the error.
    ///
    /// - Parameters:
    ///   - path: Steps from the value in `bytes`.
    ///   - ofKey: Whether to return the position of the key. Defaults to `false`.
    ///   - origin: The position of the first byte in the whole text.
    package static func position(
        of path: [JSONPathStep], in bytes: ByteView, ofKey: Bool = false,
        origin: TextPosition = TextPosition()
    ) -> TextPosition? {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: .max, origin: origin)
        var found: Int?
        /// The number of open containers, starting with the outermost, that belong to the path.
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
            // Only a child of the innermost container in the path can be the next step.
            guard depth <= path.count, matched == depth else { continue }
            guard depth == 0 || tokenizer.isAt(path[depth - 1], depth: depth - 1) else { continue }
            // A duplicate key replaces the earlier value and everything in it.
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

    /// Returns the offset of the value at a path, or of its nearest existing ancestor.
    static func offset(ofNearest path: [JSONPathStep], in bytes: ByteView) -> Int {
        for count in (1...max(1, path.count)).reversed() {
            if let position = position(of: Array(path.prefix(count)), in: bytes) { return position.offset }
        }
        return position(of: [], in: bytes)?.offset ?? 0
    }
}

/// One step of a path through a document.
package enum JSONPathStep: Sendable, Hashable {
    case key(String)
    case index(Int)

    var key: String? { if case .key(let key) = self { key } else { nil } }
    var index: Int? { if case .index(let index) = self { index } else { nil } }
}

extension [JSONPathStep] {
    /// The path in messages: `$.tasks[3].name`, with quotes around keys that are not plain names.
    ///
    /// The middle of a path with more than 64 steps is omitted, and the end of a key with more than 128 scalars.
    package var text: String {
        guard count > 64 else { return "$" + map(\.text).joined() }
        return "$" + prefix(24).map(\.text).joined() + "…" + suffix(24).map(\.text).joined()
    }
}

extension [JSONPathStep] {
    /// The path of all elements of the arrays in it: `$.tasks[*].name`.
    var generalText: String {
        "$" + map { $0.index == nil ? $0.text : "[*]" }.joined()
    }
}

extension JSONPathStep {
    /// The maximum length of a key in messages, in scalars.
    private static var longestKey: Int { 128 }
    /// The number of bytes with one scalar more, regardless of escapes.
    static var bytesOfKey: Int { (longestKey + 1) * 12 }

    /// The step with a shortened key.
    var shortened: JSONPathStep {
        guard case .key(let key) = self, key.utf8.count > JSONPathStep.bytesOfKey else { return self }
        return .key(String(key.unicodeScalars.prefix(JSONPathStep.longestKey + 1)))
    }

    fileprivate var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key)
        where 1...JSONPathStep.longestKey ~= key.unicodeScalars.count && key.unicodeScalars.allSatisfy(\.isPlain):
            ".\(key)"
        case .key(let key) where key.unicodeScalars.count > JSONPathStep.longestKey:
            "[\(JSONText.quoted(String(key.unicodeScalars.prefix(96)) + "…"))]"
        case .key(let key): "[\(JSONText.quoted(key))]"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isPlain: Bool {
        switch self {
        case "_", "-", "@", "0"..."9", "a"..."z", "A"..."Z": true
        default: value >= 0x80 && properties.isAlphabetic
        }
    }
}
