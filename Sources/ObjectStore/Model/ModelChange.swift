import ObjectMapping

/// A difference between the model of a file and the one with which the file is opened.
enum ModelChange: Sendable, Hashable {
    /// A relationship that remains when its inverse is removed, and has the links of both.
    struct KeptInverse: Sendable, Hashable {
        let entity: String
        let relationship: String
        /// Whether the removed relationship had an order, which is lost.
        let wasOrdered: Bool
    }

    case addedEntity(String)
    /// - Parameter isForeign: Whether the file and the model have no entity in common.
    case removedEntity(String, isForeign: Bool)
    case renamedEntity(String, from: String)
    case addedAttribute(AttributeDescription, entity: String)
    case addedRelationship(RelationshipDescription, entity: String)
    /// - Parameter inverse: The relationship that keeps the links; `nil` if the values are deleted.
    case removedProperty(String, entity: String, inverse: KeptInverse?)
    case renamedProperty(String, from: String, entity: String)
    case changedIdentity(entity: String, old: [String], new: [String])
    case changedAttribute(String, entity: String, old: AttributeType, new: AttributeType)
    /// - Parameter isIndependent: Whether both sides of an inverse were independent relationships.
    case changedRelationship(
        RelationshipDescription, entity: String, old: RelationshipDescription, isIndependent: Bool)
    case changedOptionality(AttributeDescription, entity: String)
    case addedIndex(ObjectIndex, entity: String)
    case removedIndex(ObjectIndex, entity: String)
    /// What does not change stored values: the description says what.
    case changedDeclaration(String, of: String, entity: String)
    case conflictingNames(String, entity: String?)

    /// The entity, by its new name.
    var entity: String? {
        switch self {
        case .addedEntity(let entity), .removedEntity(let entity, _), .renamedEntity(let entity, _),
            .addedAttribute(_, let entity), .addedRelationship(_, let entity), .removedProperty(_, let entity, _),
            .renamedProperty(_, _, let entity), .changedIdentity(let entity, _, _),
            .changedAttribute(_, let entity, _, _), .changedRelationship(_, let entity, _, _),
            .changedOptionality(_, let entity), .addedIndex(_, let entity), .removedIndex(_, let entity),
            .changedDeclaration(_, _, let entity):
            entity
        case .conflictingNames(_, let entity): entity
        }
    }

    /// The attribute or relationship, by its new name; `nil` for other changes.
    var property: String? {
        switch self {
        case .addedAttribute(let attribute, _), .changedOptionality(let attribute, _): attribute.name
        case .addedRelationship(let relationship, _), .changedRelationship(let relationship, _, _, _): relationship.name
        case .removedProperty(let name, _, _), .renamedProperty(let name, _, _), .changedAttribute(let name, _, _, _),
            .changedDeclaration(_, let name, _):
            name
        case .addedEntity, .removedEntity, .renamedEntity, .changedIdentity, .addedIndex, .removedIndex,
            .conflictingNames:
            nil
        }
    }

    /// Whether objects of the model cannot be stored in the file without the change.
    ///
    /// Null in a property that cannot be `nil` is read as its default.
    var changesStorage: Bool {
        switch self {
        case .changedOptionality, .addedIndex, .removedIndex, .changedDeclaration: false
        default: true
        }
    }

    /// Whether values of the file are deleted.
    var losesValues: Bool {
        switch self {
        case .removedEntity: true
        case .removedProperty(_, _, let inverse): inverse?.wasOrdered ?? true
        default: false
        }
    }

