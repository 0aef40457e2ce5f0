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
    mutating func add(_ members: some Sequence<JSONObject.Element>) {
        var open: [(node: Int, object: JSONObject)] = []
        for member in members { add(member, to: 0, &open) }
        while let (node, object) = open.popLast() {
            for member in object { add(member, to: node, &open) }
        }
    }

    private mutating func add(
        _ member: JSONObject.Element, to node: Int, _ open: inout [(node: Int, object: JSONObject)]
    ) {
        guard let position = add(member, to: node) else { return }
        if let more = member.value.object, let inner = inner(at: position, of: node) {
            open.append((inner, more))
        } else if let chosen = choose(nodes[node].members[position].value, member.value) {
            nodes[node].members[position].value = chosen
        } else {
            hasConflict = true
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
