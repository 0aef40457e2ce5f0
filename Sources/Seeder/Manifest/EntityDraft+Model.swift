import ObjectMapping
import ObjectStore

extension EntityDraft {
    /// The entity as the store knows it; `guess` stands in for types that are not known.
    func description(guessing guess: AttributeType) -> EntityDescription {
        EntityDescription(
            name, identifiedBy: identity.map(\.name), attributes: attributes.map { $0.description(guessing: guess) },
            relationships: relationships.map(\.description))
    }

    /// How objects become rows of the entity; `names` are those of all entities, in order.
    func rowEntity(among names: [String]) -> RowEntity {
        let identity = Set(identity.map(\.name))
        return RowEntity(
            name: name,
            attributes: attributes.map { attribute in
                RowAttribute(
                    name: attribute.name, type: attribute.type ?? AttributeType(.string), source: attribute.source,
                    isRequired: attribute.isRequired || identity.contains(attribute.name), pattern: attribute.pattern)
            },
            relationships: relationships.map { relationship in
                RowRelationship(
                    name: relationship.name, path: relationship.path,
                    destination: relationship.destination.flatMap { names.firstIndex(of: $0.name) } ?? 0,
                    isToMany: relationship.isToMany)
            },
            elementNames: elementNames)
    }
}

extension AttributeDraft {
    fileprivate func description(guessing guess: AttributeType) -> AttributeDescription {
        AttributeDescription(name, type ?? guess, isOptional: isOptional, defaultValue: defaultValue?.json)
    }
}

extension RelationshipDraft {
    fileprivate var description: RelationshipDescription {
        RelationshipDescription(
            name, to: destination?.name ?? "", isToMany: isToMany, inverse: inverse?.name, by: keys.map(\.name),
            any: triesEachKey, when: Dictionary(conditions.map { ($0.name, $0.node.json) }, uniquingKeysWith: { $1 }))
    }
}
