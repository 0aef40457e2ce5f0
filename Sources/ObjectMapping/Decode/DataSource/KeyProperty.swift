/// A property that identifies models, or with which others refer to them.
struct KeyProperty<Model>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    let value: KeyType
    let key: @Sendable (Model) -> ObjectKey?
    /// How values of the property are read without a model.
    let storage: Storage

    struct Storage: Sendable {
        let size: Int
        let alignment: Int
        let keys: @Sendable (Memory) -> [ObjectKey]
        let destroy: @Sendable (Memory) -> Void

        init<Value>(_: Value.Type, _ keys: @escaping @Sendable (Memory) -> [ObjectKey]) {
            (size, alignment) = (max(1, MemoryLayout<Value>.size), MemoryLayout<Value>.alignment)
            self.keys = keys
            destroy = { $0.deinitialize(as: Value.self) }
        }
    }

    init<Value: Hashable & SendableMetatype>(_ property: any KeyPath<Model, Value> & Sendable) {
        let value = KeyType(Value.self)
        keyPath = property
        self.value = value
        key = { withMemory(of: $0[keyPath: property], value.key) }
        storage = Storage(Value.self) { value.key($0).map { [$0] } ?? [] }
    }

    /// Creates a property with any number of keys, which are read differently.
    init<Keys: ConnectionKeys>(list property: any KeyPath<Model, Keys> & Sendable)
    where Keys.Key: SendableMetatype {
        let value = KeyType(Keys.Key.self)
        keyPath = property
        self.value = value
        key = { _ in nil }
        storage = Storage(Keys.self) {
            $0[as: Keys.self].connectionKeys?.compactMap { withMemory(of: $0, value.key) } ?? []
        }
    }

    /// The name for messages, such as `User.id`.
    var name: String { Property.name(of: keyPath) }
}

extension Array {
    /// Returns the key made from the values of several properties, in order; `nil` if one of them is `nil`.
    func key<Model>(of model: Model) -> ObjectKey? where Element == KeyProperty<Model> {
        // Without a list of parts, because most keys are a single property.
        if count == 1 { return self[0].key(model) }
        var parts: [ObjectKey] = []
        for property in self {
            guard let part = property.key(model) else { return nil }
            parts.append(part)
        }
        return ObjectKey(parts: parts)
    }
}

/// The objects of one type that are identified by the same properties.
package final class ObjectKind: Hashable, Sendable {
    /// The type of the mapping's models.
    package let type: Any.Type
    /// The properties, in the order of the parts of a key.
    package let properties: [any AnyKeyPath & Sendable]
    /// Whether the properties are not the identity of the mapping, but others with unique values.
    package let isMatching: Bool
    private let isInstance: @Sendable (Any.Type) -> Bool
    private let rules: MappingRules?
    private let readKey: @Sendable (AnyObject) -> ObjectKey?

    init<Model>(
        _ type: Model.Type, by properties: [KeyProperty<Model>], _ rules: MappingRules? = nil, isMatching: Bool = false
    ) {
        self.type = type
        self.properties = properties.map(\.keyPath)
        self.rules = rules
        self.isMatching = isMatching
        isInstance = { $0 is Model.Type }
        readKey = { ($0 as? Model).flatMap(properties.key) }
    }

    /// Returns the key of a model; `nil` if a property is `nil`.
    func key(of model: AnyObject) -> ObjectKey? { readKey(model) }

    /// The properties that the rules of the mapping set; `nil` if they are not known.
    package var assignedProperties: [AnyKeyPath]? {
        guard let rules = rules?.rules, !rules.isEmpty else { return nil }
        return rules.compactMap { $0.property?.keyPath() }
    }

    /// The names of the properties, such as `Seat.row, Seat.number`.
    package var propertyNames: String { properties.map { Property.name(of: $0) }.joined(separator: ", ") }

    /// Whether models of a type are objects of this kind: the type itself and its subclasses.
    package func accepts(_ type: Any.Type) -> Bool { self.type == type || isInstance(type) }

    /// Whether an object can have the same key in both kinds: a type and its subclass, identified by the same number of
    /// properties.
    func isLike(_ other: ObjectKind) -> Bool {
        self == other
            || isMatching == other.isMatching && type != other.type && properties.count == other.properties.count
    }

    package static func == (a: ObjectKind, b: ObjectKind) -> Bool {
        a === b
            || a.type == b.type && a.properties.elementsEqual(b.properties) { $0 as AnyKeyPath == $1 as AnyKeyPath }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(properties.count)
    }
}
