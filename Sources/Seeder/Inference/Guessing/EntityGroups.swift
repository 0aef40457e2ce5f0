import ObjectMapping

/// Groups the places in the dumps that contain objects of the same entity.
struct EntityGroups {
    private(set) var nodes: [ShapeNode] = []
    private var leaders: [Int] = []
    /// The places nested in each place, by key.
    private var children: [[String: Int]] = []
    private var pairs: PlacePairs

    /// The maximum number of places: each one is compared with each other.
    static let mostPlaces = 2000

    /// Finds the places in the sources, and groups them.
    ///
    /// - Throws: `SeedError` if the inference was cancelled.
    init(sources: [ShapeNode]) throws(SeedError) {
        var nodes = sources
        var children: [[String: Int]] = Array(repeating: [:], count: sources.count)
        var next = 0
        while next < nodes.count {
            let node = nodes[next]
            for field in node.shape.fields where field.nesting != .attribute && field.hasKeyPath {
                let members = field.members
                guard let shape = members?.shape ?? field.nestedShape, members != nil || !shape.isKeyedByData else {
                    continue
                }
                guard nodes.count < Self.mostPlaces else {
                    node.keptWhole.insert(field.key)
                    continue
                }
                var words = NameWords(of: field.key)
                // `{"refunds": {"data": […]}}`: the elements are refunds.
                if field.nesting == .list, !node.isSource, words.words.allSatisfy(KeyWords.generic.contains) {
                    words = node.name
                }
                let name = field.nesting == .list || members != nil ? words.singular : words
                children[next][field.key] = nodes.count
                children.append([:])
                nodes.append(
                    ShapeNode(
                        shape: shape, origin: .nested(parent: next, key: field.key),
                        name: name.words.isEmpty ? NameWords(["item"]) : name, member: members?.names))
            }
            next += 1
        }
        (self.nodes, self.children, pairs, leaders) = (nodes, children, PlacePairs(nodes), Array(nodes.indices))
        for index in nodes.indices {
            try checkInterruption()
            for other in 0..<index where pairs.mayBeSame(other, index) && leader(other) != leader(index) {
                if areSame(other, index) { unite(other, index) }
            }
        }
    }

    /// The places of each entity, in order of first appearance.
    var groups: [[Int]] {
        var members: [Int: [Int]] = [:]
        for index in nodes.indices { members[leader(index), default: []].append(index) }
        return members.values.sorted { $0[0] < $1[0] }
    }

    /// Returns the place of the objects under a key in another place.
    func child(of place: Int, at key: String) -> Int? { children[place][key] }

    func leader(_ index: Int) -> Int {
        var index = index
        while leaders[index] != index { index = leaders[index] }
        return index
    }

    /// Merges two places, and their nested places with the same keys.
    private mutating func unite(_ one: Int, _ other: Int) {
        let (first, second) = (min(leader(one), leader(other)), max(leader(one), leader(other)))
        guard first != second else { return }
        leaders[second] = first
        var siblings: [String: Int] = [:]
        for index in nodes.indices {
            guard case .nested(let parent, let key) = nodes[index].origin, leader(parent) == first else { continue }
            if let sibling = siblings[key] { unite(sibling, index) } else { siblings[key] = index }
        }
    }

    private func areSame(_ one: Int, _ other: Int) -> Bool {
        if nodes[one].isSource, nodes[other].isSource, nodes[one].lastWord != nodes[other].lastWord { return false }
        let likeness = ShapeLikeness(nodes[one], nodes[other])
        if likeness.areOfOtherWrappers { return false }
        if nodes[one].isSource, nodes[other].isSource { return likeness.areSameSources }
        if likeness.areCalledAlike { return true }
        if nodes[one].parent != nil, nodes[one].parent == nodes[other].parent, nodes[one].identityKey == nil {
            return likeness.haveEqualKeys
        }
        if pairs.isAncestor(one, of: other) { return likeness.haveNearlyEqualKeys }
        return likeness.isPart
    }
}
