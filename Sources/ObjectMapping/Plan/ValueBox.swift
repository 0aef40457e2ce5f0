/// How values of one type are read where no plain operation does it.
class ValueBox {
    let size: Int
    let alignment: Int

    init(size: Int, alignment: Int) {
        self.size = max(1, size)
        self.alignment = alignment
    }

    /// The type of the value, where it is known; for explanations.
    var valueType: Any.Type? { nil }

    /// Reads the value at `place` into empty memory and says so in `reader.isMade`; nil for broken JSON.
    ///
    /// A value that cannot be converted is noted and passed over: the memory stays empty.
    func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory) -> Bytes? {
        reader.isMade = false
        return reader.skip(place)
    }

    /// Reads the value over one that is there.
    func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory) -> Bytes?
    {
        reader.skip(place)
    }

    /// Copies the value of a fresh model over that of another.
    func clear(_ memory: Memory, fresh: Memory) {}

    /// Reads the value by each of the rules for it; nil for broken JSON.
    func read(
        _ reader: inout PlanReader, _ place: Bytes, _ node: UnsafeMutablePointer<Node>?, _ base: Memory
    ) -> Bytes? {
        reader.skip(place)
    }

    /// Answers null or absence by each of the rules for the value.
    func clear(
        _ reader: inout PlanReader, _ node: UnsafeMutablePointer<Node>?, _ base: Memory, for cause: ClearingCause
    ) {}

    /// Calls a closure with each of the rules for the value.
    func each(_ body: (UnsafeMutablePointer<Entry>) -> Void) {}

    /// Whether there is nothing in the object at a place that the box reads.
    func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool { false }
}

/// The same, for a type known while the box was made.
class TypedBox<Value>: ValueBox {
    init() { super.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) }

    override final var valueType: Any.Type? { Value.self }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withValueMemory(size, alignment) { new in
            guard let end = make(&reader, place, entry, new) else { return nil }
            if reader.isMade {
                memory.assumingMemoryBound(to: Value.self).pointee = new.assumingMemoryBound(to: Value.self).move()
            }
            return end
        }
    }

    override func clear(_ memory: Memory, fresh: Memory) {
        memory.assumingMemoryBound(to: Value.self).pointee = fresh.assumingMemoryBound(to: Value.self).pointee
    }
}

/// An optional of a type that has a box.
final class OptionalBox<Wrapped>: TypedBox<Wrapped?> {
    private let wrapped: ValueBox
    private let passesNull: Bool

    /// - Parameter passesNull: Whether null is a value of the wrapped type, as of an optional in an optional.
    init(_ wrapped: ValueBox, passesNull: Bool = false) {
        self.wrapped = wrapped
        self.passesNull = passesNull
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        if place.isNull, !passesNull {
            memory.initializeMemory(as: Wrapped?.self, to: nil)
            reader.isMade = true
            return place + 4
        }
        return withValueMemory(wrapped.size, wrapped.alignment) { new in
            guard let end = wrapped.make(&reader, place, entry, new) else { return nil }
            if reader.isMade {
                memory.initializeMemory(as: Wrapped?.self, to: new.assumingMemoryBound(to: Wrapped.self).move())
            }
            return end
        }
    }
}

/// A box around one of the plain operations, for values that are not stored at an offset.
final class PlainBox<Value>: TypedBox<Value> {
    private let operation: Operation

    init(_ operation: Operation) {
        self.operation = operation
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        var isMade = false
        // Where null may stand it does not come here; elsewhere it would leave what the operation prepared.
        let end =
            place.isNull
            ? reader.mismatch(place, entry.pointee.rule, operation.expectation)
            : reader.plain(place, operation, entry.pointee.rule, memory) { isMade = true }
        reader.isMade = isMade
        return end
    }
}

extension PlanReader {
    /// Reads a value by a plain operation into empty memory; the closure is called if there is one then.
    @inline(__always) fileprivate mutating func plain(
        _ place: Bytes, _ operation: Operation, _ rule: Int32, _ memory: Memory, _ isMade: () -> Void
    ) -> Bytes? {
        var entry = Entry(operation: operation)
        entry.rule = rule
        let before = findings.count
        operation.prepare(memory)
        let end = field(place, &entry, nil, memory)
        if end != nil, findings.count == before { isMade() } else { operation.destroy(memory) }
        return end
    }
}

/// A property that is set through a closure: of a class, or a computed or observed one.
final class AssignBox: ValueBox {
    /// How a value is made, unless an operation does it.
    private let value: ValueBox?
    private let operation: Operation
    private let assignment: Assignment

    init(_ value: ValueBox, _ assignment: Assignment) {
        self.value = value
        operation = .value
        self.assignment = assignment
        super.init(size: value.size, alignment: value.alignment)
    }

    /// The same for values that a plain operation reads.
    init(_ operation: Operation, _ assignment: Assignment) {
        value = nil
        self.operation = operation
        self.assignment = assignment
        super.init(size: MemoryLayout<String?>.size, alignment: MemoryLayout<String?>.alignment)
    }

    override var valueType: Any.Type? { value?.valueType ?? operation.valueType }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let isUpdated = memory == reader.updated
            guard let value else {
                return reader.plain(place, operation, entry.pointee.rule, new) { write(new, to: memory, isUpdated) }
            }
            guard let end = value.make(&reader, place, entry, new) else { return nil }
            if reader.isMade { write(new, to: memory, isUpdated) }
            return end
        }
    }

    // Neither closure is chosen first and called afterwards: that would count references.
    @inline(__always) private func write(_ value: Memory, to model: Memory, _ isUpdated: Bool) {
        if isUpdated { assignment.update(model, value) } else { assignment.assign(model, value) }
    }

    override func clear(_ memory: Memory, fresh: Memory) { assignment.reset(memory, fresh) }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        value?.isAbsent(&reader, place, nesting: nesting) ?? false
    }
}

/// Calls a closure with empty memory for a value: on the stack, unless the value is large.
@inline(__always) func withValueMemory(_ size: Int, _ alignment: Int, _ body: (Memory) -> Bytes?) -> Bytes? {
    // Only memory of a constant size and alignment is taken from the stack.
    if size <= 32, alignment <= 16 {
        return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 16) { $0.baseAddress.flatMap(body) }
    }
    return size <= 128 ? withMediumMemory(size, alignment, body) : withLargeMemory(size, alignment, body)
}

// Never inlined, as every level of a deep text would have a frame with room for the largest values.
@inline(never) private func withMediumMemory(_ size: Int, _ alignment: Int, _ body: (Memory) -> Bytes?) -> Bytes? {
    guard alignment <= 16 else { return withLargeMemory(size, alignment, body) }
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { $0.baseAddress.flatMap(body) }
}

@inline(never) private func withLargeMemory(_ size: Int, _ alignment: Int, _ body: (Memory) -> Bytes?) -> Bytes? {
    withUnsafeTemporaryAllocation(byteCount: size, alignment: alignment) { $0.baseAddress.flatMap(body) }
}
