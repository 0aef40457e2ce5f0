/// Makes and applies the patches of RFC 7396, where null and absent are the same.
struct MergePatch {
    let plan: OutputPlan
    /// Properties whose members are in the patch of every object that has one.
    let included: Set<AnyKeyPath>
    /// Whether nested objects are found by their identity, instead of created again.
    var findsObjects = false
    var stack = StackRoom()

    /// The patch; nil if there is nothing to change.
    ///
    /// - Throws: `MappingError` if the stack has no room for a value.
    mutating func patch(from old: JSON, to new: JSON) throws(MappingError) -> JSON? {
        guard let members = new.object, let oldMembers = old.object else { return new == old ? nil : new }
        let root = plan.root.node.map { Shape.Member(nodes: [$0.pointee.id]) }
        let changes = try changes(from: oldMembers, to: members, root, depth: 0)
        return changes.isChanged ? .object(JSONObject(unique: changes.members)) : nil
    }

    /// The changed members of an object.
    ///
    /// - Parameter owner: What writes its members; nil if they are a part of what an attribute holds.
    private mutating func changes(
        from old: JSONObject, to new: JSONObject, _ owner: Shape.Member?, depth: Int
    ) throws(MappingError) -> (members: [JSONObject.Element], isChanged: Bool) {
        try checkStack(depth)
        var members: [JSONObject.Element] = []
        var isChanged = false
        let known = owner.map { shapes(of: $0.nodes) } ?? []
        // What no rule writes is nobody's to remove.
        let ownsAll = owner?.isWhole != false || known.contains(where: \.ownsAll)
        for (key, value) in new {
            var member = member(key, of: known)
            if ownsAll { member?.isWhole = true }
            let before = old[key] ?? .absent
            if let object = value.object, let oldObject = before.object {
                let below = try changes(from: oldObject, to: object, member, depth: depth + 1)
                isChanged = isChanged || below.isChanged
                if below.isChanged || member?.isLevel == true && !below.members.isEmpty {
                    members.append((key, .object(JSONObject(unique: below.members))))
                }
            } else if !isSame(value, before, isUnordered: member?.isUnordered == true) {
                isChanged = true
                members.append((key, value))
            } else if let member, member.keyPaths.contains(where: included.contains) {
                members.append((key, value))
            }
        }
        for (key, value) in old where value.isPresent && new[key] == nil {
            guard ownsAll || known.contains(where: { $0.members[ExactText(text: key)] != nil }) else { continue }
            isChanged = true
            members.append((key, .null))
        }
        return (members, isChanged)
    }

    /// What an update reads to apply a patch to a model: the changed members, each of them complete.
    ///
    /// - Throws: `MappingError` if the stack has no room for a value.
    mutating func update(of model: JSON, by patch: JSONObject) throws(MappingError) -> JSON {
        let root = plan.root.node.map { Shape.Member(nodes: [$0.pointee.id]) }
        return .object(JSONObject(unique: try applied(patch, to: model.object, root, depth: 0)))
    }

    /// The members of an object that a patch gives a value, or null if the update has to clear a property.
    ///
    /// - Parameter owner: What writes the members; nil if they are a part of what an attribute holds.
    private mutating func applied(
        _ patch: JSONObject, to old: JSONObject?, _ owner: Shape.Member?, depth: Int
    ) throws(MappingError) -> [JSONObject.Element] {
        try checkStack(depth)
        let known = owner.map { shapes(of: $0.nodes) } ?? []
        var members: [JSONObject.Element] = []
        for (key, value) in patch {
            if let object = value.object {
                let member = member(key, of: known)
                let oldObject = old?[key]?.object
                // An update leaves the other properties of the same model unchanged.
                let isLevel = member.map { $0.isLevel && !$0.isWhole } ?? false
                let unchanged = isLevel ? [] : self.unchanged(oldObject, by: object, member)
                let changed = try applied(object, to: oldObject, member, depth: depth + 1)
                members.append((key, .object(JSONObject(unique: unchanged + changed))))
            } else if value.isPresent || known.contains(where: { $0.members[ExactText(text: key)] != nil }) {
                members.append((key, value))
            }
        }
        return members
    }

    /// The members of a nested object that are read again, because a patch does not mention them.
    private func unchanged(
        _ old: JSONObject?, by patch: JSONObject, _ owner: Shape.Member?
    ) -> [JSONObject.Element] {
        guard let old else { return [] }
        let rest = old.filter { patch[$0.key] == nil }
        guard findsObjects, let owner, !owner.isWhole else { return rest }
        let known = shapes(of: owner.nodes)
        func isIdentity(_ key: String) -> Bool {
            member(key, of: known)?.keyPaths.contains(where: plan.identity.contains) ?? false
        }
        guard old.contains(where: { isIdentity($0.key) }) else { return rest }
        // Another identity is another object; that of the same one finds it.
        let isOther = patch.contains { isIdentity($0.key) && $0.value != old[$0.key] ?? .absent }
        return isOther ? [] : rest.filter { isIdentity($0.key) }
    }

    /// What writes the member with a key.
    private func member(_ key: String, of shapes: [Shape]) -> Shape.Member? {
        shapes.lazy.compactMap { $0.members[ExactText(text: key)] }.first
            ?? shapes.lazy.compactMap(\.keyed).first
    }

    private mutating func checkStack(_ depth: Int) throws(MappingError) {
        guard depth < StackRoom.uncheckedLevels || stack.hasRoom() else {
            throw MappingError(
                MappingIssue(kind: .limit, path: "$", expected: StackRoom.expected, found: StackRoom.found))
        }
    }

    private func isSame(_ new: JSON, _ old: JSON, isUnordered: Bool) -> Bool {
        if isUnordered, let new = new.array, let old = old.array {
            return new.count == old.count && Set(new) == Set(old)
        }
        return new.isPresent ? new == old : !old.isPresent
    }

    /// The shapes of all that is written into one object.
    private func shapes(of nodes: [Int]) -> [Shape] {
        var found: [Int] = []
        var rest = nodes
        while let node = rest.popLast() {
            guard !found.contains(node) else { continue }
            found.append(node)
            rest += plan.shapes[node].merged
        }
        return found.map { plan.shapes[$0] }
    }
}

extension MergePatch {
    /// What a node writes, by which a merge patch is made of two trees.
    struct Shape {
        struct Member {
            /// The nodes that write the value's members.
            var nodes: [Int] = []
            /// Whether a rule writes the value whole, so that any of its members may be written.
            var isWhole = false
            /// Whether some of those members are the same model's.
            var isLevel = false
            /// Whether the value is an array whose order means nothing.
            var isUnordered = false
            var keyPaths: [AnyKeyPath] = []
        }

        var members: [ExactText: Member] = [:]
        /// The same of keys that are values of the model.
        var keyed: Member?
        /// Whether any key may be written, as by a value whose members are those of the object.
        var ownsAll = false
        /// The nodes whose members are written into the same object.
        var merged: [Int] = []
    }
}
