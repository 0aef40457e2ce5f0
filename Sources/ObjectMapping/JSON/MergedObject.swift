/// Merges objects member by member, without recursion: values can be nested as deeply as any payload.
struct MergedObject {
    private struct Node {
        let depth: Int
        var members: [JSONObject.Element] = []
        var positions: [ExactText: Int] = [:]
        /// The nodes of merged members that are objects, by position.
        var below: [Int: Int] = [:]
    }

    private let levels: Int
    private let choose: (_ old: JSON, _ new: JSON) -> JSON?
    /// A node is after the node that contains it.
    private var nodes = [Node(depth: 1)]
    /// Whether a conflict of two values with the same key was not resolved.
    private(set) var hasConflict = false

    /// - Parameters:
    ///   - levels: The number of levels of objects that are merged. Defaults to all levels.
    ///   - choose: Selects one of two other values with the same key; `nil` for neither.
    init(levels: Int = .max, choose: @escaping (_ old: JSON, _ new: JSON) -> JSON?) {
        self.levels = levels
        self.choose = choose
    }

    /// Keeps the first of two values with the same key, unless it is null.
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

    /// Adds a member with a new key; otherwise returns the position of the one with the same key.
    private mutating func add(_ member: JSONObject.Element, to node: Int) -> Int? {
        let key = ExactText(text: member.key)
        if let position = nodes[node].positions[key] { return position }
        nodes[node].positions[key] = nodes[node].members.count
        nodes[node].members.append(member)
        return nil
    }

    /// Returns the node of a member that is an object; `nil` for other values, and below the last level.
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

    /// All members, in the order of the first occurrences of their keys.
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
