/// A property that is not stored at an offset: of a class, or a computed or observed one.
final class LoadedOutput: OutputBox {
    private let value: OutputBox
    private let plain: OutputOperation
    private let property: RuleOutput.Source

    init(_ value: OutputBox, _ property: RuleOutput.Source) {
        self.value = value
        plain = value.operation
        self.property = property
    }

    override var node: Ref<OutputNode>? { value.node }
    override var isUnordered: Bool { value.isUnordered }

    override func write(_ model: Memory, _ writer: inout PlanWriter) -> Outcome {
        withValueMemory(property.size, property.alignment) { write(model, $0, &writer) }
    }

    @inline(__always)
    private func write(_ model: Memory, _ space: Memory, _ writer: inout PlanWriter) -> Outcome {
        property.load(model, space)
        defer { destroy(space) }
        return writer.value(plain, Borrowed(value), space)
    }

    /// Empties memory; of the values of plain operations only texts hold on to anything.
    @inline(__always) private func destroy(_ space: Memory) {
        switch plain {
        case .string: space.deinitialize(as: String.self)
        case .optionalString: space.deinitialize(as: String?.self)
        case .int, .optionalInt, .double, .optionalDouble, .bool, .optionalBool, .date, .optionalDate: break
        case .value, .level, .keyed, .whole: property.destroy(space)
        }
    }

    override func writeMembers(_ model: Memory, _ writer: inout PlanWriter) {
        withValueMemory(property.size, property.alignment) { memory in
            property.load(model, memory)
            value.writeMembers(memory, &writer)
            property.destroy(memory)
        }
    }
}
