/// What a save does with an attribute that both the context and others changed.
public enum MergePolicy: Sendable, Hashable {
    /// The save throws a `StoreError` of kind `conflict`, which has the three values of each attribute.
    case throwConflict
    /// The value in the store stays.
    case storeWins
    /// The value of the object is saved.
    case objectWins
}

/// An attribute that both a context and others changed.
public struct AttributeConflict: Sendable, Hashable, CustomStringConvertible {
    /// The object.
    public let object: ObjectID
    /// The attribute, or the relationship to one; its values are row numbers.
    public let property: String
    /// The value that the object had when it was read; nil where it is not known.
    public let base: StoredValue?
    /// The value in the context.
    public let mine: StoredValue
    /// The value in the store.
    public let theirs: StoredValue

    /// The property and the object, without the values.
    public var description: String { "\(object.entity).\(property) of \(object) was changed by others" }
}
