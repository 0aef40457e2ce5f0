/// Creates and applies patches of RFC 7396, in which null and absent are equal.
struct MergePatch {
    let plan: OutputPlan
    /// Properties that are included in the patch of every object that contains them.
    let included: Set<AnyKeyPath>
    /// Whether nested objects are found by their identity, instead of created again.
    var findsObjects = false
    var stack = StackRoom()

    /// Returns the patch; `nil` if nothing changed.
    ///
    /// - Throws: `MappingError` if a value exceeds the stack.
    mutating func patch(from old: JSON, to new: JSON) throws(MappingError) -> JSON? {
        guard let members = new.object, let oldMembers = old.object else { return new == old ? nil : new }
        let root = plan.root.node.map { Shape.Member(nodes: [$0.pointee.id]) }
        let changes = try changes(from: oldMembers, to: members, root, depth: 0)
        return changes.isChanged ? .object(JSONObject(unique: changes.members)) : nil
    }

    /// Returns the changed members of an object.
    ///
    /// - Parameter owner: The rule that writes its members; `nil` if they are a part of an attribute.
    private mutating func changes(
        from old: JSONObject, to new: JSONObject, _ owner: Shape.Member?, depth: Int
    ) throws(MappingError) -> (members: [JSONObject.Element], isChanged: Bool) {
        try checkStack(depth)
        var members: [JSONObject.Element] = []
        var isChanged = false
        let known = owner.map { shapes(of: $0.nodes) } ?? []
        // Members that no rule writes are not removed.
        let ownsAll = owner?.isOpaque != false || known.contains(where: \.ownsAll)
        for (key, value) in new {
            var member = member(key, of: known)
            if ownsAll { member?.isOpaque = true }
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
            let isWritten = known.contains { $0.members[ExactText(text: key)] != nil }
            guard ownsAll || isWritten else { continue }
            if !ownsAll, let object = value.object, let member = member(key, of: known), member.isOnlyLevel {
                // Null would also remove members that no rule writes.
                let below = try changes(from: object, to: [:], member, depth: depth + 1)
                isChanged = isChanged || below.isChanged
                if below.isChanged { members.append((key, .object(JSONObject(unique: below.members)))) }
                continue
            }
            isChanged = true
            members.append((key, .null))
        }
        return (members, isChanged)
    }

    /// Returns the payload for an update that applies a patch to a model: the changed members, each of them complete.
    ///
    /// - Throws: `MappingError` if a value exceeds the stack.
    mutating func update(of model: JSON, by patch: JSONObject) throws(MappingError) -> JSON {
        let root = plan.root.node.map { Shape.Member(nodes: [$0.pointee.id]) }
        return .object(JSONObject(unique: try applied(patch, to: model.object, root, depth: 0)))
    }

    /// Returns the members of an object to which a patch gives a value, or null if the update has to clear a property.
    ///
    /// - Parameter owner: The rule that writes the members; `nil` if they are a part of an attribute.
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
                let isLevel = member?.isOnlyLevel == true
                let unchanged = isLevel ? [] : self.unchanged(oldObject, by: object, member)
                let changed = try applied(object, to: oldObject, member, depth: depth + 1)
                members.append((key, .object(JSONObject(unique: unchanged + changed))))
            } else if value.isPresent || known.contains(where: { $0.members[ExactText(text: key)] != nil }) {
                members.append((key, value))
            }
        }
        return members
    }

    /// Returns the members of a nested object that are read again, because a patch does not contain them.
    private func unchanged(
        _ old: JSONObject?, by patch: JSONObject, _ owner: Shape.Member?
    ) -> [JSONObject.Element] {
        guard let old else { return [] }
        let rest = old.filter { patch[$0.key] == nil }
        guard findsObjects, let owner, !owner.isOpaque else { return rest }
        let known = shapes(of: owner.nodes)
        func isIdentity(_ key: String) -> Bool {
            member(key, of: known)?.keyPaths.contains(where: plan.identity.contains) ?? false
        }
        guard old.contains(where: { isIdentity($0.key) }) else { return rest }
        // Another identity is another object; one with the same identity is found.
        let isOther = patch.contains { isIdentity($0.key) && $0.value != old[$0.key] ?? .absent }
        return isOther ? [] : rest.filter { isIdentity($0.key) }
    }

    /// Returns the rules that write the member with a key.
    private func member(_ key: String, of shapes: [Shape]) -> Shape.Member? {
        let found = shapes.compactMap { $0.members[ExactText(text: key)] }
        guard var member = found.first else { return shapes.lazy.compactMap(\.keyed).first }
        for other in found.dropFirst() { member.add(other) }
        return member
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

    /// Returns the shapes of all nodes that write one object.
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
    /// The output of a node, with which a merge patch is created from two trees.
    struct Shape {
        struct Member {
            /// The nodes that write the value's members.
            var nodes: [Int] = []
            /// Whether a rule writes the whole value, with any members.
            var isOpaque = false
            /// Whether some of those members belong to the same model.
            var isLevel = false
            /// Whether some of those members belong to another model.
            var isObject = false
            /// Whether the value is an array without an order.
            var isUnordered = false
            var keyPaths: [AnyKeyPath] = []

            /// Whether the value is a level of key paths, and neither an object nor an attribute.
            var isOnlyLevel: Bool { isLevel && !isObject && !isOpaque }

            mutating func add(_ other: Member) {
                nodes += other.nodes
                isOpaque = isOpaque || other.isOpaque
                isLevel = isLevel || other.isLevel
                isObject = isObject || other.isObject
                isUnordered = isUnordered || other.isUnordered
                keyPaths += other.keyPaths
            }
        }

        var members: [ExactText: Member] = [:]
        /// The member for keys that are values of the model.
        var keyed: Member?
        /// Whether any key can be written, for example by a value whose members are those of the object.
        var ownsAll = false
        /// The nodes whose members are written into the same object.
        var merged: [Int] = []
    }
}
