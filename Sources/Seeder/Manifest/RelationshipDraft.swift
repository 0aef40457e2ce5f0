import ObjectMapping

/// A relationship as the manifest words it.
struct RelationshipDraft {
    let name: String
    let node: ManifestNode
    let path: JSONKeyPath?
    let destination: (name: String, node: ManifestNode)?
    let isToMany: Bool
    let inverse: (name: String, node: ManifestNode)?
    /// The attributes of this entity that hold the key; empty for a relationship that is not wired.
    let keys: [(name: String, node: ManifestNode)]
    let triesEachKey: Bool
    let conditions: [(name: String, node: ManifestNode)]
    /// Whether something in the dumps says what it leads to.
    let isFed: Bool

    init(name: String, node: ManifestNode) {
        self.name = name
        self.node = node
        let members = node.members(["from", "to", "many", "inverse", "by", "any", "when"])
        path = members["from"].flatMap(\.keyPath)
        destination = members["to"].flatMap { node in node.string.map { ($0, node) } }
        if members["to"] == nil, node.json.object != nil { node.fail("missing member 'to'") }
        isToMany = members["many"]?.bool ?? false
        inverse = members["inverse"].flatMap { node in node.string.map { ($0, node) } }
        keys = (members["by"]?.oneOrMore ?? []).compactMap { node in node.string.map { ($0, node) } }
        triesEachKey = members["any"]?.bool ?? false
        conditions = members["when"]?.entries ?? []
        isFed = members["from"] != nil || members["by"] != nil

        if path?.plainKeys == nil, path != nil {
            members["from"]?.fail("the key path of a relationship takes no operator")
        }
        if members["by"]?.json.array?.isEmpty == true { members["by"]?.fail("expected at least one attribute") }
        if let by = members["by"], members["from"] != nil {
            by.failKey("a relationship is either nested ('from') or wired by key ('by')")
        }
        if triesEachKey, keys.count == 1 {
            members["any"]?.fail("'any' needs several attributes in 'by'")
        }
    }
}
