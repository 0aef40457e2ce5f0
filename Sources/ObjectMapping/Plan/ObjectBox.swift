/// One object, read by the rules of a node.
class ObjectBox: ValueBox {
    let node: UnsafeMutablePointer<Node>

    init(_ node: UnsafeMutablePointer<Node>, size: Int, alignment: Int) {
        self.node = node
        super.init(size: size, alignment: alignment)
    }

    /// Whether the value at a place is one that the rules read.
    @inline(__always) final func accepts(_ place: Bytes) -> Bool {
        place.pointee == .openBrace || node.pointee.whole != nil
    }

    /// Reads the object into a model that is there; what the object does not mention stays as it is.
    func update(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        accepts(place) ? reader.object(place, node, memory) : reader.mismatch(place, entry.pointee.rule, "an object")
    }

    /// The boxes that may be asked to read the value that this one is asked to read.
    var sameValueBoxes: [ObjectBox] { [] }

    /// Whether it reads no more of a value than the object by the node's rules, once.
    var readsNodeOnly: Bool { false }

    /// The levels of keys that are data, around the objects.
    var levels: PlaceholderLevels { PlaceholderLevels() }

    /// Whether its rules read from objects that hold it, which a stream no longer has.
    final var readsParents: Bool { node.pointee.context?.takeUnretainedValue().readsParents ?? false }

    /// What reads models of a type once another box is laid around the one that reads each of the objects.
    func rewrapped<Model>(_: Model.Type, _ builder: PlanBuilder, _ wrap: (ObjectBox) -> ObjectBox) -> ObjectBox {
        wrap(self)
    }

    /// What reads each of the objects under such keys.
    var member: ObjectBox { self }
}

/// An object that becomes a model which is made empty and then filled.
final class FilledObjectBox: ObjectBox {
    private let model: ModelBox

    override var readsNodeOnly: Bool { true }

    init(_ model: ModelBox, _ node: UnsafeMutablePointer<Node>) {
        self.model = model
        super.init(node, size: model.size, alignment: model.alignment)
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        guard accepts(place) else {
            reader.isMade = false
            return reader.mismatch(place, entry.pointee.rule, "an object")
        }
        model.make(memory)
        let end = reader.object(place, node, memory)
        reader.isMade = end != nil
        if end == nil { model.destroy(memory) }
        return end
    }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        guard accepts(place) else { return reader.mismatch(place, entry.pointee.rule, "an object") }
        model.replace(memory)
        return reader.object(place, node, memory)
    }

    override func clear(_ memory: Memory, fresh: Memory) { model.copy(fresh, memory) }
}

extension PlanReader {
    /// Passes over a value by which no model can be updated.
    mutating func refuseUpdate(_ place: Bytes, _ entry: UnsafePointer<Entry>, of model: Any.Type) -> Bytes? {
        note(
            .mapping, at: place, entry.pointee.rule, "a mapping that sets properties of the \(model), to update with",
            "one that makes another model; map makes a new one")
        return skip(place)
    }
}

/// An object that is read into values of its own, of which the model is made at once.
final class ConvertedObjectBox<Values, Model>: TypedObjectBox<Model> {
    private let values: ObjectBox
    private let convert: (Values) -> Model

    override var sameValueBoxes: [ObjectBox] { [values] }
    override var readsNodeOnly: Bool { values.readsNodeOnly }

    init(_ values: ObjectBox, _ convert: @escaping (Values) -> Model) {
        self.values = values
        self.convert = convert
        super.init(values.node)
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withValueMemory(values.size, values.alignment) { space in
            let end = makeValues(&reader, place, entry, space)
            if reader.isMade { move(space, memory) }
            return end
        }
    }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withValueMemory(values.size, values.alignment) { space in
            let end = makeValues(&reader, place, entry, space)
            if reader.isMade { replace(space, memory) }
            return end
        }
    }

    override func update(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        // An object of a subclass is still the one that its own mapping fills.
        guard Values.self is AnyObject.Type, let object = memory.assumingMemoryBound(to: Model.self).pointee as? Values
        else { return reader.refuseUpdate(place, entry, of: Model.self) }
        return withUnsafeTemporaryAllocation(of: Values.self, capacity: 1) { space in
            guard let new = space.baseAddress else { return nil }
            new.initialize(to: object)
            defer { new.deinitialize(count: 1) }
            return values.update(&reader, place, entry, Memory(new))
        }
    }

    @inline(__always) private func makeValues(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ space: Memory
    ) -> Bytes? {
        let before = reader.findings.count
        let end = values.make(&reader, place, entry, space)
        if reader.findings.count > before { discardUnsound(&reader, before, space) }
        return end
    }

    // What is not inlined below has no part in the stack of the objects within the object.

    /// Takes values with issues down: the closure may count on what is required.
    @inline(never) private func discardUnsound(_ reader: inout PlanReader, _ before: Int, _ space: Memory) {
        guard reader.isMade, reader.findings.hasErrors(since: before) else { return }
        space.assumingMemoryBound(to: Values.self).deinitialize(count: 1)
        reader.isMade = false
    }

    @inline(never) private func move(_ space: Memory, _ memory: Memory) {
        memory.initializeMemory(as: Model.self, to: convert(space.assumingMemoryBound(to: Values.self).move()))
    }

    @inline(never) private func replace(_ space: Memory, _ memory: Memory) {
        memory.assumingMemoryBound(to: Model.self).pointee = convert(
            space.assumingMemoryBound(to: Values.self).move())
    }
}
