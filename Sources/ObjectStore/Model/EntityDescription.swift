/// A property of an entity, by its index among the attributes or relationships.
package enum PropertyIndex: Sendable, Hashable {
    case attribute(Int)
    case relationship(Int)
}

/// An entity: objects of one kind, and their table.
public struct EntityDescription: Sendable, Hashable {
    /// The name of the entity and of its table.
    public var name: String
    /// The attributes that identify objects; empty if every occurrence is a separate object.
    public var identity: [String]
    /// The attributes, in the order of the columns.
    public var attributes: [AttributeDescription]
    /// The relationships, in the order of their columns.
    public var relationships: [RelationshipDescription]
    /// The indexes over several attributes or to-one relationships, in files of an app.
    public var indexes: [ObjectIndex]
    /// The names in earlier versions of the model, the latest one first; empty if it was not renamed.
    public var formerNames: [String]

    /// Creates an entity.
    ///
    /// - Parameters:
    ///   - name: The name of the entity and of its table.
    ///   - identity: The names of the attributes that identify objects. Defaults to none.
    ///   - attributes: The attributes, in the order of the columns.
    ///   - relationships: The relationships, in the order of their columns.
    ///   - indexes: The indexes over several attributes. Defaults to none.
    ///   - formerNames: The names in earlier versions of the model. Defaults to none.
    public init(
        _ name: String, identifiedBy identity: [String] = [], attributes: [AttributeDescription],
        relationships: [RelationshipDescription] = [], indexes: [ObjectIndex] = [],
        formerNames: [String] = []
    ) {
        self.name = name
        self.identity = identity
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.formerNames = formerNames
    }

    /// The attributes and to-one relationships whose values are unique, other than the identity: each unique attribute, and
    /// those of each unique index.
    var uniqueSets: [[String]] {
        attributes.filter(\.isUnique).map { [$0.name] } + indexes.filter(\.isUnique).map(\.attributes)
    }

    /// Returns the attribute with a name; `nil` if the entity has no such attribute.
    public func attribute(named name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }

    /// Returns the relationship with a name; `nil` if the entity has no such relationship.
    public func relationship(named name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}
