extension PlanWriter {
    /// Writes the members of an object of which several rules may write the same: objects are put together, of other
    /// values the first one counts, unless it is null.
    mutating func mergedMembers(_ node: Ref<OutputNode>, _ base: Memory) {
        let start = out.count
        let before = findings.count
        var merged = MergedObject.preferringFirst
        for index in 0..<node.pointee.count {
            let mark = out.count
            member(node.pointee.entries + index, base)
            // What was noted has its place in the text, which stays as it is then.
            guard findings.count == before, out.count > mark else { continue }
            if let members = out.members(from: mark)?.object { merged.add(members) }
        }
        guard findings.count == before else { return }
        out.truncate(to: start)
        out.members(merged.object)
    }

    /// Makes one object of an array of objects whose keys are values.
    ///
    /// - Parameter levels: How many such keys lead to an innermost object.
    mutating func mergeKeyed(from start: Int, levels: Int) {
        guard let elements = out.value(from: start)?.array else { return }
        // Neither an innermost object twice, nor two values that all of them should share.
        var merged = MergedObject(levels: levels) { old, new in new.object == nil && new == old ? old : nil }
        for element in elements { merged.add(element.object ?? [:]) }
        if merged.hasConflict { return noteConflict(at: start) }
        out.truncate(to: start)
        out.tree(.object(merged.object))
    }

    /// Makes sure that no two elements were written under one key.
    mutating func checkKeys(from start: Int) {
        if out.value(from: start)?.duplicateKeys.isEmpty == false { noteConflict(at: start) }
    }

    private mutating func noteConflict(at offset: Int) {
        remember(.invalidValue, "objects of different keys", "two of the same key", at: offset)
    }
}

extension JSONWriter {
    /// The value that was written from a place on.
    func value(from start: Int) -> JSON? {
        try? JSON((buffer.start + start).view(count - start), maximumDepth: MappingLimits.largestDepth)
    }

    /// The members that were written from a place on, beginning with a comma.
    func members(from start: Int) -> JSON? {
        var bytes = [UInt8]((buffer.start + start).view(count - start))
        bytes[0] = .openBrace
        bytes.append(.closeBrace)
        return bytes.withView { try? JSON($0, maximumDepth: MappingLimits.largestDepth) }
    }
}

/// Objects put together member by member, without recursion: values may be nested as deeply as any payload.
struct MergedObject {
    private struct Node {
        let depth: Int
        var members: [JSONObject.Element] = []
        var positions: [ExactText: Int] = [:]
        /// The nodes of members that are objects put together, by position.
        var below: [Int: Int] = [:]
    }

    private let levels: Int
    private let choose: (_ old: JSON, _ new: JSON) -> JSON?
    /// Each node comes after the one that contains it.
    private var nodes = [Node(depth: 1)]
    /// Whether none of two values under one key was chosen.
    private(set) var hasConflict = false

    /// - Parameters:
    ///   - levels: How many levels of objects are put together. Defaults to all of them.
    ///   - choose: Returns which of two other values under one key remains; nil for neither.
    init(levels: Int = .max, choose: @escaping (_ old: JSON, _ new: JSON) -> JSON?) {
        self.levels = levels
        self.choose = choose
    }

    /// Of two values under one key the first one remains, unless it is null.
    static var preferringFirst: MergedObject { MergedObject { old, new in old.isNull ? new : old } }

    /// Adds the members of an object.
    mutating func add(_ object: JSONObject) {
        var open = [(node: 0, object: object)]
        while let (node, object) = open.popLast() {
            for member in object {
                guard let position = add(member, to: node) else { continue }
                if let more = member.value.object, let inner = inner(at: position, of: node) {
                    open.append((inner, more))
                } else if let chosen = choose(nodes[node].members[position].value, member.value) {
                    nodes[node].members[position].value = chosen
                } else {
                    hasConflict = true
                }
            }
        }
    }

    /// Adds a member with a new key; returns the position of the one with the same key otherwise.
    private mutating func add(_ member: JSONObject.Element, to node: Int) -> Int? {
        let key = ExactText(text: member.key)
        if let position = nodes[node].positions[key] { return position }
        nodes[node].positions[key] = nodes[node].members.count
        nodes[node].members.append(member)
        return nil
    }

    /// The node of a member that is an object; nil for another value, and below the last level.
    private mutating func inner(at position: Int, of node: Int) -> Int? {
        if let known = nodes[node].below[position] { return known }
        let depth = nodes[node].depth + 1
        guard depth <= levels, let object = nodes[node].members[position].value.object else { return nil }
        let inner = nodes.count
        nodes[node].below[position] = inner
        nodes.append(Node(depth: depth))
        for member in object { _ = add(member, to: inner) }
        return inner
    }

    /// All members, in the order in which their keys came first.
    var object: JSONObject {
        var nodes = nodes
        for index in nodes.indices.reversed() {
            for (position, inner) in nodes[index].below {
                nodes[index].members[position].value = .object(JSONObject(unique: nodes[inner].members))
            }
        }
        return JSONObject(unique: nodes[0].members)
    }
}
