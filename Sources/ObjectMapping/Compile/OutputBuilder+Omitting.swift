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
        return body()
    }

    /// Reports omitted members that no rule writes, such as misspelt ones.
    func noteUnknownOmissions() {
        for member in omitted.declared where !omitted.found.contains(member) {
            let known = rules.compactMap { $0.source.writtenKeys?.last }
            issues.append(
                .mapping(
                    "a member that the mapping writes, to omit it", "'\(member.keyPath)'",
                    suggestions: nearestNames(to: member.keys.last ?? "", among: known)))
        }
    }
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
