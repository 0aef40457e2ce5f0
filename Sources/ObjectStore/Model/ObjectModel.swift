import MappingDigests
import ObjectMapping

/// The entities of a store, validated and with both sides of every inverse.
public struct ObjectModel: Sendable, Hashable {
    /// The entities, in the order given.
    public let entities: [EntityDescription]
    /// The managed classes of the entities, in the same order; empty for a model without classes.
    let classes: [ManagedClass]

    /// Creates a model, and validates its entities.
    ///
    /// An inverse that is named on one side only is added on the other side.
    ///
    /// - Parameter entities: The entities, in the order of their tables.
    /// - Throws: `ModelError` with all problems.
    public init(entities: [EntityDescription]) throws(ModelError) {
        try self.init(entities: entities, classes: [])
    }

    init(entities: [EntityDescription], classes: [ManagedClass]) throws(ModelError) {
        var validator = ModelValidator(entities, classes)
        self.entities = try validator.validated()
        self.classes = classes
    }

    /// Creates a model of entities that are known to be valid.
    ///
    /// - Parameter classes: The classes of all entities. Defaults to none.
    init(validated entities: [EntityDescription], classes: [ManagedClass] = []) {
        self.entities = entities
        self.classes = entities.compactMap { entity in classes.first { $0.name == entity.name } }
    }

    /// Whether two models have the same entities, in the same order.
    public static func == (a: ObjectModel, b: ObjectModel) -> Bool { a.entities == b.entities }

    /// Hashes the entities.
    public func hash(into hasher: inout Hasher) { hasher.combine(entities) }

    /// Returns the entity with a name; `nil` if no entity has this name.
    public func entity(named name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }

    /// Returns the class of an entity; `nil` if it has none.
    package func type(of entity: String) -> ManagedObject.Type? { classes.first { $0.name == entity }?.type }

    /// The SHA-256 of the stored data's description in hexadecimal: equal for two models with the same tables and
    /// columns, independent of the order of entities, attributes and relationships.
    ///
    /// Keys of relationships, delete rules, indexes and former names can differ.
    public var hash: String {
        SHA256.hex(of: storedData.json(sorted: true).text.utf8)
    }

    /// The model without what does not change the stored data.
    package var storedData: ObjectModel {
        ObjectModel(
            validated: entities.map { entity in
                EntityDescription(
                    entity.name, identifiedBy: entity.identity,
                    attributes: entity.attributes.map {
                        AttributeDescription(
                            $0.name, $0.type, isOptional: $0.isOptional, defaultValue: $0.defaultValue)
                    },
                    relationships: entity.relationships.map {
                        RelationshipDescription(
                            $0.name, to: $0.destination, isToMany: $0.isToMany, isOrdered: $0.isOrdered,
                            inverse: $0.inverse)
                    })
            })
    }

    /// Returns this model of a file with what another model of the same data declares: indexes, former names, delete
    /// rules, and keys if it has any.
    func declaring(_ other: ObjectModel) -> ObjectModel {
        ObjectModel(
            validated: entities.map { entity in
                guard let declared = other.entity(named: entity.name) else { return entity }
                var entity = entity
                entity.indexes = declared.indexes
                entity.formerNames = declared.formerNames
                for index in entity.attributes.indices {
                    guard let attribute = declared.attribute(named: entity.attributes[index].name) else { continue }
                    entity.attributes[index].formerNames = attribute.formerNames
                    entity.attributes[index].isIndexed = attribute.isIndexed
                    entity.attributes[index].isUnique = attribute.isUnique
                    entity.attributes[index].isSearchable = attribute.isSearchable
                }
                for index in entity.relationships.indices {
                    let name = entity.relationships[index].name
                    guard var relationship = declared.relationship(named: name) else { continue }
                    let stored = entity.relationships[index]
                    if relationship.by.isEmpty {
                        (relationship.by, relationship.matching) = (stored.by, stored.matching)
                        (relationship.any, relationship.when) = (stored.any, stored.when)
                    }
                    relationship.inverse = stored.inverse
                    entity.relationships[index] = relationship
                }
                return entity
            }, classes: other.classes)
    }

    /// Returns this model of a file in the order of another model of the same data.
    func ordered(like other: ObjectModel) -> ObjectModel {
        ObjectModel(
            validated: other.entities.compactMap { order in
                self.entity(named: order.name).map { stored in
                    EntityDescription(
                        stored.name, identifiedBy: stored.identity,
                        attributes: order.attributes.compactMap { stored.attribute(named: $0.name) },
                        relationships: order.relationships.compactMap { stored.relationship(named: $0.name) },
                        indexes: stored.indexes, formerNames: stored.formerNames)
                }
            }, classes: other.classes)
    }

    package func index(of entity: String) -> Int? {
        entities.firstIndex { $0.name == entity }
    }
}
