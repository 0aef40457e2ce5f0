/// A growing row of values in raw memory, moved once into an array of the exact size.
struct ElementMemory {
    private var start: Memory
    private var capacity: Int
    private let stride: Int
    private let alignment: Int
    private(set) var count = 0

    init(stride: Int, alignment: Int) {
        self.stride = max(1, stride)
        self.alignment = max(alignment, 16)
        capacity = max(4, 512 / self.stride)
        start = .allocate(byteCount: capacity * self.stride, alignment: self.alignment)
    }

    /// Empty memory behind the last value.
    @inline(__always) mutating func next<Value>(_ type: Value.Type) -> Memory {
        if count == capacity { grow(type) }
        return start + count &* stride
    }

    @inline(__always) mutating func keep() { count &+= 1 }

    @inline(never) private mutating func grow<Value>(_ type: Value.Type) {
        let larger = Memory.allocate(byteCount: capacity * 2 * stride, alignment: alignment)
        larger.moveInitializeMemory(as: type, from: start.assumingMemoryBound(to: type), count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }

    /// Moves the values out and frees the memory.
    func array<Value>(of type: Value.Type) -> [Value] {
        defer { start.deallocate() }
        let values = start.assumingMemoryBound(to: Value.self)
        return [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: values, count: count)
            initialized = count
        }
    }

    /// Takes the values down and frees the memory.
    func discard<Value>(_ type: Value.Type) {
        start.assumingMemoryBound(to: Value.self).deinitialize(count: count)
        start.deallocate()
    }
}

/// A list: `[String]`, `[[Double]]`, `[Payment]`; a lone value counts as a list of one.
final class ListBox<Element>: TypedBox<[Element]> {
    private let operation: Operation
    private let element: ValueBox?
    private let skipsNull: Bool

    /// - Parameter skipsNull: whether null elements are left out (objects of a relationship) or read as the others.
    init(_ operation: Operation, _ element: ValueBox?, skipsNull: Bool = false) {
        self.operation = operation
        self.element = element
        self.skipsNull = skipsNull
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ start: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        var entry = Entry(operation: operation, rule: entry.pointee.rule)
        entry.box = element.map { Unmanaged.passUnretained($0) }
        let isList = start.pointee == .openBracket
        var values = ElementMemory(stride: MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
        var end: Bytes?
        if isList {
            end = reader.elements(start) { reader, place in append(&reader, place, &entry, &values) }
        } else {
            end = append(&reader, start, &entry, &values)
        }
        reader.isMade = end != nil
        if end != nil {
            memory.initializeMemory(as: [Element].self, to: values.array(of: Element.self))
        } else {
            values.discard(Element.self)
        }
        return end
    }

    @inline(__always) private func append(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: inout Entry, _ values: inout ElementMemory
    ) -> Bytes? {
        let memory = values.next(Element.self)
        if let element {
            if skipsNull, place.isNull { return place + 4 }
            let end = element.make(&reader, place, &entry, memory)
            if end != nil, reader.isMade { values.keep() }
            return end
        }
        operation.prepare(memory)
        values.keep()
        if place.isNull, !isOptional {
            return reader.mismatch(place, entry.rule, operation.expectation)
        }
        return reader.field(place, &entry, nil, memory)
    }

    private var isOptional: Bool {
        switch operation {
        case .optionalInt, .optionalDouble, .optionalBool, .optionalString, .optionalDate: true
        default: false
        }
    }
}

/// A set, read as a list.
final class SetBox<Element: Hashable>: TypedBox<Set<Element>> {
    private let list: ListBox<Element>

    init(_ list: ListBox<Element>) {
        self.list = list
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withUnsafeTemporaryAllocation(of: [Element].self, capacity: 1) { space in
            guard let new = space.baseAddress, let end = list.make(&reader, place, entry, Memory(new)) else {
                return nil
            }
            if reader.isMade { memory.initializeMemory(as: Set<Element>.self, to: Set(new.move())) }
            return end
        }
    }
}
