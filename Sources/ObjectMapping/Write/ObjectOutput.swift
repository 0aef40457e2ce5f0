/// One object, written by the rules of a node.
class ObjectOutput: OutputBox {
    final let rules: Ref<OutputNode>

    init(_ rules: Ref<OutputNode>) { self.rules = rules }

    override var node: Ref<OutputNode>? { rules }
    override final var kind: JSONKind? {
        rules.pointee.isValue ? rules.pointee.entries.pointee.box?.object.kind : .object
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome { writer.object(rules, value) }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) { writer.members(rules, value) }

    override func writeMemberKey(_ value: Memory, _ writer: inout PlanWriter) {
        guard let entry = rules.pointee.memberKey else { return writer.noteNoMemberKey() }
        writer.memberKey(entry, value)
    }
}

/// An object that is written with the values from which it was created.
final class ConvertedOutput<Values, Model>: OutputBox {
    private let values: OutputBox
    private let convert: (Model) -> Values

    init(_ values: OutputBox, _ convert: @escaping (Model) -> Values) {
        self.values = values
        self.convert = convert
    }

    override var node: Ref<OutputNode>? { values.node }
    override var kind: JSONKind? { values.kind }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        withMemory(of: convert(value[as: Model.self])) { values.write($0, &writer) }
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        withMemory(of: convert(value[as: Model.self])) { values.writeMembers($0, &writer) }
    }

    override func writeMemberKey(_ value: Memory, _ writer: inout PlanWriter) {
        withMemory(of: convert(value[as: Model.self])) { values.writeMemberKey($0, &writer) }
    }
}

/// A property that is not stored at an offset: of a class, or a computed or observed one.
final class LoadedOutput: OutputBox {
    private let value: OutputBox
    private let plain: Operation
    private let property: Property
    private let size: Int
    private let alignment: Int
    /// Destroys a copy of the property in memory.
    private let destroyValue: (Memory) -> Void

    init<Value>(_ value: OutputBox, _ property: Property, _: Value.Type) {
        self.value = value
        plain = value.operation
        self.property = property
        size = max(1, MemoryLayout<Value>.size)
        alignment = MemoryLayout<Value>.alignment
        destroyValue = { $0.deinitialize(as: Value.self) }
    }

    override var plainOperation: Operation { plain }
    override var kind: JSONKind? { value.kind }
    override var node: Ref<OutputNode>? { value.node }
    override var nodes: [Ref<OutputNode>] { value.nodes }
    override var isUnordered: Bool { value.isUnordered }

    override func write(_ model: Memory, _ writer: inout PlanWriter) -> Outcome {
        withValueMemory(size, alignment) { write(model, $0, &writer) }
    }

    @inline(__always) private func write(_ model: Memory, _ space: Memory, _ writer: inout PlanWriter) -> Outcome {
        property.load(model, space)
        defer { destroy(space) }
        return writer.value(plain, Borrowed(value), space)
    }

    /// Destroys the value in memory; of plain operations, only those of strings own references.
    @inline(__always) private func destroy(_ space: Memory) {
        if plain.isScalar { plain.destroy(space) } else { destroyValue(space) }
    }

    override func writeMembers(_ model: Memory, _ writer: inout PlanWriter) {
        withValueMemory(size, alignment) { memory in
            property.load(model, memory)
            value.writeMembers(memory, &writer)
            destroyValue(memory)
        }
    }
}
