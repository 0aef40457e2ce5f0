/// Which models are told apart, and by what: those of one type by the same properties.
struct IdentityKind: Hashable, Sendable {
    let type: ObjectIdentifier
    let properties: [any AnyKeyPath & Sendable]
    /// Whether models of a type may stand for those of this one: the type itself and its subclasses.
    let accepts: @Sendable (Any.Type) -> Bool

    init<Model>(_ type: Model.Type, by properties: [KeyProperty<Model>]) {
        self.type = ObjectIdentifier(type)
        self.properties = properties.map(\.keyPath)
        accepts = { $0 is Model.Type }
    }

    static func == (a: IdentityKind, b: IdentityKind) -> Bool {
        a.type == b.type && a.properties.elementsEqual(b.properties) { $0 as AnyKeyPath == $1 as AnyKeyPath }
    }

    /// Whether one object may be known by the same key as one of both kinds: a type and its subclass, by as many properties.
    func isLike(_ other: IdentityKind) -> Bool {
        self == other || type != other.type && properties.count == other.properties.count
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(properties.count)
    }
}
