import ObjectMapping
import ObjectStore

extension EntityMapping {
    /// Throws if the model has no such entity, attribute or relationship, or if a key path is invalid.
    func check(against model: ObjectModel) throws(SeedError) {
        guard let description = model.entity(named: entity) else {
            let hint = suggestion(entity, among: model.entities.map(\.name))
            throw SeedError(.badData, "the model has no entity '\(entity)'\(hint)")
        }
        let names = description.attributes.map(\.name) + description.relationships.map(\.name)
        for (name, path) in keyPaths.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name) else {
                throw SeedError(
                    .badData, "\(entity) has no attribute or relationship '\(name)'\(suggestion(name, among: names))")
            }
            let isMemberName = path.description == "@key" && description.attribute(named: name) != nil
            if let mistake = path.mistake, !isMemberName { throw SeedError(.badData, "\(entity).\(name): \(mistake)") }
        }
    }

    /// Returns the mapping of objects to rows of the entity.
    func rowEntity(of description: EntityDescription, in model: ObjectModel) -> RowEntity {
        RowEntity(
            name: entity,
            attributes: description.attributes.map { attribute in
                let path = keyPaths[attribute.name] ?? JSONKeyPath(components: [attribute.name])
                let isIdentity = description.identity.contains(attribute.name)
                return RowAttribute(
                    name: attribute.name, type: attribute.type,
                    source: path.description == "@key" ? .memberName : .path(path),
                    isRequired: isIdentity || !attribute.isOptional && attribute.defaultValue == nil)
            },
            relationships: description.relationships.map { relationship in
                RowRelationship(
                    name: relationship.name, path: keyPaths[relationship.name],
                    destination: model.index(of: relationship.destination) ?? 0, isToMany: relationship.isToMany)
            },
            elementNames: elementNames(of: entity))
    }
}
