import Digests
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

    /// The SHA-256 of the model's JSON form in hexadecimal: equal for two models with the same data, independent of the
    /// order of entities, attributes and relationships.
    public var hash: String {
        SHA256.hex(of: json(sorted: true).text.utf8)
    }

    package func index(of entity: String) -> Int? {
        entities.firstIndex { $0.name == entity }
    }
}
