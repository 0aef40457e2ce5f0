/// An array: `[String]`, `[[Double]]`, `[Payment]`; or an object of its elements.
final class ListOutput<Element>: OutputBox {
    private let element: OutputBox
    private let shape: ElementShape

    init(_ element: OutputBox, each shape: ElementShape = .element) {
        self.element = element
        self.shape = shape
    }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        value[as: [Element].self].withElementMemory { first, count in
            writer.list(element, each: shape) { writer in
                writer.elements(element, at: first, count, stride: MemoryLayout<Element>.stride, each: shape)
            }
        } ?? .absent
    }
}

/// A set: an array in the order of its elements' bytes, so that equal sets give equal texts.
final class SetOutput<Element: Hashable>: OutputBox {
    private let element: OutputBox
    private let shape: ElementShape

    init(_ element: OutputBox, each shape: ElementShape = .element) {
        self.element = element
        self.shape = shape
    }

    override var isUnordered: Bool { true }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        let elements = value[as: Set<Element>.self]
        return writer.list(element, each: shape) { writer in
            var starts: [Int] = []
            let operation = element.operation
            for value in elements {
                starts.append(writer.out.count)
                withMemory(of: value) { writer.element(element, operation, $0, each: shape) }
            }
            // What was noted has its place in the text, which stays as it is then.
            if writer.findings.isEmpty { writer.out.sort(starts) }
        }
    }
}
