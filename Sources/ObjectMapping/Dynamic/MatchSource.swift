/// Where a condition finds its value.
struct MatchSource {
    /// What a source leads to.
    enum Found {
        case absent
        /// The JSON is broken.
        case broken
        /// A value in the text, where the fence was this one.
        case text(Bytes, fence: Bytes)
        case tree(JSON)
    }

    /// The source as messages name it.
    let name: String
    let path: JSONKeyPath
    /// The keys that lead there from the value that is read, where nothing else is needed.
    private let keys: [MatchKey]?

    init(_ source: MappingSource, _ path: JSONKeyPath, _ builder: PlanBuilder) {
        name = source.description
        self.path = path
        keys = path.plainKeys?.map { MatchKey(builder.table([($0, 0)])) }
    }

    /// Looks the value up.
    func find(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        guard let keys else { return value(&reader, &state) }
        if keys.isEmpty { return .text(state.place, fence: state.fence) }
        var found = Found.absent
        let isSound = state.pass(&reader) { reader, place in reader.pass(place, to: keys[...], &found) }
        guard isSound else { return .broken }
        // Some array or null is on the way: what that means is known to trees.
        if case .broken = found { return value(&reader, &state) }
        return found
    }

    private func value(_ reader: inout PlanReader, _ state: inout MatchState) -> Found {
        guard let tree = state.tree(&reader) else { return .broken }
        // An operator over values that it does not take finds nothing.
        let value = try? tree.value(at: path.components[...])
        return value.map { .tree($0) } ?? .absent
    }
}

/// A key to compare with.
struct MatchKey {
    private let node: UnsafeMutablePointer<Node>

    init(_ node: UnsafeMutablePointer<Node>) { self.node = node }

    @inline(__always) func equals(_ key: Bytes, _ count: Int) -> Bool {
        let own = node.pointee.keys.pointee
        return own.count == count && memcmp(own.bytes, key, count) == 0
    }
}
