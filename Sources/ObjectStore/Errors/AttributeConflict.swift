/// An attribute that both this context and another one changed, with its three values.
public struct AttributeConflict: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The object.
    public let object: ObjectID
    /// The attribute, or the relationship: the values of a to-one relationship are row numbers, those of an ordered list
    /// JSON arrays of them.
    public let property: String
    /// The value when the object was fetched; `nil` if unknown.
    public let base: StoredValue?
    /// The value in the context.
    public let mine: StoredValue
    /// The value in the store.
    public let theirs: StoredValue

    /// The property and the object, without the values.
    public var description: String { "\(object.entity).\(property) of \(object) was changed by others" }

    /// The property and the object, without the values.
    public var customMirror: Mirror { Mirror(self, children: ["object": object, "property": property]) }
}
