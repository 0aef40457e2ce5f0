/// Values that two objects cannot both have.
public struct UniqueViolation: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The entity of the objects.
    public let entity: String
    /// The unique attribute, or all attributes of the identity or of a unique index.
    public let attributes: [String]
    /// The values, in the order of the attributes.
    public let values: [StoredValue]

    /// The entity and the attributes, without the values.
    public var description: String { attributes.map { "\(entity).\($0)" }.joined(separator: ", ") }

    /// The entity and the attributes, without the values.
    public var customMirror: Mirror { Mirror(self, children: ["entity": entity, "attributes": attributes]) }
}
