extension Mapping {
    /// A mapping for a type that is made at once by an initialiser, one `Parameter` for each of its arguments.
    ///
    /// ```swift
    /// Mapping(Person.init(id:name:), Parameter("id"), Parameter("name"))
    /// ```
    ///
    /// `update` has nothing to set then, and throws.
    ///
    /// - Parameters:
    ///   - make: Makes the model; called once for each object of a payload, but not for one with issues. What it throws is
    ///     an issue of kind `invalidValue`.
    ///   - first: Where the first argument comes from.
    ///   - parameters: Where the others come from, in their order.
    @inlinable
    public init<First: SendableMetatype, each Value: SendableMetatype>(
        _ make: @escaping @Sendable (First, repeat each Value) throws -> Model,
        _ first: Parameter<Model, First>, _ parameters: repeat Parameter<Model, each Value>
    ) {
        self.init(arguments: make, first, repeat each parameters)
    }

    // A pack alone, among the initialisers that users see, crashes the compiler (6.3) at any slip in a mapping with rules.
    @inlinable init<each Value: SendableMetatype>(
        arguments make: @escaping @Sendable (repeat each Value) throws -> Model,
        _ parameters: repeat Parameter<Model, each Value>
    ) {
        var layout = ParameterLayout<Model>()
        let slots = (repeat layout.slot(for: each parameters))
        self.init(
            layout, prepare: { block in repeat (each slots).prepare(block) },
            isFilled: { block in
                var isFilled = true
                for slot in repeat each slots { isFilled = isFilled && slot.isFilled(block) }
                return isFilled
            },
            make: { block in try make(repeat (each slots).take(block)) },
            copy: { source, target in repeat (each slots).copy(source, target) },
            destroy: { block in repeat (each slots).destroy(block) })
    }

    @usableFromInline init(
        _ layout: ParameterLayout<Model>, prepare: @escaping @Sendable (Memory) -> Void,
        isFilled: @escaping @Sendable (Memory) -> Bool,
        make: @escaping @Sendable (Memory) throws -> Model,
        copy: @escaping @Sendable (Memory, Memory) -> Void,
        destroy: @escaping @Sendable (Memory) -> Void
    ) {
        let block = ParameterBlock(
            layout.size, layout.alignment, prepare: prepare, isFilled: isFilled, make: make, copy: copy,
            destroy: destroy)
        let rules = MappingRules(layout.rules)
        let output: MappingStorage<Model>.Output = { identity, traits, builder in
            builder.object(rules, traits.keys, identity: identity)
        }
        self.init(
            MappingStorage(isFilled: false, output: rules.rules.contains { $0.kind.output != nil } ? output : nil) {
                identity, traits, builder in
                let draft = builder.draft(for: identity, model: block) { draft in
                    builder.add(rules, to: draft, traits.keys, whenAbsent: traits.whenAbsent)
                }
                let objects = ParametersBox(block, draft.node)
                return rules.levels.count == 0 ? objects : KeyedObjectBox<Model>(objects, rules.levels, builder)
            })
    }
}
