/// One condition of a mapping that chooses by content, and how the value is read and written if it holds.
struct MatchCase<Model>: Sendable {
    /// Writes a value; nil if it is none of the case's.
    typealias Write = (Memory, inout PlanWriter) -> OutputBox.Outcome?

    let condition: MatchCondition<Model>
    /// Gives the box that reads a value.
    let target: @Sendable (PlanBuilder) -> ObjectBox
    /// Gives what writes a value; nil for a case that only reads.
    let output: (@Sendable (OutputBuilder) -> Write?)?

    /// One that reads by a mapping of the type.
    init(_ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Model>) {
        let destination = LazyMapping(mapping)
        self.condition = condition
        target = { builder in destination.objects(builder) }
        output = { builder in
            guard mapping().storage.isWritten else { return nil }
            let box = builder.keep(destination.output(builder))
            return { value, writer in box.object.write(value, &writer) }
        }
    }

    /// One that reads by a mapping of another type.
    ///
    /// - Parameter values: The way back; nil for one by the type of the model alone.
    init<Values>(
        _ condition: MatchCondition<Model>, _ mapping: @escaping @Sendable () -> Mapping<Values>,
        _ make: @escaping @Sendable (Values) -> Model, _ values: (@Sendable (Model) -> Values?)?
    ) {
        let destination = LazyMapping(mapping)
        self.condition = condition
        target = { builder in
            let box = destination.objects(builder).rewrapped(Model.self, builder) { ConvertedObjectBox($0, make) }
            _ = builder.keep(box)
            return box
        }
        output = { builder in
            guard mapping().storage.isWritten else { return nil }
            let box = builder.keep(destination.output(builder))
            return { model, writer in
                let model = model[as: Model.self]
                guard let own = values.map({ $0(model) }) ?? (model as? Values) else { return nil }
                return withMemory(of: own) { box.object.write($0, &writer) }
            }
        }
    }

    /// One of which a closure reads.
    init(_ choose: @escaping @Sendable (JSON) -> Mapping<Model>?) {
        condition = .choice(choose)
        target = { builder in builder.declining() }
        output = nil
    }
}

/// When a case matches.
enum MatchCondition<Model>: Sendable {
    case value(MappingSource, MatchValue)
    case kind(MappingSource, JSONKind)
    case wrapper(String)
    case predicate(@Sendable (JSON) -> Bool)
    case choice(@Sendable (JSON) -> Mapping<Model>?)
    case always
}
