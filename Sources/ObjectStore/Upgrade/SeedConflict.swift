/// A difference between the changes of the user and those of a new seed.
public struct SeedConflict: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The kind of a conflict.
    public enum Kind: String, Sendable {
        /// Both have changed an attribute or a to-one relationship to different values.
        case changedValue
        /// The new seed no longer has an object that the user has changed or that objects of the user refer to; it is
        /// kept, as an object of the user.
        case removedFromSeed
        /// The user has deleted an object that the new seed has changed; it stays deleted.
        case deletedByUser
        /// The user has given the identity of a new object of the seed to another seeded object; the new one is not
        /// added.
        case identityTaken
        /// The user has given a unique value of the seed to another object; it is null in the object of the seed.
        case uniqueValueTaken
    }

    /// The kind.
    public let kind: Kind
    /// The object; of a deleted one, the ID that it had.
    public let object: ObjectID
    /// The attribute or relationship; `nil` for a conflict about the object.
    ///
    /// The values of a relationship are row numbers.
    public let property: String?
    /// The value in the seed from which the file was made; `nil` if it had no such object.
    public let base: StoredValue?
    /// The value of the user.
    public let user: StoredValue
    /// The value in the new seed.
    public let seed: StoredValue

    init(
        _ kind: Kind, _ object: ObjectID, _ property: String? = nil, base: StoredValue? = nil,
        user: StoredValue = .null,
        seed: StoredValue = .null
    ) {
        self.kind = kind
        self.object = object
        self.property = property
        self.base = base
        self.user = user
        self.seed = seed
    }

    /// The object, the property and the kind, without the values.
    public var description: String {
        let name = property.map { "\(object.entity).\($0) of \(object)" } ?? "\(object)"
        return switch kind {
        case .changedValue: "\(name) was changed by the user and by the seed"
        case .removedFromSeed: "\(name) was removed from the seed, and is in use"
        case .deletedByUser: "\(name) was deleted by the user and changed by the seed"
        case .identityTaken: "\(name) has the identity of a new object of the seed"
        case .uniqueValueTaken: "\(name) has a unique value that another object has"
        }
    }

    /// The object, the property and the kind, without the values.
    public var customMirror: Mirror {
        Mirror(self, children: ["kind": kind, "object": object, "property": property as Any])
    }
}
