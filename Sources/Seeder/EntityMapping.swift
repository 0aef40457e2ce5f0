public import ObjectMapping

/// Maps objects of a dump to rows of an entity.
///
/// ```swift
/// EntityMapping("Task", ["taskID": "id", "assignedUserID": "assigned_user_id"])
/// ```
///
/// An attribute without a key path is read from the key with its name. A relationship with a key path is nested: its
/// objects are read from the key path, by the mapping of their entity. Other relationships are connected by key or by
/// their inverse, as declared in the model.
public struct EntityMapping: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The entity's name.
    public let entity: String
    /// The key path of each attribute and nested relationship, by the name of the attribute or relationship.
    ///
    /// A key path of an attribute may contain operators, as in `"reviews.@avg.stars"`. `"@key"` is the name of the
    /// member that contains the object (``ObjectSeeder/Each/member``).
    public let keyPaths: [String: JSONKeyPath]

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model.
    ///   - keyPaths: Key paths by the names of attributes and of relationships whose objects are nested.
    public init(_ entity: String, _ keyPaths: [String: JSONKeyPath] = [:]) {
        self.entity = entity
        self.keyPaths = keyPaths
    }

    /// Creates a mapping of objects whose keys are the names of the entity's attributes.
    public init(stringLiteral entity: String) { self.init(entity) }
}
