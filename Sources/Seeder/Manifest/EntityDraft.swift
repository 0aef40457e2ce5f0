import ObjectMapping

/// An entity as the manifest words it.
struct EntityDraft {
    let name: String
    let node: ManifestNode
    let identity: [(name: String, node: ManifestNode)]
    let attributes: [AttributeDraft]
    let relationships: [RelationshipDraft]
    /// The wrapper names by which a source of wrapped elements chooses the entity.
    let elementNames: [String]

    init(name: String, node: ManifestNode) {
        self.name = name
        self.node = node
        let members = node.members(["identifiedBy", "attributes", "relationships", "elementName"])
        identity = (members["identifiedBy"]?.oneOrMore ?? []).compactMap { node in node.string.map { ($0, node) } }
        if let list = members["identifiedBy"]?.json.array, list.isEmpty {
            members["identifiedBy"]?.fail("expected at least one attribute")
        }
        attributes = (members["attributes"]?.entries ?? []).map(AttributeDraft.init)
        relationships = (members["relationships"]?.entries ?? []).map(RelationshipDraft.init)
        elementNames = members["elementName"]?.string.map { [$0] } ?? Seeder.elementNames(of: name)
    }

    func attribute(_ name: String) -> AttributeDraft? { attributes.first { $0.name == name } }
}

/// The wrapper names by which elements choose an entity: its own, with a small first letter, and in snake case.
func elementNames(of entity: String) -> [String] {
    let names = [entity, entity.prefix(1).lowercased() + entity.dropFirst(), KeyNaming.snakeCase.key(of: entity)]
    return names.reduce(into: []) { names, name in
        if !names.contains(name) { names.append(name) }
    }
}
