/// The handling of attributes that both this context and another one changed.
public enum MergePolicy: Sendable, Hashable {
    /// The save throws a `StoreError` of kind `conflict`, which contains the three values of each attribute.
    case throwConflict
    /// The value in the store is kept.
    case storeWins
    /// The value of the object is saved.
    case objectWins
}

/// An attribute that both this context and another one changed, with its three values.
public struct AttributeConflict: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The object.
    public let object: ObjectID
    /// The attribute, or the to-one relationship, whose values are row numbers.
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
