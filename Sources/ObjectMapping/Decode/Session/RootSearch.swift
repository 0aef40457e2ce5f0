/// The key paths of the roots of a payload, merged into a trie.
struct RootPaths: Sendable {
    /// The nodes of the trie.
    let plan: Plan
    /// The roots whose paths end at each node, by index.
    let roots: [[Int]]
    /// The roots whose paths end below each node.
    let below: [[Int]]
    /// The roots that read the whole text line by line.
    let lines: [Int]

    init(_ roots: [Root]) {
        let memory = PlanMemory()
        var (ends, below): ([[Int]], [[Int]]) = ([], [])
        func node(of paths: [(index: Int, keys: ArraySlice<String>)]) -> NodeRef {
            let new = memory.newNode()
            let longer = paths.filter { !$0.keys.isEmpty }
            ends.append(paths.filter(\.keys.isEmpty).map(\.index))
            below.append(longer.map(\.index))
            let members = Dictionary(grouping: longer) { ExactText(text: $0.keys[$0.keys.startIndex]) }
            let entries = members.map { key, paths in
                (key.text, Entry(operation: .value, child: node(of: paths.map { ($0.index, $0.keys.dropFirst()) })))
            }
            memory.fill(new, entries.count) { entries[$0] }
            return new
        }
        // A path that does not consist of keys is reported by the reading.
        let paths = roots.enumerated().compactMap { index, root in
            root.shape == .line ? nil : root.keyPath.plainKeys.map { (index, $0[...]) }
        }
        plan = Plan(root: node(of: paths), memory: memory, rules: [], outlines: [], context: ContextPaths())
        self.roots = ends
        self.below = below
        lines = roots.indices.filter { roots[$0].shape == .line }
    }
}

/// Searches a text for the values at the key paths of several roots, which are read by their roots.
///
/// Models of a session are read root by root, in the order of the roots: the values of a later root are skipped, and
/// read after the roots before it are complete.
struct RootSearch {
    private let paths: RootPaths
    private let readings: [RootReading?]
    /// Collects the identities at the key paths instead of reading them.
    private let identities: IdentityCollection?
    /// The open containers, and the number of arrays among them.
    private var frames: [ElementCursor.Frame] = []
    private var arrayCount = 0
    /// The roots that are read in order, starting with the current one.
    private var order: [Int]
    private var waiting: [[RootPlace]]
    private var isComplete: [Bool]

    /// - Parameters:
    ///   - readings: By the index of the root; `nil` for those that are not read.
    ///   - identities: Collects identities instead of reading. Defaults to `nil`.
    init(_ paths: RootPaths, _ readings: [RootReading?], collecting identities: IdentityCollection? = nil) {
        self.paths = paths
        self.readings = readings
        self.identities = identities
        order = readings.indices.filter { readings[$0]?.isRegistering == true }
        waiting = Array(repeating: [], count: readings.count)
        isComplete = Array(repeating: false, count: readings.count)
    }

    /// Searches a text to its end; returns the first error in it.
    mutating func run(_ reader: consuming PlanReader, in bytes: ByteView) -> MappingIssue? {
        for index in paths.lines {
            _ = read(index, RootPlace(start: reader.window.start, fence: reader.fence, frames: []))
            complete([index])
        }
        defer { complete(Array(readings.indices)) }
        guard isStillRead(paths.plan.root) || paths.roots[0].contains(where: { readings[$0]?.isOpen == true }) else {
            return nil
        }
        let start = reader.token(reader.window.start)
        let end = value(start, paths.plan.root, &reader)
        if let failure = reader.failure { return paths.plan.issue(failure, in: bytes) }
        if let end, reader.window.isAtEnd(reader.token(end)) { return nil }
        return JSONTokenizer.firstIssue(in: bytes, maximumDepth: reader.nesting.limit)
    }

