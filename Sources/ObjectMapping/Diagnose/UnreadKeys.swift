/// Finds the keys of traced objects that no rule reads, in one pass over the text.
struct UnreadKeys {
    /// A key that no rule reads.
    struct Key {
        /// The steps from the object.
        let steps: [JSONPathStep]
        /// The offset of the key in the text.
        let offset: Int
        fileprivate let name: String
        fileprivate let nodes: [NodeRef]

        /// The mapped keys of its object.
        var known: [String] { nodes.flatMap(\.pointee.keyTexts) }
        /// Similar mapped keys, best first.
        var suggestions: [String] { nearestNames(to: name, among: known) }
    }

    /// An array or object that rules of a traced object read.
    private struct Level {
        /// The offset of the traced object.
        let object: Int
        /// The readers of the members: the steps of key paths in these nodes, and other key paths.
        let nodes: [NodeRef]
        let others: [KnownPath]
        /// The steps from the object.
        let steps: [JSONPathStep]
        /// The readers of the members of the value of the last key.
        var next: (nodes: [NodeRef], others: [KnownPath]) = ([], [])
    }

    /// The unread keys of each object, by its offset, in the order of the text.
    private(set) var keys: [Int: [Key]] = [:]
    /// The maximum number of keys per object.
    private let limit = 1000

    /// - Parameters:
    ///   - objects: The objects by their offsets; several mappings may have read one.
    ///   - text: The element.
    ///   - base: The offset of its first byte.
    init(of objects: [Int: [TracedObject]], _ trace: Trace, _ plan: Plan, in text: ByteView, base: Int) {
        /// Key paths that rules read in any surrounding object.
        let around = plan.rules.flatMap(\.source.pathsAround).map { KnownPath(keys: $0[...], isRead: true) }
        /// The levels of each open container.
        var open: [[Level]] = []
        var key = ByteBuffer()
        var tokenizer = JSONTokenizer(text, maximumDepth: .max, origin: TextPosition(offset: base))
        while true {
            switch tokenizer.next() {
            case .open(let offset, let isObject):
                var levels = open.last.map { Self.levels(below: $0, tokenizer, isObject: isObject) } ?? []
                let place = base + offset
                if let found = objects[place], !found.contains(where: { $0.isReadWhole(by: plan) }) {
                    let others = around + (trace.otherPaths[place] ?? [])
                    let nodes = Self.distinct(found.map(\.node))
                    levels.append(Level(object: place, nodes: nodes, others: others, steps: []))
                }
                open.append(levels)
            case .key(let range):
                let last = open.count - 1
                guard !open[last].isEmpty else { continue }
                key.removeAll()
                let name = tokenizer.key
                key.append(name.utf8)
                let text = key.text
                for index in open[last].indices {
                    read(name, text, key.count, at: base + range.lowerBound, &open[last][index])
                }
            case .close: open.removeLast()
            case .scalar: continue
            case .end, .failure, .needsMore: return
            }
        }
    }

    /// Returns the levels of a container that was opened in others.
    private static func levels(
        below outer: [Level], _ tokenizer: borrowing JSONTokenizer, isObject: Bool
    ) -> [Level] {
        let parent = tokenizer.depth - 2
        guard tokenizer.frames[parent].isObject else {
            let step = JSONPathStep.index(tokenizer.frames[parent].index)
            return isObject
                ? outer.map { Level(object: $0.object, nodes: $0.nodes, others: $0.others, steps: $0.steps + [step]) }
                : []
        }
        return outer.compactMap { level in
            guard !level.next.nodes.isEmpty || !level.next.others.isEmpty else { return nil }
            let step = JSONPathStep.key(JSONText.unescaped(tokenizer.keyBytes(at: parent)))
            return Level(
                object: level.object, nodes: level.next.nodes, others: level.next.others, steps: level.steps + [step])
        }
    }

    /// Finds the readers of a member, and adds its key if there are none.
    ///
    /// - Parameter text: The key as a padded text.
    private mutating func read(_ key: String, _ text: Bytes, _ count: Int, at offset: Int, _ level: inout Level) {
        level.next = ([], [])
        var (isKnown, isWhole) = (false, false)
        for node in level.nodes {
            node.pointee.eachEntry(for: text, count) { entry in
                isKnown = true
                guard entry.operation == .level else { return isWhole = true }
                if let child = entry.child { level.next.nodes.append(child) }
            }
        }
        let inner = level.others.isEmpty ? [] : level.others.compactMap { $0.below(key) }
        if !isKnown, inner.isEmpty {
            guard keys[level.object]?.count ?? 0 < limit else { return }
            keys[level.object, default: []].append(
                Key(steps: level.steps + [.key(key)], offset: offset, name: key, nodes: level.nodes))
        } else if isWhole || inner.contains(where: \.isReadWhole) {
            level.next.nodes = []
        } else {
            level.next = (Self.distinct(level.next.nodes), inner.filter { !$0.keys.isEmpty })
        }
    }

    private static func distinct(_ nodes: [NodeRef]) -> [NodeRef] {
        nodes.count < 2 ? nodes : Array(Set(nodes))
    }
}

extension TracedObject {
    /// Whether a rule reads the object itself.
    fileprivate func isReadWhole(by plan: Plan) -> Bool {
        rules.contains { rule in
            // Other objects are its members, under data keys.
            rule.offset == offset && rule.objects.allSatisfy { $0.offset != offset }
                && plan.rules[Int(rule.number)].source.readsObjectItself
        }
    }
}

extension KnownPath {
    fileprivate var isReadWhole: Bool { isRead && keys.isEmpty }
}

extension Node {
    /// The mapped keys.
    var keyTexts: [String] { (0..<count).map { makeString(keys[$0].bytes, keys[$0].count) } }

    /// Calls a closure with each operation on a member's value, with steps of key paths and rules separated.
    fileprivate func eachEntry(for key: Bytes, _ count: Int, _ body: (Entry) -> Void) {
        let index = find(key, count)
        guard index >= 0 else { return }
        guard entries[index].operation == .several, let box = entries[index].box else { return body(entries[index]) }
        box.object.each { body($0.pointee) }
    }
}
