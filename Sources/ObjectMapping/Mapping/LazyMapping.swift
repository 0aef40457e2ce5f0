/// The mapping by which the objects of a relationship are read and written, resolved when a plan is made.
@usableFromInline struct LazyMapping<Value>: Sendable {
    private let mapping: @Sendable () -> Mapping<Value>
    /// Identifies the mapping within a plan; nil for the identity of its storage.
    private let identifier: ObjectIdentifier?

    /// By the mapping of the type.
    @usableFromInline init(_: Value.Type) where Value: Mappable {
        mapping = { Value.mapping }
        // A mapping that is computed at each use is the same all the same.
        identifier = ObjectIdentifier(Value.self)
    }

    /// By a custom mapping.
    @usableFromInline init(_ mapping: @escaping @Sendable () -> Mapping<Value>) {
        self.mapping = mapping
        identifier = nil
    }

    /// How an object becomes a value.
    func objects(_ builder: PlanBuilder) -> ObjectBox {
        let storage = mapping().storage
        builder.hold(storage)
        return storage.objects(identifier ?? ObjectIdentifier(storage), builder)
    }

    /// How a value becomes an object.
    @Sendable func output(_ builder: OutputBuilder) -> OutputBox {
        let mapping = mapping()
        return builder.objects(mapping, identity: identifier ?? ObjectIdentifier(mapping.storage))
    }

    /// What identifies a model: the properties that the mapping names, or the object itself.
    func identity() -> (Any) -> AnyHashable? {
        let properties = mapping().storage.traits.identity
        if properties.isEmpty {
            let isObject = Value.self is AnyClass
            return { isObject ? ObjectIdentifier($0 as AnyObject) : nil }
        }
        return { model in (model as? Value).flatMap(properties.key) }
    }
}
