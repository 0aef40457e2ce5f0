/// Finds the duplicate keys of objects in a text, which can be passed in pieces.
///
/// The search ends at the first syntax error.
package struct DuplicateKeyFinder {
    /// A warning for every repetition of a key, in the order of the text, up to the limit.
    package private(set) var issues: [MappingIssue] = []
    /// The number of repetitions.
    package private(set) var count = 0

    private var tokenizer: JSONTokenizer
    private let limit: Int
    private let keyLimit: Int
    /// Hashes of the keys of open objects, followed by sets for reuse.
    private var seen: [Set<Int>] = []

    /// Creates a finder for a text in pieces.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stored issues.
    ///   - keyLimit: The maximum number of stored keys per object.
    package init(limit: Int, keyLimit: Int) {
        self.limit = limit
        self.keyLimit = keyLimit
        tokenizer = JSONTokenizer(maximumDepth: MappingLimits.largestDepth)
    }

    /// Returns the duplicate keys in a text, up to `limit`.
    static func issues(in bytes: ByteView, maximumDepth: Int, limit: Int = 1000) -> [MappingIssue] {
        var finder = DuplicateKeyFinder(limit: limit, keyLimit: .max)
        finder.tokenizer = JSONTokenizer(bytes, maximumDepth: maximumDepth)
        finder.search()
        return finder.issues
    }

    /// Searches the next piece of the text; returns the offset of the end of the value, or of an error, if it was reached.
    @discardableResult package mutating func search(_ bytes: ByteView) -> Int? {
        tokenizer.append(bytes)
        search()
        return tokenizer.state == .ended ? tokenizer.position(at: tokenizer.offset).offset : tokenizer.issue?.offset
    }

    /// Whether the text is invalid.
    package var hasFailed: Bool { tokenizer.issue != nil }

    /// Discards the text so far; a new one starts at a position.
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
                position: tokenizer.position(at: offset), expected: "unique keys", found: "a duplicate key"))
    }

    /// A hash of 64 bits that differs for distinct keys; keys are equal if their scalars are, regardless of escapes.
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

/// The first keys of an object and of its nested objects, for suggestions: up to 100 each, from its first 64 KB,
/// without long keys.
struct ObjectKeys {
    private(set) var keys: [String] = []
    /// The keys of nested objects, each with the key of the object.
    private var inner: [(outer: String, key: String)] = []

    /// - Parameter text: An object, which can be followed by other text.
    init(_ text: ByteView) {
        let head = text.prefix(64 * 1024)
        // A byte order mark is only valid at the start of a text.
        var tokenizer = JSONTokenizer(head, maximumDepth: .max, origin: TextPosition(offset: 1))
        var (count, innerCount) = (0, 0)
        while count < 100 {
            switch tokenizer.next() {
            case .key(let range) where tokenizer.depth == 1:
                count += 1
                innerCount = 0
                if range.count <= 512 { keys.append(tokenizer.key) }
            case .key(let range) where tokenizer.depth == 2 && tokenizer.frames[0].isObject && innerCount < 100:
                innerCount += 1
                let outer = tokenizer.keyBytes(at: 0)
                guard range.count <= 512, outer.count <= 512 else { continue }
                inner.append((JSONText.unescaped(outer), tokenizer.key))
            case .end, .failure, .needsMore: return
            case .key, .scalar, .open, .close: continue
            }
        }
    }

    /// Returns keys or key paths that are similar to an unresolved path, best first.
    ///
    /// - Parameter path: Its keys; the first one is expected in the object.
    func near(_ path: [String]) -> [String] {
        guard let first = path.first, let last = path.last else { return [] }
        if path.count > 1, keys.contains(first) {
            let siblings = inner.filter { $0.outer == first }.map(\.key)
            let near = nearestNames(to: path[1], among: siblings)
            if !near.isEmpty { return near.map { JSONKeyPath(components: [first, $0]).description } }
        } else {
            let near = nearestNames(to: first, among: keys)
            if !near.isEmpty { return near }
        }
        // The key is one level higher, or one level lower.
        let higher = path.count > 1 ? keys.filter { isSameName($0, last) } : []
        let lower = inner.filter { isSameName($0.key, last) && [$0.outer, $0.key] != path }
        return Array((higher + lower.map { JSONKeyPath(components: [$0.outer, $0.key]).description }).prefix(3))
    }
}

extension JSONKeyPath {
    /// Returns keys or key paths of an object that are similar to the path, best first.
    ///
    /// - Parameter object: The text of the object, which can be truncated or followed by other text.
    package func similarKeys(in object: ByteView) -> [String] { ObjectKeys(object).near(plainKeys ?? []) }
}
