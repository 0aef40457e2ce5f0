/// Finds the keys of traced objects that no rule reads.
struct UnreadKeys {
    /// A key that no rule reads.
    struct Key {
        /// The steps from the object.
        let steps: [JSONPathStep]
        /// The offset of the key in the text.
        let offset: Int
        /// The mapped keys of its object.
        let known: [String]
        /// Similar mapped keys, best first.
        let suggestions: [String]
    }

    let trace: Trace
    let plan: Plan
    /// The element, and the offset of its first byte.
    let text: ByteView
    let base: Int
    /// The maximum number of keys per object.
    private let limit = 1000
    /// Key paths that rules read in any surrounding object.
    private let pathsAround: [KnownPath]

    init(trace: Trace, plan: Plan, text: ByteView, base: Int) {
        self.trace = trace
        self.plan = plan
        self.text = text
        self.base = base
        pathsAround = plan.rules.flatMap(\.source.pathsAround).map { KnownPath(keys: $0[...], isRead: true) }
    }

    /// Returns the unread keys of an object, which several mappings may have read.
    func keys(of objects: [TracedObject]) -> [Key] {
        guard let offset = objects.first?.offset, offset >= base, offset - base < text.count else { return [] }
        guard !objects.contains(where: readsAll) else { return [] }
        var found: [Key] = []
        let others = pathsAround + (trace.otherPaths[offset] ?? [])
        walk(offset - base, Set(objects.map(\.node)), [], others, &found)
        return found
    }

    /// Whether a rule reads the object itself.
    private func readsAll(_ object: TracedObject) -> Bool {
        object.rules.contains { rule in
            // Other objects are its members, under data keys.
            rule.offset == object.offset && rule.objects.allSatisfy { $0.offset != object.offset }
                && plan.rules[Int(rule.number)].source.readsObjectItself
        }
    }

    /// Visits the members of the object, or of the objects in the array, at a place.
    private func walk(
        _ start: Int, _ nodes: Set<NodeRef>, _ steps: [JSONPathStep], _ others: [KnownPath], _ found: inout [Key]
    ) {
        let bytes = text.dropFirst(start)
        guard bytes.first == .openBrace || bytes.first == .openBracket else { return }
        var tokenizer = JSONTokenizer(bytes, maximumDepth: .max, origin: TextPosition(offset: 1))
        /// The readers of the next member's members: the steps of key paths in these nodes, and other key paths.
        var next: (nodes: Set<NodeRef>, others: [KnownPath]) = ([], [])
        let isArray = bytes.first == .openBracket
        while found.count < limit {
            switch tokenizer.next() {
            case .end, .failure, .needsMore: return
            case .key(let range) where tokenizer.depth == 1:
                let key = tokenizer.key
                let entries = nodes.flatMap { $0.pointee.entries(for: key) }
                let inner = others.compactMap { $0.below(key) }
                next = ([], [])
                if entries.isEmpty, inner.isEmpty {
                    let known = nodes.flatMap(\.pointee.keyTexts)
                    found.append(
                        Key(
                            steps: steps + [.key(key)], offset: base + start + range.lowerBound, known: known,
                            suggestions: nearestNames(to: key, among: known)))
                } else if entries.allSatisfy({ $0.operation == .level }), !inner.contains(where: \.isReadWhole) {
                    next = (Set(entries.compactMap(\.child)), inner.filter { !$0.keys.isEmpty })
                }
            case .open(let offset, let isObject) where tokenizer.depth == 2:
                if isArray {
                    guard isObject else { continue }
                    walk(start + offset, nodes, steps + [.index(tokenizer.frames[0].index)], others, &found)
                } else if !next.nodes.isEmpty || !next.others.isEmpty {
                    let step = JSONPathStep.key(JSONText.unescaped(tokenizer.keyBytes(at: 0)))
                    walk(start + offset, next.nodes, steps + [step], next.others, &found)
                }
            case .key, .scalar, .open, .close: continue
            }
        }
    }
}

extension KnownPath {
    fileprivate var isReadWhole: Bool { isRead && keys.isEmpty }
}

extension Node {
    /// The mapped keys.
    var keyTexts: [String] { (0..<count).map { makeString(keys[$0].bytes, keys[$0].count) } }

    /// Returns the operations on a member's value, with steps of key paths and rules separated.
    fileprivate func entries(for key: String) -> [Entry] {
        var text = ByteBuffer(capacity: key.utf8.count)
        text.append(key.utf8)
        let index = find(text.text, text.count)
        guard index >= 0 else { return [] }
        guard entries[index].operation == .several, let box = entries[index].box else { return [entries[index]] }
        var parts: [Entry] = []
        box.object.each { parts.append($0.pointee) }
        return parts
    }
}