    /// Reads a value with the roots whose paths end there, and searches it for the others; returns its end.
    private mutating func value(_ start: Bytes, _ node: NodeRef, _ reader: inout PlanReader) -> Bytes? {
        let roots = paths.roots[node.pointee.id]
        // An empty document has no models.
        if roots.isEmpty || frames.isEmpty && isEmptyObject(start, &reader) { return search(start, node, &reader) }
        let place = RootPlace(start: start, fence: reader.fence, frames: frames)
        let hasValue = !isNull(start, &reader)
        var read: (end: Bytes, fence: Bytes)?
        for index in roots {
            if hasValue, identities == nil { readings[index]?.hasValue = true }
            read = self.read(index, place) ?? read
        }
        if arrayCount == 0 { complete(roots) }
        reader.rewind(to: place.fence)
        guard let read, !isStillRead(node) else { return search(start, node, &reader) }
        reader.rewind(to: read.fence)
        return read.end
    }

    /// Searches a value for the paths that lead through it; returns its end.
    private mutating func search(_ start: Bytes, _ node: NodeRef, _ reader: inout PlanReader) -> Bytes? {
        guard isStillRead(node) else { return reader.skip(start) }
        switch start.pointee {
        case .openBrace: return members(start, node, &reader)
        case .openBracket: return elements(start, node, &reader)
        default: return reader.skip(start)
        }
    }

    private mutating func members(_ start: Bytes, _ node: NodeRef, _ reader: inout PlanReader) -> Bytes? {
        var seen: [Int] = []
        frames.append(.search(depth: 0, key: "", isFound: true))
        defer { frames.removeLast() }
        return reader.members(start) { reader, key, count, place in
            let index = node.pointee.find(key, count)
            guard index >= 0, let child = (node.pointee.entries + index).pointee.child else {
                return reader.skip(place)
            }
            let name = makeString(key, count)
            frames[frames.count - 1] = .search(depth: 0, key: name, isFound: true)
            let roots = paths.roots[child.pointee.id] + paths.below[child.pointee.id]
            if seen.contains(index) {
                let place = RootPlace(start: place, fence: reader.fence, frames: frames)
                if identities == nil { for index in roots { readings[index]?.note(repeated: name, at: place) } }
                return reader.skip(place.start)
            }
            seen.append(index)
            let end = value(place, child, &reader)
            if arrayCount == 0 { complete(roots) }
            return end
        }
    }

    private mutating func elements(_ start: Bytes, _ node: NodeRef, _ reader: inout PlanReader) -> Bytes? {
        var index = -1
        frames.append(.through(depth: 0, index: index))
        arrayCount += 1
        defer {
            frames.removeLast()
            arrayCount -= 1
        }
        return reader.elements(start) { reader, place in
            index += 1
            frames[frames.count - 1] = .through(depth: 0, index: index)
            return search(place, node, &reader)
        }
    }

    /// Whether a root is still read whose path leads through a node.
    private func isStillRead(_ node: NodeRef) -> Bool {
        paths.below[node.pointee.id].contains { readings[$0]?.isOpen == true }
    }

    private func isEmptyObject(_ start: Bytes, _ reader: inout PlanReader) -> Bool {
        start.pointee == .openBrace && reader.token(start + 1).pointee == .closeBrace
    }

    /// Whether a value is null, or an array of nulls.
    private func isNull(_ start: Bytes, _ reader: inout PlanReader) -> Bool {
        guard start.pointee == .openBracket else { return start.isNull }
        var place = reader.token(start + 1)
        while place.isNull {
            place = reader.token(place + 4)
            if place.pointee != .comma { return place.pointee == .closeBracket }
            place = reader.token(place + 1)
        }
        return false
    }

    // MARK: Turns

    /// Reads a value with a root, or defers it; returns the end of the value if it was read.
    private mutating func read(_ index: Int, _ place: RootPlace) -> (end: Bytes, fence: Bytes)? {
        guard let reading = readings[index], reading.isOpen else { return nil }
        if let identities {
            reading.collect(place, identities)
            return nil
        }
        if reading.isRegistering, order.first != index {
            waiting[index].append(place)
            return nil
        }
        return reading.read(place)
    }

    /// Records that some roots are complete; the next ones read their deferred values.
    private mutating func complete(_ roots: [Int]) {
        guard identities == nil else { return }
        for index in roots { isComplete[index] = true }
        while let index = order.first, isComplete[index] {
            readings[index]?.end()
            order.removeFirst()
            guard let next = order.first else { return }
            for place in waiting[next] { _ = readings[next]?.read(place) }
            waiting[next] = []
        }
    }
}
