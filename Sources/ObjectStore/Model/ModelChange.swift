import ObjectMapping

/// A difference between the model of a file and one with which the file is opened, because of which objects of that model
/// cannot be stored in the file.
///
/// Optionality and defaults may differ: null in a property that cannot be `nil` is read as its default.
enum ModelChange: Sendable, Hashable {
    case addedEntity(String)
    case removedEntity(String)
    case addedAttribute(AttributeDescription, entity: String)
    case addedRelationship(RelationshipDescription, entity: String)
    case removedProperty(String, entity: String)
    case changedIdentity(entity: String, old: [String], new: [String])
    case changedAttribute(String, entity: String, old: AttributeType, new: AttributeType)
    case changedRelationship(RelationshipDescription, entity: String, old: RelationshipDescription)

    /// The reason why an addition cannot be made to a file; `nil` if it can: existing rows have the default or NULL.
    private var obstacle: String? {
        switch self {
        case .addedAttribute(let attribute, _):
            if attribute.isOptional {
                attribute.isUnique && attribute.defaultValue != nil
                    ? "its default cannot be unique among existing rows" : nil
            } else if attribute.isUnique {
                "existing rows cannot have unique values; declare it as optional"
            } else if attribute.defaultValue == nil {
                "existing rows have no value; declare it as optional, or with a constant default"
            } else {
                nil
            }
        case .addedRelationship(let relationship, _):
            relationship.isRequired ? "existing rows have no object; remove isRequired" : nil
        case .addedEntity, .removedEntity, .removedProperty, .changedIdentity, .changedAttribute, .changedRelationship:
            nil
        }
    }

    /// Whether the change can be made to a file with objects.
    var isPossible: Bool {
        switch self {
        case .addedEntity, .addedAttribute, .addedRelationship: obstacle == nil
        case .removedEntity, .removedProperty, .changedIdentity, .changedAttribute, .changedRelationship: false
        }
    }

    /// A description that names the change, and the reason why an addition is not possible.
    var text: String {
        let reason = obstacle.map { " (\($0))" } ?? ""
        return switch self {
        case .addedEntity(let entity): "the file has no entity '\(entity)'"
        case .removedEntity(let entity): "the model has no class for the entity '\(entity)'"
        case .addedAttribute(let attribute, let entity): "the file has no '\(attribute.name)' in '\(entity)'\(reason)"
        case .addedRelationship(let added, let entity): "the file has no '\(added.name)' in '\(entity)'\(reason)"
        case .removedProperty(let name, let entity): "the class of '\(entity)' has no property '\(name)'"
        case .changedIdentity(let entity, let old, let new):
            "'\(entity)' is identified by \(old) in the file and by \(new) in the class"
        case .changedAttribute(let name, let entity, let old, let new):
            "'\(entity).\(name)' is \(old) in the file and \(new) in the class"
        case .changedRelationship(let new, let entity, let old):
            "'\(entity).\(new.name)' is \(old.kind) in the file and \(new.kind) in the class"
        }
    }
}

extension ObjectModel {
    /// Returns all differences because of which objects of this model cannot be stored in a file of another one.
    func differences(from stored: ObjectModel) -> [ModelChange] {
        var found: [ModelChange] = []
        for entity in entities {
            guard let other = stored.entity(named: entity.name) else {
                found.append(.addedEntity(entity.name))
                continue
            }
            let name = entity.name
            if entity.identity != other.identity {
                found.append(.changedIdentity(entity: name, old: other.identity, new: entity.identity))
            }
            for attribute in entity.attributes {
                guard let old = other.attribute(named: attribute.name)?.type else {
                    found.append(.addedAttribute(attribute, entity: name))
                    continue
                }
                guard old != attribute.type else { continue }
                found.append(.changedAttribute(attribute.name, entity: name, old: old, new: attribute.type))
            }
            for relationship in entity.relationships {
                guard let old = other.relationship(named: relationship.name) else {
                    found.append(.addedRelationship(relationship, entity: name))
                    continue
                }
                if old.kind != relationship.kind {
                    found.append(.changedRelationship(relationship, entity: name, old: old))
                }
            }
            let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            for property in other.attributes.map(\.name) + other.relationships.map(\.name)
            where !names.contains(property) {
                found.append(.removedProperty(property, entity: name))
            }
        }
        for entity in stored.entities where self.entity(named: entity.name) == nil {
            found.append(.removedEntity(entity.name))
        }
        return found
    }

    /// Returns this model of a file with the entities and properties that another model has in addition, at the end, so
    /// that tables keep their names.
    func extended(by other: ObjectModel) -> ObjectModel {
        var extended = entities.map { entity in
            guard let added = other.entity(named: entity.name) else { return entity }
            var entity = entity
            entity.attributes += added.attributes.filter { entity.attribute(named: $0.name) == nil }
            entity.relationships += added.relationships.filter { entity.relationship(named: $0.name) == nil }
            return entity
        }
        extended += other.entities.filter { entity(named: $0.name) == nil }
        return ObjectModel(validated: extended, classes: other.classes)
    }
}

extension RelationshipDescription {
    /// A description of the storage.
    fileprivate var kind: String {
        "a relationship to \(isToMany ? "many" : "one") \(destination)\(isOrdered ? ", ordered" : "")"
            + (inverse.map { " with the inverse \($0)" } ?? "")
    }
}
