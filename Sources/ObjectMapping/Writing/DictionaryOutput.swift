/// A dictionary: an object, its members in the order of their keys' bytes.
final class DictionaryOutput<Key: Hashable & CodingKeyRepresentable, Value>: OutputBox {
    private let element: OutputBox

    init(_ element: OutputBox) { self.element = element }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        guard writer.out.open() else { return writer.tooDeep() }
        let start = writer.out.count
        writeMembers(value, &writer)
        writer.out.closeObject(from: start)
        return .written
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        let members = value[as: [Key: Value].self]
        let sorted = members.map { (key: $0.codingKey.stringValue, value: $1) }.sorted { $0.key < $1.key }
        for (key, value) in sorted {
            writer.out.key(key)
            withMemory(of: value) { memory in
                if case .written = element.write(memory, &writer) { return }
                writer.out.null()
            }
        }
    }
}
