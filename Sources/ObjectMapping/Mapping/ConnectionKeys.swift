/// The keys of a relationship to many: an array or a set of them, or an optional one.
public protocol ConnectionKeys: SendableMetatype {
    /// What identifies one target.
    associatedtype Key: Hashable

    /// The keys, in the order in which the targets shall stand; nil for none at all.
    var connectionKeys: [Key]? { get }
}

extension Array: ConnectionKeys where Element: Hashable {
    /// The elements.
    public var connectionKeys: [Element]? { self }
}

extension Set: ConnectionKeys {
    /// The elements, in any order.
    public var connectionKeys: [Element]? { Array(self) }
}

extension Optional: ConnectionKeys where Wrapped: ConnectionKeys {
    /// Those of the value; nil for nil.
    public var connectionKeys: [Wrapped.Key]? { flatMap(\.connectionKeys) }
}
