/// An attribute that both this context and another one changed, with its three values.
public struct AttributeConflict: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The object.
    public let object: ObjectID
    /// The attribute or the relationship; empty for a conflict of a seed upgrade about the object.
    ///
    /// The values of a to-one relationship are row numbers, those of an ordered list JSON arrays of them.
    public let property: String
    /// The value when the object was fetched; `nil` if unknown.
    public let base: StoredValue?
    /// The value in the context.
    public let mine: StoredValue
    /// The value in the store.
    public let theirs: StoredValue
    /// The description of a conflict of another kind, such as a deletion; `nil` for two changes of the value.
    var reason: String?

    /// The property and the object, without the values.
    public var description: String {
        reason
            ?? (property.isEmpty ? "\(object)" : "\(object.entity).\(property) of \(object)") + " was changed by others"
    }

    /// The property and the object, without the values.
    public var customMirror: Mirror { Mirror(self, children: ["object": object, "property": property]) }
}

extension StoreError {
    /// The error of a save whose changes others have made as well.
    static func conflict(_ conflicts: [AttributeConflict]) -> StoreError {
        StoreError(
            .conflict, "save conflict: the same attributes were changed in the store after the objects were read",
            advice: "discard the changes of these objects with refresh(object) of the context and repeat them, "
                + "or set mergePolicy",
            conflicts: conflicts)
    }
}
