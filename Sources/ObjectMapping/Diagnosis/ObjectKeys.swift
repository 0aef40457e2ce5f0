/// The first keys of an object and of the objects in it, to suggest one of them: 100 each, in its first 64 KB, and no
/// long ones.
struct ObjectKeys {
    private(set) var keys: [String] = []
    /// The keys of the objects that are members, each with its member's key.
    private var inner: [(outer: String, key: String)] = []

    /// - Parameter text: an object, whatever follows it.
    init(_ text: ByteView) {
        let head = text.prefix(64 * 1024)
        // A byte order mark can only stand at the start of a text.
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

    /// The keys or key paths that may be meant by one that leads nowhere, best first.
    ///
    /// - Parameter path: its keys; the first one is looked for in the object.
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
        // The key stands one level higher, or one level lower.
        let higher = path.count > 1 ? keys.filter { isSameName($0, last) } : []
        let lower = inner.filter { isSameName($0.key, last) && [$0.outer, $0.key] != path }
        return Array(
            (higher + lower.map { JSONKeyPath(components: [$0.outer, $0.key]).description }).prefix(3))
    }
}
