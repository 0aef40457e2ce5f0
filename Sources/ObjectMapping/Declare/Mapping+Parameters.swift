extension Mapping {
    // The type comes first because the compiler (6.3) crashes on many errors in the parameters if it has to infer it.
    /// Creates a mapping for a type that is created with an initializer, with one `Parameter` for each argument.
    ///
    /// ```swift
    /// Mapping(Person.self, Person.init(id:name:), Parameter("id", \.id), Parameter("name", \.name))
    /// ```
    ///
    /// Parameters are in the order of the arguments; `validate(roundTripping:)` finds two that are swapped. `update` throws,
    /// because there are no properties to set.
    ///
    /// - Parameters:
    ///   - model: The type.
    ///   - make: Creates the model. It is called once for each object of a payload without issues; an error that it
    ///     throws is an issue of kind `invalidValue`.
    ///   - first: The source of the first argument.
    ///   - parameters: The sources of the other arguments, in order.
    @inlinable public init<First: SendableMetatype, each Value: SendableMetatype>(
        _ model: Model.Type, _ make: @escaping @Sendable (First, repeat each Value) throws -> Model,
        _ first: Parameter<Model, First>, _ parameters: repeat Parameter<Model, each Value>
    ) {
        self.init(arguments: make, first, repeat each parameters)
    }

    // A pack alone, among the public initializers, crashes the compiler (6.3) at any error in a mapping with rules.
    @inlinable init<each Value: SendableMetatype>(
        arguments make: @escaping @Sendable (repeat each Value) throws -> Model,
        _ parameters: repeat Parameter<Model, each Value>
    ) {
        var layout = ParameterLayout<Model>()
        let operations = ParameterOperations(make, repeat layout.slot(for: each parameters))
        self.init(layout, operations)
    }

    @usableFromInline init(_ layout: ParameterLayout<Model>, _ operations: ParameterOperations<Model>) {
        let block = ParameterBlock(layout, operations)
        let isWritten = layout.rules.contains { $0.property != nil }
        self.init(block, layout.rules, isFilled: false, isWritten: isWritten) { ParametersBox(block, $0) }
    }
}

/// Operations on all arguments of an initializer, whose types are known where it is declared.
@usableFromInline struct ParameterOperations<Model>: Sendable {
    @usableFromInline let prepare: @Sendable (Memory) -> Void
    /// Whether there is a value for each argument.
    @usableFromInline let isFilled: @Sendable (Memory) -> Bool
    /// Creates the model; the memory is empty afterwards, even if the initializer throws.
    @usableFromInline let make: @Sendable (Memory) throws -> Model
    @usableFromInline let copy: @Sendable (Memory, Memory) -> Void
    @usableFromInline let destroy: @Sendable (Memory) -> Void

    @inlinable init<each Value: SendableMetatype>(
        _ make: @escaping @Sendable (repeat each Value) throws -> Model, _ slots: repeat ParameterSlot<each Value>
    ) {
        let slots = (repeat each slots)
        prepare = { block in repeat (each slots).prepare(block) }
        isFilled = { block in
            var isFilled = true
            for slot in repeat each slots { isFilled = isFilled && slot.isFilled(block) }
            return isFilled
        }
        self.make = { block in try make(repeat (each slots).take(block)) }
        copy = { source, target in repeat (each slots).copy(source, target) }
        destroy = { block in repeat (each slots).destroy(block) }
    }
}

/// The arguments of an initializer as one model that is filled slot by slot.
final class ParameterBlock<Model>: ModelBox, @unchecked Sendable {  // immutable: has constants only
    let operations: ParameterOperations<Model>

    init(_ layout: ParameterLayout<Model>, _ operations: ParameterOperations<Model>) {
        self.operations = operations
        super.init(size: max(1, layout.size), alignment: layout.alignment)
    }

    override func make(_ memory: Memory) { operations.prepare(memory) }

    override func replace(_ memory: Memory) {
        operations.destroy(memory)
        operations.prepare(memory)
    }

    override func copy(_ source: Memory, _ target: Memory) { operations.copy(source, target) }
    override func destroy(_ memory: Memory) { operations.destroy(memory) }
}

/// An object that is read into arguments, with which an initializer creates the model.
final class ParametersBox<Model>: TypedObjectBox<Model> {
    private let block: ParameterBlock<Model>

    init(_ block: ParameterBlock<Model>, _ node: NodeRef) {
        self.block = block
        super.init(node)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard accepts(place) else { return .skipped(reader.mismatch(place, entry.pointee.rule, "an object")) }
        return withValueMemory(block.size, block.alignment) { space in
            block.make(space)
            let before = reader.findings.count
            guard let end = reader.object(place, node, space) else {
                block.destroy(space)
                return .broken
            }
            return MakeResult(end: end, isMade: finish(&reader, place, entry.pointee.rule, space, memory, before))
        }
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        reader.refuseUpdate(place, entry, of: Model.self)
    }

    /// Creates the model, unless the object has errors; returns whether it was created.
    ///
    /// Not inlined: nested objects would need more stack.
    @inline(never) private func finish(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ space: Memory, _ memory: Memory, _ before: Int
    ) -> Bool {
        if reader.findings.hasErrors(since: before) {
            block.destroy(space)
            return false
        }
        guard block.operations.isFilled(space) else {
            // A value was read and skipped: a mapping that selects by content declined it.
            block.destroy(space)
            reader.note(
                .invalidValue, at: place, rule, "a value for each argument of \(Model.self)", "a declined value")
            return false
        }
        do {
            memory.initialize(as: Model.self, to: try block.operations.make(space))
            return true
        } catch {
            reader.note(
                .invalidValue, at: place, rule, "\(Model.self)",
                "an object rejected by its initializer: \(ValidationFailure.reason(of: error))")
            return false
        }
    }
}
