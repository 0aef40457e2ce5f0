/// The arguments of an initialiser as one model that is filled slot by slot.
final class ParameterBlock<Model>: ModelBox, @unchecked Sendable {  // guarded by having constants only
    private let prepare: @Sendable (Memory) -> Void
    private let copySlots: @Sendable (Memory, Memory) -> Void
    private let destroySlots: @Sendable (Memory) -> Void
    /// Whether there is a value for each argument.
    let isFilled: @Sendable (Memory) -> Bool
    /// Makes the model; the memory is empty afterwards, even if the initialiser throws.
    let makeModel: @Sendable (Memory) throws -> Model

    init(
        _ size: Int, _ alignment: Int, prepare: @escaping @Sendable (Memory) -> Void,
        isFilled: @escaping @Sendable (Memory) -> Bool, make: @escaping @Sendable (Memory) throws -> Model,
        copy: @escaping @Sendable (Memory, Memory) -> Void, destroy: @escaping @Sendable (Memory) -> Void
    ) {
        self.prepare = prepare
        self.isFilled = isFilled
        makeModel = make
        copySlots = copy
        destroySlots = destroy
        super.init(size: max(1, size), alignment: alignment)
    }

    override func make(_ memory: Memory) { prepare(memory) }

    override func replace(_ memory: Memory) {
        destroySlots(memory)
        prepare(memory)
    }

    override func copy(_ source: Memory, _ target: Memory) { copySlots(source, target) }

    override func destroy(_ memory: Memory) { destroySlots(memory) }
}

/// An object that is read into arguments, of which an initialiser makes the model.
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
            return MakeResult(
                end: end, isMade: finish(&reader, place, entry.pointee.rule, space, memory, before))
        }
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        reader.refuseUpdate(place, entry, of: Model.self)
    }

    // What is not inlined below has no part in the stack of the objects within the object.

    /// Makes the model, unless there are errors in the object; whether it did.
    @inline(never) private func finish(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ space: Memory, _ memory: Memory, _ before: Int
    ) -> Bool {
        if reader.findings.hasErrors(since: before) {
            block.destroy(space)
            return false
        }
        guard block.isFilled(space) else {
            // A value was read and left out: a mapping that chooses by content declined it.
            block.destroy(space)
            reader.note(
                .invalidValue, at: place, rule, "a value for each argument of \(Model.self)", "a declined one")
            return false
        }
        do {
            memory.initialize(as: Model.self, to: try block.makeModel(space))
            return true
        } catch {
            // The text of an error that is not made for issues may hold a value.
            let reason = (error as? ValidationFailure)?.message ?? "\(type(of: error))"
            reader.note(
                .invalidValue, at: place, rule, "\(Model.self)",
                "an object that its initialiser does not take: \(reason)")
            return false
        }
    }
}
