public import ObjectMapping

/// How objects of a dump become rows of an entity, by names.
///
/// ```swift
/// EntityMapping("Task", ["taskID": "id", "assignedUserID": "assigned_user_id"])
/// ```
///
/// An attribute that is not named is read from the key of its own name. A relationship that is named is nested: its
/// objects are found at the key path and mapped by the mapping of their own entity. Every other relationship is wired
/// by key or by its inverse, as the model says.
public struct EntityMapping: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The entity's name.
    public let entity: String
    /// Where the values of attributes and the objects of relationships are, by the names of these.
    ///
    /// A key path of an attribute may hold operators, as in `"reviews.@avg.stars"`; `"@key"` stands for the name of the
    /// member that holds the object (``ObjectSeeder/Each/member``).
    public let keyPaths: [String: JSONKeyPath]

    /// A mapping with key paths for what is not found under its own name.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model.
    ///   - keyPaths: Key paths by the names of attributes and of relationships whose objects are nested.
    public init(_ entity: String, _ keyPaths: [String: JSONKeyPath] = [:]) {
        self.entity = entity
        self.keyPaths = keyPaths
    }

    /// A mapping of objects whose keys are the names of the entity's attributes.
    public init(stringLiteral entity: String) { self.init(entity) }
}
