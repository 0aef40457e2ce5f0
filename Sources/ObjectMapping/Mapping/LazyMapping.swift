/// By which mapping the objects of a relationship are read; asked for when the plan is made.
@usableFromInline struct LazyMapping<Value>: Sendable {
    /// How an object becomes a value.
    let objects: @Sendable (PlanBuilder) -> ObjectBox
    /// How a value becomes an object.
    let output: @Sendable (OutputBuilder) -> OutputBox
    private let mapping: @Sendable () -> Mapping<Value>

    /// By the mapping of the type.
    @usableFromInline init(_: Value.Type) where Value: Mappable {
        mapping = { Value.mapping }
        // A mapping that is computed at each use is the same all the same.
        objects = { builder in builder.objects(Value.mapping, identity: ObjectIdentifier(Value.self)) }
        output = { builder in builder.objects(Value.mapping, identity: ObjectIdentifier(Value.self)) }
    }

    /// By a mapping of one's choice.
    @usableFromInline init(_ mapping: @escaping @Sendable () -> Mapping<Value>) {
        self.mapping = mapping
        objects = { builder in
            let mapping = mapping()
            return builder.objects(mapping, identity: ObjectIdentifier(mapping.storage))
        }
        output = { builder in
            let mapping = mapping()
            return builder.objects(mapping, identity: ObjectIdentifier(mapping.storage))
        }
    }

    /// What tells a model from others: the identity that the mapping names, of objects without one the object itself.
    func identity() -> (Any) -> AnyHashable? {
        let properties = mapping().storage.traits.identity
        if properties.isEmpty {
            let isObject = Value.self is AnyClass
            return { isObject ? ObjectIdentifier($0 as AnyObject) : nil }
        }
        return { model in (model as? Value).flatMap(properties.key) }
    }
}

extension PlanBuilder {
    fileprivate func objects<Value>(_ mapping: Mapping<Value>, identity: ObjectIdentifier) -> ObjectBox {
        hold(mapping.storage)
        return mapping.storage.objects(identity, self)
    }
}
