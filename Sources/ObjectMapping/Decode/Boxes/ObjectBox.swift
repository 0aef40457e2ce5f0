/// Reads one object by the rules of a node.
class ObjectBox: ValueBox {
    let node: NodeRef

    init(_ node: NodeRef, size: Int, alignment: Int) {
        self.node = node
        super.init(size: size, alignment: alignment)
    }

    override var expectation: String { "an object" }
    override final var holdsIdentities: Bool { true }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        if let inner { inner.collect(identities, &reader, place) } else { reader.collect(identities, place, node) }
    }

    /// Whether the rules can read the value at a place.
    @inline(__always) final func accepts(_ place: Bytes) -> Bool {
        place.pointee == .openBrace || node.pointee.valueEntry != nil
    }

    /// Reads the object into an existing model; properties without a key in the object are unchanged.
    func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        accepts(place) ? reader.object(place, node, memory) : reader.mismatch(place, entry.pointee.rule, "an object")
    }

    /// The boxes that may be asked to read the same value as this one.
    var sameValueBoxes: [ObjectBox] { (inner as? ObjectBox).map { [$0] } ?? [] }

    /// Whether it reads only the object by the node's rules, once.
    var readsNodeOnly: Bool { false }

    /// The levels of data keys around the objects.
    var levels: PlaceholderLevels { PlaceholderLevels() }

    /// Whether an object can lack all mapped keys: rules for the whole object and its surroundings always apply, and other
    /// keys may be data.
    final var mayLackMappedKeys: Bool {
        node.pointee.count > 0 && node.pointee.valueEntry == nil && node.pointee.context == nil && levels.count == 0
    }

    /// Whether its rules read from enclosing objects, which a stream does not keep.
    final var readsParents: Bool { node.pointee.context?.object.readsParents ?? false }

    // The keys of a dictionary are data and cannot be searched for.
    override final var flatObjects: ObjectBox? { levels.count == 0 ? self : nil }

    /// Returns a box for models of a type after another box was wrapped around the box of each object.
    func rewrapped<Model>(_: Model.Type, _ builder: PlanBuilder, _ wrap: (ObjectBox) -> ObjectBox) -> ObjectBox {
        wrap(self)
    }

    /// The box of each object under such keys.
    var member: ObjectBox { self }
}

/// An object that becomes a model which is created empty and then filled.
final class FilledObjectBox: ObjectBox {
    let model: ModelBox

    override var readsNodeOnly: Bool { true }

    init(_ model: ModelBox, _ node: NodeRef) {
        self.model = model
        super.init(node, size: model.size, alignment: model.alignment)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard accepts(place) else { return .skipped(reader.mismatch(place, entry.pointee.rule, "an object")) }
        model.make(memory)
        guard let end = reader.object(place, node, memory) else {
            model.destroy(memory)
            return .broken
        }
        return .made(end)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        guard accepts(place) else {
            reader.companions?.trace?.leaveUnmade()
            return reader.mismatch(place, entry.pointee.rule, "an object")
        }
        model.replace(memory)
        return reader.object(place, node, memory)
    }

    override func clear(_ memory: Memory, fresh: Memory) { model.copy(fresh, memory) }
}

/// A box around the box of an object, which is called before and after each object.
class OuterObjectBox: ObjectBox {
    private let object: ObjectBox

    override final var inner: ValueBox? { object }

    init(_ object: ObjectBox) {
        self.object = object
        super.init(object.node, size: object.size, alignment: object.alignment)
    }

    /// Called before the object is read; its result is passed to `end`.
    func begin(_ reader: inout PlanReader, _ place: Bytes) -> Int { 0 }

    /// Called after the object is read; returns whether a model was made.
    func end(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ memory: Memory, _ begun: Int, _ result: MakeResult
    ) -> Bool { result.isMade }

    override final func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> MakeResult {
        let begun = begin(&reader, place)
        let result = object.make(&reader, place, entry, memory)
        _ = end(&reader, place, entry.pointee.rule, memory, begun, result)
        return result
    }

    override final func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> Bytes? {
        let begun = begin(&reader, place)
        let result = object.replace(&reader, place, entry, memory)
        let isMade = end(&reader, place, entry.pointee.rule, memory, begun, .replaced(result))
        if !isMade { reader.companions?.trace?.leaveUnset() }
        return result
    }

    override final func update(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> Bytes? {
        let begun = begin(&reader, place)
        let result = object.update(&reader, place, entry, memory)
        _ = end(&reader, place, entry.pointee.rule, memory, begun, .replaced(result))
        return result
    }

    override final func clear(_ memory: Memory, fresh: Memory) { object.clear(memory, fresh: fresh) }
}

extension PlanReader {
    /// Skips a value with which no model can be updated.
    mutating func refuseUpdate(_ place: Bytes, _ entry: EntryRef, of model: Any.Type) -> Bytes? {
        note(
            .mapping, at: place, entry.pointee.rule, "a mapping that sets properties of the \(model), for `update`",
            "a mapping with an initializer; use `map` instead")
        return skip(place)
    }
}

/// An object that is read into separate values, from which the model is created.
final class ConvertedObjectBox<Values, Model>: TypedObjectBox<Model> {
    private let values: ObjectBox
    private let convert: (Values) -> Model

    override var inner: ValueBox? { values }
    override var readsNodeOnly: Bool { values.readsNodeOnly }

    init(_ values: ObjectBox, _ convert: @escaping (Values) -> Model) {
        self.values = values
        self.convert = convert
        super.init(values.node)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        withValueMemory(values.size, values.alignment) { space in
            let before = reader.findings.count
            let result = values.make(&reader, place, entry, space)
            guard result.isMade else { return result }
            // Values with issues are destroyed: the closure may rely on required values.
            if reader.findings.count > before, reader.findings.hasErrors(since: before) {
                destroy(space)
                return .skipped(result.end)
            }
            move(space, memory)
            return result
        }
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        // An object of a subclass is filled by its own mapping.
        guard Values.self is AnyObject.Type, let object = memory[as: Model.self] as? Values
        else { return reader.refuseUpdate(place, entry, of: Model.self) }
        return withValueMemory(values.size, values.alignment) { new in
            new.initialize(as: Values.self, to: object)
            defer { new.deinitialize(as: Values.self) }
            return values.update(&reader, place, entry, new)
        }
    }

    // Not inlined below: nested objects would need more stack.

    @inline(never) private func destroy(_ space: Memory) { space.deinitialize(as: Values.self) }

    @inline(never) private func move(_ space: Memory, _ memory: Memory) {
        memory.initialize(as: Model.self, to: convert(space.move(as: Values.self)))
    }
}

/// An object that becomes a model in one step; when another model exists, it is replaced completely.
class TypedObjectBox<Model>: ObjectBox {
    init(_ node: NodeRef) {
        super.init(node, size: max(1, MemoryLayout<Model>.size), alignment: MemoryLayout<Model>.alignment)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let result = make(&reader, place, entry, new)
            if result.isMade { move(new, over: memory) } else { reader.companions?.trace?.leaveUnmade() }
            return result.end
        }
    }

    override func clear(_ memory: Memory, fresh: Memory) { memory[as: Model.self] = fresh[as: Model.self] }

    // Not inlined: nested objects would need more stack.
    @inline(never) private func move(_ new: Memory, over memory: Memory) {
        memory[as: Model.self] = new.move(as: Model.self)
    }
}
