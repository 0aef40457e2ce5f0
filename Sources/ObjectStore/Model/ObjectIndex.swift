/// An index over several attributes or to-one relationships of an entity.
public struct ObjectIndex: Sendable, Hashable {
    /// The names of the attributes and relationships, in the order of the index.
    public internal(set) var attributes: [String]
    /// Whether two objects cannot have the same values.
    public internal(set) var isUnique: Bool

    /// An index for queries that search or sort by these attributes.
    public static func index(_ attributes: String...) -> ObjectIndex {
        ObjectIndex(attributes: attributes, isUnique: false)
    }

    /// A unique index: two objects cannot have the same values.
    public static func unique(_ attributes: String...) -> ObjectIndex {
        ObjectIndex(attributes: attributes, isUnique: true)
    }
}
