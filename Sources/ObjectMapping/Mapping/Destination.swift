/// By which mapping the objects of a relationship are read; asked for when the plan is made.
@usableFromInline struct Destination<Value>: Sendable {
    /// How an object becomes a value.
    let objects: @Sendable (PlanBuilder) -> ObjectBox

    /// By the mapping of the type.
    @usableFromInline init(_: Value.Type) where Value: Mappable {
        // A mapping that is computed at each use is the same all the same.
        objects = { builder in builder.objects(Value.mapping, identity: ObjectIdentifier(Value.self)) }
    }

    /// By a mapping of one's choice.
    @usableFromInline init(_ mapping: @escaping @Sendable () -> Mapping<Value>) {
        objects = { builder in
            let mapping = mapping()
            return builder.objects(mapping, identity: ObjectIdentifier(mapping.storage))
        }
    }
}

extension PlanBuilder {
    fileprivate func objects<Value>(_ mapping: Mapping<Value>, identity: ObjectIdentifier) -> ObjectBox {
        hold(mapping.storage)
        return mapping.storage.objects(identity, self)
    }
}
