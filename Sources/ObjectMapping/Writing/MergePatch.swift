/// What turns one tree into another by RFC 7396, where null and absent are the same.
struct MergePatch {
    let plan: OutputPlan
    /// Properties whose members are in the patch of every object that has one.
    let included: Set<AnyKeyPath>

    /// The patch; nil if there is nothing to change.
    func patch(from old: JSON, to new: JSON) -> JSON? {
        guard let members = new.object, let oldMembers = old.object else { return new == old ? nil : new }
        let changes = changes(from: oldMembers, to: members, plan.root.node.map { [$0.pointee.id] } ?? [])
        return changes.isChanged ? .object(JSONObject(unique: changes.members)) : nil
    }

    /// The changed members of an object.
    ///
    /// - Parameter nodes: What writes its members; none for the content of an attribute.
    private func changes(
        from old: JSONObject, to new: JSONObject, _ nodes: [Int]
    ) -> (members: [JSONObject.Element], isChanged: Bool) {
        var members: [JSONObject.Element] = []
        var isChanged = false
        for (key, value) in new {
            let member = member(ExactText(text: key), of: nodes)
            let before = old[key] ?? .absent
            if let object = value.object, let oldObject = before.object {
                let below = changes(from: oldObject, to: object, member?.nodes ?? [])
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
            guard nodes.isEmpty || owns(ExactText(text: key), nodes) else { continue }
            isChanged = true
            members.append((key, .null))
        }
        return (members, isChanged)
    }

    private func isSame(_ new: JSON, _ old: JSON, isUnordered: Bool) -> Bool {
        if isUnordered, let new = new.array, let old = old.array {
            return new.count == old.count && Set(new) == Set(old)
        }
        return new.isPresent ? new == old : !old.isPresent
    }

    private func member(_ key: ExactText, of nodes: [Int]) -> PatchShape.Member? {
        shapes(of: nodes).lazy.compactMap { $0.members[key] }.first
    }

    /// Whether the rules write a key: what else stands in the old tree is nobody's to remove.
    private func owns(_ key: ExactText, _ nodes: [Int]) -> Bool {
        shapes(of: nodes).contains { $0.ownsAll || $0.members[key] != nil }
    }

    /// The shapes of all that is written into one object.
    private func shapes(of nodes: [Int]) -> [PatchShape] {
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
