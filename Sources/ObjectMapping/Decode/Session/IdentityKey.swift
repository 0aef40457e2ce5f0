/// An optional that may be a key; nil is no key.
private protocol OptionalKey: Hashable {
    static var wrappedType: Any.Type { get }
    var wrappedKey: AnyHashable? { get }
}

extension Optional: OptionalKey where Wrapped: Hashable {
    fileprivate static var wrappedType: Any.Type { IdentityKey<Wrapped>.type }
    fileprivate var wrappedKey: AnyHashable? { flatMap { IdentityKey.key($0) } }
}

/// How values of a type are compared as keys: those of `Int?` like those of `Int`, nil not at all.
enum IdentityKey<Value: Hashable> {
    /// The type without its optionals.
    static var type: Any.Type { (Value.self as? any OptionalKey.Type)?.wrappedType ?? Value.self }

    static func key(_ value: Value) -> AnyHashable? {
        guard let optional = Value.self as? any OptionalKey.Type else { return AnyHashable(value) }
        return unwrapped(value, optional)
    }

    private static func unwrapped<Key: OptionalKey>(_ value: Value, _: Key.Type) -> AnyHashable? {
        (value as? Key)?.wrappedKey
    }
}

/// One property by which models are told apart, or by which others refer to them.
struct KeyProperty<Model>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// Without optionals; asked for when a plan is made.
    let type: @Sendable () -> Any.Type
    let key: @Sendable (Model) -> AnyHashable?

    /// One of a type that is no optional.
    init<Value: Hashable & SendableMetatype>(_ property: any KeyPath<Model, Value> & Sendable) {
        keyPath = property
        type = { Value.self }
        key = { AnyHashable($0[keyPath: property]) }
    }

    init<Value: Hashable & SendableMetatype>(optional property: any KeyPath<Model, Value?> & Sendable) {
        keyPath = property
        type = { Value.self }
        key = { $0[keyPath: property].map { AnyHashable($0) } }
    }

    /// One of which only the program knows whether its type is an optional.
    init<Value: Hashable & SendableMetatype>(any property: any KeyPath<Model, Value> & Sendable) {
        keyPath = property
        type = { IdentityKey<Value>.type }
        key = { IdentityKey.key($0[keyPath: property]) }
    }

    /// One that holds any number of keys, which are read in another way.
    init<Keys: ConnectionKeys>(list property: any KeyPath<Model, Keys> & Sendable)
    where Keys.Key: SendableMetatype {
        keyPath = property
        type = { IdentityKey<Keys.Key>.type }
        key = { _ in nil }
    }

    /// The name for messages, as `User.id`.
    var name: String { Property.name(of: keyPath) }
}

extension Sequence {
    /// The key made of the values of several properties, in their order; nil if one of them is nil.
    func key<Model>(of model: Model) -> AnyHashable? where Element == KeyProperty<Model> {
        var parts: [AnyHashable] = []
        for property in self {
            guard let part = property.key(model) else { return nil }
            parts.append(part)
        }
        return AnyHashable(parts: parts)
    }
}

extension AnyHashable {
    /// The key made of several values, or of one; nil of none.
    init?(parts: [AnyHashable]) {
        guard let first = parts.first else { return nil }
        self = parts.count == 1 ? first : AnyHashable(parts)
    }

    /// The values of which it was made.
    var parts: [AnyHashable] { base as? [AnyHashable] ?? [self] }
}

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
