/// An array: `[String]`, `[[Double]]`, `[Payment]`; or an object with its elements.
class ListOutput<Element>: OutputBox {
    final let element: OutputBox
    final let shape: ElementShape

    init(_ element: OutputBox, each shape: ElementShape) {
        self.element = element
        self.shape = shape
    }

    override final var nodes: [Ref<OutputNode>] { element.nodes }
    override final var kind: JSONKind? {
        let isKeyed = element.node.map { $0.pointee.keyCount > 0 } ?? false
        return shape == .member || isKeyed ? .object : .array
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        let elements = value[as: [Element].self]
        return writer.reading(elements, element) { writer in
            elements.withElementMemory { first, count in
                writer.list(element, each: shape) { writer in
                    writer.elements(element, at: first, count, stride: MemoryLayout<Element>.stride, each: shape)
                }
            } ?? .absent
        }
    }
}

/// A set: an array sorted by the bytes of its elements, so that equal sets produce equal texts.
final class SetOutput<Element: Hashable>: ListOutput<Element> {
    override var isUnordered: Bool { true }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        let elements = value[as: Set<Element>.self]
        return writer.reading(elements, element) { writer in
            writer.list(element, each: shape) { writer in
                var starts: [Int] = []
                let operation = element.operation
                for value in elements {
                    starts.append(writer.out.count)
                    withMemory(of: value) { writer.element(element, operation, $0, each: shape) }
                }
                // Findings refer to places in the text, which is not sorted then.
                if writer.findings.isEmpty { writer.out.sort(starts) }
            }
        }
    }
}

/// A dictionary: an object, sorted by the bytes of its keys.
final class DictionaryOutput<Key: Hashable & CodingKeyRepresentable, Value>: OutputBox {
    private let element: OutputBox

    init(_ element: OutputBox) { self.element = element }

    override var nodes: [Ref<OutputNode>] { element.nodes }
    override var kind: JSONKind? { .object }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        guard writer.open() else { return writer.tooDeep() }
        let start = writer.out.count
        writeMembers(value, &writer)
        writer.out.closeObject(from: start)
        return .written
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        let members = value[as: [Key: Value].self]
        let sorted = members.map { (key: $0.codingKey.stringValue, value: $1) }.sorted { $0.key < $1.key }
        writer.reading(members.values, element) { writer in
            for (key, value) in sorted {
                writer.out.key(key)
                withMemory(of: value) { memory in
                    if case .written = element.write(memory, &writer) { return }
                    writer.out.null()
                }
            }
        }
    }
}
