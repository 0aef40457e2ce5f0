/// The members that are not written, while rules are added.
struct OmittedMembers {
    /// A member, by the rest of its key path at an object.
    struct Member: Hashable {
        let keyPath: JSONKeyPath
        /// The mapping that omits it.
        let mapping: ObjectIdentifier
        /// At least one key.
        fileprivate var keys: ArraySlice<String>
    }

    /// Those of the current object, and of objects in it.
    var current: [Member] = []
    /// All members, in the order of their declaration.
    fileprivate var declared: [Member] = []
    /// The declared members that a rule has.
    fileprivate var found: Set<Member> = []
    /// The objects that a mapping with omitted members writes.
    fileprivate var objects: [ObjectIdentifier: [Ref<OutputNode>]] = [:]

    /// Continues with the members in a rule's value; returns false if the rule is omitted.
    mutating func enter(_ source: MappingSource, isReadOnly: Bool) -> Bool {
        guard !current.isEmpty else { return true }
        guard let keys = source.writtenKeys else {
            current = []
            return true
        }
        var isOmitted = false
        var below: [Member] = []
        for member in current {
            if keys.starts(with: member.keys) || isReadOnly && member.keys.starts(with: keys) {
                note(member)
                isOmitted = true
            } else if member.keys.starts(with: keys) {
                below.append(member)
                below[below.count - 1].keys = member.keys.dropFirst(keys.count)
            }
        }
        current = below
        return !isOmitted
    }

    /// Whether the current object omits the member at keys.
    func contains(_ keys: [String]) -> Bool { current.contains { keys.starts(with: $0.keys) } }

    private mutating func note(_ member: Member) {
        for declared in declared where declared.keyPath == member.keyPath && declared.mapping == member.mapping {
            found.insert(declared)
        }
    }
}

extension OutputBuilder {
    /// A mapping in a plan: its identity, and the members that are not written there.
    struct Position: Hashable {
        let identity: ObjectIdentifier
        let omitted: [OmittedMembers.Member]
    }

    func position(of identity: ObjectIdentifier) -> Position {
        Position(identity: identity, omitted: omitted.current)
    }

    /// Calls a closure, for whose objects some members are omitted.
    func omitting(_ keyPaths: [JSONKeyPath], of mapping: ObjectIdentifier, _ body: () -> OutputBox) -> OutputBox {
        if keyPaths.isEmpty { return body() }
        let outer = omitted.current
        defer { omitted.current = outer }
        for keyPath in keyPaths {
            guard let keys = keyPath.plainKeys, !keys.isEmpty, keyPath.issue == nil else {
                note("plain keys as the key path of an omitted member", "'\(keyPath)'")
                continue
            }
            let member = OmittedMembers.Member(keyPath: keyPath, mapping: mapping, keys: keys[...])
            omitted.current.append(member)
            if !omitted.declared.contains(member) { omitted.declared.append(member) }
        }
        let box = body()
        omitted.objects[mapping] = box.nodes
        return box
    }

    /// Reports omitted members that no rule writes, such as misspelt ones.
    func noteUnknownOmissions() {
        for member in omitted.declared where !omitted.found.contains(member) {
            let parents = Array(member.keys.dropLast())
            let objects = omitted.objects[member.mapping] ?? []
            let suggestions = [parents, []].lazy.map { parents in
                self.members(
                    near: member.keys.last ?? "", below: parents, self.nodes(at: parents[...], below: objects))
            }
            issues.append(
                .mapping(
                    "a member that the mapping writes, to omit it", "'\(member.keyPath)'",
                    suggestions: suggestions.first { !$0.isEmpty } ?? []))
        }
    }

    /// Returns the key paths of the members in objects, at any depth, whose names are similar to another one.
    private func members(near name: String, below parents: [String], _ nodes: [Ref<OutputNode>]) -> [String] {
        var known: [(name: String, keys: [String])] = []
        var visited: Set<Int> = []
        var level = nodes.map { (node: $0, keys: parents) }
        while !level.isEmpty {
            var below: [(node: Ref<OutputNode>, keys: [String])] = []
            for (node, outer) in level where visited.insert(node.pointee.id).inserted {
                for action in actions(of: node) {
                    var keys = outer
                    if case .text(let key) = action.key {
                        keys.append(key.text)
                        known.append((key.text, keys))
                    }
                    below += action.nodes.map { ($0, keys) }
                }
            }
            level = below
        }
        return nearestNames(to: name, among: known.map(\.name)).compactMap { near in
            known.first { $0.name == near }.map { "\(JSONKeyPath(components: $0.keys))" }
        }
    }

    /// Returns the objects at keys.
    private func nodes(at keys: ArraySlice<String>, below nodes: [Ref<OutputNode>]) -> [Ref<OutputNode>] {
        guard let key = keys.first else { return nodes }
        var found: [Ref<OutputNode>] = []
        for action in nodes.flatMap({ actions(of: $0) }) {
            guard case .text(let text) = action.key, text.text == key else { continue }
            found += self.nodes(at: keys.dropFirst(), below: action.nodes)
        }
        return found
    }
}

extension OutputBuilder.Draft.Action {
    /// The objects in the value.
    fileprivate var nodes: [Ref<OutputNode>] { level.map { [$0.node] } ?? entry.box?.object.nodes ?? [] }
}

extension MappingSource {
    /// The keys at which a value is written, below keys that are data; `nil` if it is not a member of the object.
    var writtenKeys: [String]? {
        switch kind {
        case .path(let path), .keyed(_, let path): path.plainKeys
        case .first(let sources): sources.first(where: \.isWritten)?.writtenKeys
        case .key, .parent, .root, .metadata, .index, .propertyName: nil
        }
    }
}
