public import ObjectMapping

/// A relationship of an entity to objects of another one, or of the same.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name of the relationship, and of its column if it is to-one.
    public var name: String
    /// The name of the entity it leads to.
    public var destination: String
    /// Whether it leads to any number of objects instead of at most one.
    public var isToMany: Bool
    /// Whether the order of the objects of a to-many is stored.
    public var isOrdered: Bool
    /// The relationship that leads back; naming it on one side is enough.
    public var inverse: String?
    /// The attributes whose values are the destination's identity; empty if it is not wired by key.
    ///
    /// One attribute for each attribute of the identity, in the same order; a list attribute for a to-many.
    public var by: [String]
    /// Whether `by` names alternatives, of which the first that leads to an object is taken; false: the parts of one key.
    public var any: Bool
    /// What attributes of this entity must hold for the relationship to be wired, by their names; empty for always.
    public var when: [String: JSON]

    /// A relationship, to-one and not wired by key unless said otherwise.
    ///
    /// ```swift
    /// RelationshipDescription("assignedUser", to: "User", inverse: "tasks", by: ["userID"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the relationship, and of its column if it is to-one.
    ///   - destination: The name of the entity it leads to.
    ///   - isToMany: Whether it leads to any number of objects.
    ///   - isOrdered: Whether the order of these objects is stored. Defaults to `false`.
    ///   - inverse: The name of the relationship that leads back.
    ///   - by: The attributes that hold the destination's identity.
    ///   - any: Whether these are alternatives.
    ///   - when: What attributes must hold for it to be wired.
    public init(
        _ name: String, to destination: String, isToMany: Bool = false, isOrdered: Bool = false,
        inverse: String? = nil, by: [String] = [], any: Bool = false,
        when: [String: JSON] = [:]
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.inverse = inverse
        self.by = by
        self.any = any
        self.when = when
    }
}
