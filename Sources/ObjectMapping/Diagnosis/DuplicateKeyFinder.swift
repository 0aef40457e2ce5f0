/// Finds the duplicate keys of the objects in a text, which may arrive in pieces.
///
/// The search ends at the first syntax error.
package struct DuplicateKeyFinder {
    /// A warning at the second and every later occurrence of a key, in the order of the text, up to the limit.
    package private(set) var issues: [MappingIssue] = []
    /// How many occurrences there are.
    package private(set) var count = 0

    private var tokenizer: JSONTokenizer
    private let limit: Int
    private let keyLimit: Int
    /// Hashes of the keys of the open objects, followed by sets to be reused.
    private var seen: [Set<Int>] = []

    /// A finder for a text that arrives in pieces.
    ///
    /// - Parameters:
    ///   - limit: How many issues are kept.
    ///   - keyLimit: How many keys of one object are remembered.
    package init(limit: Int, keyLimit: Int) {
        self.limit = limit
        self.keyLimit = keyLimit
        tokenizer = JSONTokenizer(maximumDepth: MappingLimits.largestDepth)
    }

    /// The duplicate keys in a text, at most `limit`.
    static func issues(in bytes: ByteView, maximumDepth: Int, limit: Int = 1000) -> [MappingIssue] {
        var finder = DuplicateKeyFinder(limit: limit, keyLimit: .max)
        finder.tokenizer = JSONTokenizer(bytes, maximumDepth: maximumDepth)
        finder.search()
        return finder.issues
    }

    /// Searches the next piece of the text.
    package mutating func search(_ bytes: ByteView) {
        tokenizer.append(bytes)
        search()
    }

    /// Forgets the text so far; another one begins at a position.
    package mutating func beginText(at origin: TextPosition) {
        tokenizer = JSONTokenizer(maximumDepth: MappingLimits.largestDepth, origin: origin)
    }

    private mutating func search() {
        while true {
            switch tokenizer.next() {
            case .open:
                if seen.count < tokenizer.depth { seen.append([]) }
                let last = tokenizer.depth - 1
                // Emptying a large set takes as long as filling it.
                seen[last].removeAll(keepingCapacity: seen[last].capacity < 100)
            case .key(let range): add(at: range.lowerBound)
            case .scalar, .close: continue
            case .end, .failure, .needsMore: return
            }
        }
    }

    private mutating func add(at offset: Int) {
        let last = tokenizer.depth - 1
        let key = hashOfKey
        guard seen[last].count < keyLimit || seen[last].contains(key), !seen[last].insert(key).inserted else { return }
        count += 1
        guard issues.count < limit else { return }
        issues.append(
            MappingIssue(
                kind: .duplicateKey, path: tokenizer.path(through: tokenizer.depth).text,
                position: tokenizer.position(at: offset), expected: "each key once", found: "this key again"))
    }

    /// 64 bits that no two keys of an object share by chance; keys are equal if their scalars are, however escaped.
    private var hashOfKey: Int {
        var hasher = Hasher()
        let bytes = tokenizer.keyBytes(at: tokenizer.depth - 1)
        if bytes.contains(.backslash) {
            tokenizer.key.withView { $0.hash(into: &hasher) }
        } else {
            bytes.withView { $0.hash(into: &hasher) }
        }
        return hasher.finalize()
    }
}