    /// The reason why the change cannot be made to a file with objects; `nil` if it can.
    var obstacle: String? {
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
        case .changedAttribute(_, _, let old, let new):
            TypeWidening(from: old, to: new) == nil ? "values cannot be converted without loss" : nil
        case .changedRelationship(let new, _, let old, let isIndependent):
            if new.destination != old.destination {
                "existing objects refer to another entity"
            } else {
                isIndependent ? "it and its inverse were independent relationships" : nil
            }
        case .removedEntity(_, let isForeign):
            isForeign ? "the file and the model have no entity in common" : nil
        case .conflictingNames: "change the former names"
        case .addedEntity, .renamedEntity, .removedProperty, .renamedProperty, .changedIdentity, .changedOptionality,
            .addedIndex, .removedIndex, .changedDeclaration:
            nil
        }
    }

    /// Whether a step can provide the values, so that the obstacle does not matter.
    var canBeProvided: Bool {
        switch self {
        case .addedAttribute, .addedRelationship, .changedAttribute: true
        case .changedRelationship(let new, _, let old, _): new.destination != old.destination
        default: false
        }
    }

    /// A description of the difference, with the obstacle.
    var text: String {
        let reason = obstacle.map { " (\($0))" } ?? ""
        return "\(difference)\(reason)"
    }

    private var difference: String {
        switch self {
        case .addedEntity(let entity): "the file has no entity '\(entity)'"
        case .removedEntity(let entity, _): "the model has no class for the entity '\(entity)'"
        case .renamedEntity(let entity, let old): "the entity '\(entity)' is '\(old)' in the file"
        case .addedAttribute(let attribute, let entity): "the file has no '\(attribute.name)' in '\(entity)'"
        case .addedRelationship(let added, let entity): "the file has no '\(added.name)' in '\(entity)'"
        case .removedProperty(let name, let entity, _): "the class of '\(entity)' has no property '\(name)'"
        case .renamedProperty(let name, let old, let entity): "'\(entity).\(name)' is '\(old)' in the file"
        case .changedIdentity(let entity, let old, let new):
            "'\(entity)' is identified by \(old) in the file and by \(new) in the class"
        case .changedAttribute(let name, let entity, let old, let new):
            "'\(entity).\(name)' is \(old) in the file and \(new) in the class"
        case .changedRelationship(let new, let entity, let old, _):
            "'\(entity).\(new.name)' is \(old.kind) in the file and \(new.kind) in the class"
        case .conflictingNames(let conflict, let entity): "\(entity.map { "in '\($0)', " } ?? "")\(conflict)"
        case .changedOptionality, .addedIndex, .removedIndex, .changedDeclaration: action
        }
    }

    /// A description of what a migration does.
    var action: String {
        switch self {
        case .addedEntity(let entity): "add the entity '\(entity)'"
        case .removedEntity(let entity, _): "remove the entity '\(entity)' with its objects"
        case .renamedEntity(let entity, let old): "rename the entity '\(old)' to '\(entity)'"
        case .addedAttribute(let attribute, let entity):
            "add '\(entity).\(attribute.name)' (\(attribute.type)"
                + "\(attribute.storedDefault.map { $0.isNull ? "" : ", \($0)" } ?? ""))"
        case .addedRelationship(let added, let entity): "add '\(entity).\(added.name)' (\(added.kind))"
        case .removedProperty(let name, let entity, let inverse):
            inverse.map { inverse in
                "remove '\(entity).\(name)', whose links '\(inverse.entity).\(inverse.relationship)' keeps"
                    + (inverse.wasOrdered ? " without their order" : "")
            } ?? "remove '\(entity).\(name)' with its values"
        case .renamedProperty(let name, let old, let entity): "rename '\(entity).\(old)' to '\(name)'"
        case .changedIdentity(let entity, let old, let new):
            "identify '\(entity)' by \(new.isEmpty ? "nothing" : new.joined(separator: ", ")) instead of "
                + (old.isEmpty ? "nothing" : old.joined(separator: ", "))
        case .changedAttribute(let name, let entity, let old, let new):
            "convert '\(entity).\(name)' from \(old) to \(new)"
        case .changedRelationship(let new, let entity, let old, _):
            "change '\(entity).\(new.name)' from \(old.kind) to \(new.kind)"
        case .changedOptionality(let attribute, let entity):
            attribute.isOptional
                ? "allow NULL in '\(entity).\(attribute.name)'"
                : "require values of '\(entity).\(attribute.name)'"
                    + (attribute.replacesNull ? ", and replace NULL with \(attribute.storedDefault ?? .null)" : "")
        case .addedIndex(let index, let entity): "add \(index.kind) over \(index.list) of '\(entity)'"
        case .removedIndex(let index, let entity): "remove \(index.kind) over \(index.list) of '\(entity)'"
        case .changedDeclaration(let text, let name, let entity): "change \(text) of '\(entity).\(name)'"
        case .conflictingNames: difference
        }
    }
}

extension AttributeDescription {
    /// Whether NULL is replaced with the default when the attribute becomes required.
    ///
    /// NULL in unique attributes means that there is no value.
    var replacesNull: Bool { !isOptional && !isUnique && storedDefault.map { !$0.isNull } ?? false }
}

extension ObjectIndex {
    fileprivate var kind: String { isUnique ? "a unique index" : "an index" }
    fileprivate var list: String { attributes.map { "'\($0)'" }.joined(separator: ", ") }
}

extension RelationshipDescription {
    /// A description of the storage.
    var kind: String {
        "a relationship to \(isToMany ? "many" : "one") \(destination)\(isOrdered ? ", ordered" : "")"
            + (inverse.map { " with the inverse \($0)" } ?? "")
    }
}
