import ObjectMapping

/// What changes a file to another model.
struct ModelDifference {
    /// The model of the file.
    let stored: ObjectModel
    let renames: ModelRenames
    /// The model of the file after names were changed.
    let renamed: ObjectModel
    /// The model of the file afterwards: the other model in the order of the file.
    let target: ObjectModel
    let changes: [ModelChange]

    init(from stored: ObjectModel, to model: ObjectModel) {
        self.stored = stored
        renames = ModelRenames(from: stored, to: model)
        renamed = stored.renamed(by: renames)
        target = renamed.changed(to: model)
        changes =
            stored == target
            ? [] : Self.changes(from: renamed, to: model, target) + Self.changes(by: renames, of: stored)
    }

    /// Whether objects of the model can be stored in the file.
    var isCompatible: Bool { !changes.contains(where: \.changesStorage) }

    /// The descriptions of all differences that change the storage.
    var text: String { changes.filter(\.changesStorage).map(\.text).joined(separator: "; ") }

    /// Returns the changes that neither this package nor steps can make.
    ///
    /// - Parameter provided: The attributes and relationships whose values steps provide, as `Entity.name`.
    func obstacles(providing provided: Set<String>) -> [ModelChange] {
        changes.filter { change in
            guard change.obstacle != nil else { return false }
            let name = "\(change.entity ?? "").\(change.property ?? "")"
            return !(change.canBeProvided && provided.contains(name))
        }
    }

    private static func changes(by renames: ModelRenames, of stored: ObjectModel) -> [ModelChange] {
        var found: [ModelChange] = renames.conflicts.map { .conflictingNames($0.reason, entity: $0.entity) }
        for entity in stored.entities {
            let name = renames.entity(entity.name)
            if name != entity.name { found.append(.renamedEntity(name, from: entity.name)) }
            for old in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
                let new = renames.property(old, of: entity.name)
                if new != old { found.append(.renamedProperty(new, from: old, entity: name)) }
            }
        }
        return found
    }

    private static func changes(
        from stored: ObjectModel, to model: ObjectModel, _ target: ObjectModel
    ) -> [ModelChange] {
        var found: [ModelChange] = []
        for entity in model.entities {
            guard let old = stored.entity(named: entity.name), let new = target.entity(named: entity.name) else {
                found.append(.addedEntity(entity.name))
                continue
            }
            let name = entity.name
            if entity.identity != old.identity {
                found.append(.changedIdentity(entity: name, old: old.identity, new: entity.identity))
            }
            for attribute in entity.attributes { found += changes(of: attribute, old, name) }
            for relationship in entity.relationships {
                guard let before = old.relationship(named: relationship.name) else {
                    found.append(.addedRelationship(relationship, entity: name))
                    continue
                }
                if before.kind != relationship.kind {
                    let independent = isIndependent(relationship, before, in: stored)
                    found.append(
                        .changedRelationship(relationship, entity: name, old: before, isIndependent: independent))
                } else if before.deleteRule != relationship.deleteRule {
                    found.append(.changedDeclaration("the delete rule", of: relationship.name, entity: name))
                } else if before.isRequired != relationship.isRequired || before.sortedBy != relationship.sortedBy
                    || new.relationship(named: relationship.name)?.unnamed != before.unnamed
                {
                    found.append(.changedDeclaration("the declaration", of: relationship.name, entity: name))
                }
            }
            let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            for property in old.attributes.map(\.name) + old.relationships.map(\.name) where !names.contains(property) {
                let inverse = keptInverse(of: old.relationship(named: property), name, in: target)
                found.append(.removedProperty(property, entity: name, inverse: inverse))
            }
            let (before, after) = (old.declaredIndexes, entity.declaredIndexes)
            found += after.filter { !before.contains($0) }.map { .addedIndex($0, entity: name) }
            found += before.filter { !after.contains($0) }.map { .removedIndex($0, entity: name) }
        }
        let removed = stored.entities.filter { model.entity(named: $0.name) == nil }
        let isForeign = removed.count == stored.entities.count
        return found + removed.map { .removedEntity($0.name, isForeign: isForeign) }
    }

    /// Returns the inverse of a removed relationship, if the other model still has it.
    private static func keptInverse(
        of removed: RelationshipDescription?, _ entity: String, in target: ObjectModel
    ) -> ModelChange.KeptInverse? {
        guard let removed, let inverse = removed.inverse,
            target.entity(named: removed.destination)?.relationship(named: inverse)?.destination == entity
        else { return nil }
        return ModelChange.KeptInverse(
            entity: removed.destination, relationship: inverse, wasOrdered: removed.isOrdered)
    }

    private static func changes(
        of attribute: AttributeDescription, _ old: EntityDescription, _ entity: String
    ) -> [ModelChange] {
        guard let before = old.attribute(named: attribute.name) else {
            return [.addedAttribute(attribute, entity: entity)]
        }
        var found: [ModelChange] = []
        if before.type != attribute.type {
            found.append(.changedAttribute(attribute.name, entity: entity, old: before.type, new: attribute.type))
        }
        if before.isOptional != attribute.isOptional { found.append(.changedOptionality(attribute, entity: entity)) }
        if before.defaultValue != attribute.defaultValue {
            found.append(.changedDeclaration("the default", of: attribute.name, entity: entity))
        }
        return found
    }

    /// Whether a relationship and its inverse exist in the file, where they are not inverses of each other.
    private static func isIndependent(
        _ new: RelationshipDescription, _ old: RelationshipDescription, in stored: ObjectModel
    ) -> Bool {
        guard let inverse = new.inverse, old.inverse != inverse else { return false }
        return stored.entity(named: new.destination)?.relationship(named: inverse) != nil
    }
}

extension RelationshipDescription {
    /// The relationship without former names.
    fileprivate var unnamed: RelationshipDescription {
        var copy = self
        copy.formerNames = []
        return copy
    }
}

extension EntityDescription {
    /// The indexes over attributes and to-one relationships: one for each set of names, which is unique if one declaration
    /// is.
    var declaredIndexes: [ObjectIndex] {
        let single = attributes.compactMap { attribute in
            attribute.isUnique
                ? ObjectIndex.unique(attribute.name) : attribute.isIndexed ? ObjectIndex.index(attribute.name) : nil
        }
        let all = single + indexes
        return all.filter { index in
            index.isUnique || !all.contains { $0.isUnique && $0.attributes == index.attributes }
        }
    }
}
