public import ObjectMapping

/// A relationship of an entity to objects of another or the same entity.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name of the relationship, and of its column if it is to-one.
    public var name: String
    /// The name of the destination entity.
    public var destination: String
    /// Whether it is a to-many relationship.
    public var isToMany: Bool
    /// Whether the order of the objects in a to-many relationship is stored.
    public var isOrdered: Bool
    /// The inverse relationship; it can be named on one side only.
    public var inverse: String?
    /// The attributes with the destination's identity; empty if it is not connected by key.
    ///
    /// One attribute for each attribute of the identity, in the same order; a list attribute for a to-many
    /// relationship.
    public var by: [String]
    /// The unique attributes of the destination that `by` contains instead of its identity; empty for the identity.
    public var matching: [String]
    /// Whether the attributes in `by` are alternatives, of which the first with a target is used, instead of the parts
    /// of one key.
    public var any: Bool
    /// The required values of attributes for the connection, by name; empty for an unconditional one.
    public var when: [String: JSON]
    /// The effect on the targets when the object is deleted.
    public var deleteRule: DeleteRule
    /// Whether an object without a target cannot be saved; for to-one relationships only.
    public var isRequired: Bool
    /// The attribute of the targets by which a to-many relationship is sorted when it is read; `nil` for the order of
    /// the rows, or the stored one.
    public var sortedBy: String?
    /// The names in earlier versions of the model, the latest one first; empty if it was not renamed.
    public var formerNames: [String]

    /// Creates a relationship.
    ///
    /// ```swift
    /// RelationshipDescription("assignedUser", to: "User", inverse: "tasks", by: ["userID"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the relationship, and of its column if it is to-one.
    ///   - destination: The name of the destination entity.
    ///   - isToMany: Whether it is a to-many relationship. Defaults to `false`.
    ///   - isOrdered: Whether the order of the objects is stored. Defaults to `false`.
    ///   - inverse: The name of the inverse relationship. Defaults to `nil`.
    ///   - by: The attributes with the destination's identity. Defaults to none.
    ///   - matching: The unique attributes of the destination that these contain. Defaults to its identity.
    ///   - any: Whether the keys are alternatives. Defaults to `false`.
    ///   - when: The required values of attributes for the connection. Defaults to none.
    ///   - deleteRule: The effect on the targets when the object is deleted. Defaults to `.nullify`.
    ///   - isRequired: Whether an object without a target cannot be saved. Defaults to `false`.
    ///   - sortedBy: The attribute of the targets by which they are sorted when they are read. Defaults to `nil`.
    ///   - formerNames: The names in earlier versions of the model. Defaults to none.
    public init(
        _ name: String, to destination: String, isToMany: Bool = false, isOrdered: Bool = false,
        inverse: String? = nil, by: [String] = [], matching: [String] = [], any: Bool = false,
        when: [String: JSON] = [:], deleteRule: DeleteRule = .nullify, isRequired: Bool = false,
        sortedBy: String? = nil, formerNames: [String] = []
    ) {
        self.name = name
        self.destination = destination
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.inverse = inverse
        self.by = by
        self.matching = matching
        self.any = any
        self.when = when
        self.deleteRule = deleteRule
        self.isRequired = isRequired
        self.sortedBy = sortedBy
        self.formerNames = formerNames
    }
}

extension RelationshipDescription {
    /// Returns the attributes of the destination that keys are compared with.
    func targets(in destination: EntityDescription) -> [String] {
        matching.isEmpty ? destination.identity : matching
    }
}

extension AttributeType {
    /// Whether its values can identify objects.
    var canBeKey: Bool { !isList && ![.double, .json, .data].contains(scalar) }
}
