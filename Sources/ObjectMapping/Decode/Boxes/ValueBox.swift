/// The result of reading a value into empty memory, returned in two registers.
struct MakeResult {
    /// The end of the value; nil for broken JSON.
    let end: Bytes?
    /// Whether the memory holds a value now.
    ///
    /// False if the value was skipped and for broken JSON.
    let isMade: Bool

    /// The JSON is broken and the memory is empty.
    @inline(__always) static var broken: MakeResult { MakeResult(end: nil, isMade: false) }

    /// The memory holds the value that ends at a place.
    @inline(__always) static func made(_ end: Bytes) -> MakeResult { MakeResult(end: end, isMade: true) }

    /// The value that ends at a place was skipped and the memory is empty; nil for broken JSON.
    @inline(__always) static func skipped(_ end: Bytes?) -> MakeResult { MakeResult(end: end, isMade: false) }
}

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

    /// The values that it reads, in words.
    var expectation: String { "a value" }

    /// What reads the objects of the value; nil unless they may be made of the keys of another object.
    var flatObjects: ObjectBox? { nil }

    /// Reads the value at `place` into empty memory.
    ///
    /// A value that cannot be converted is added to the findings and skipped: the memory stays empty.
    func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        .skipped(reader.skip(place))
    }

    /// Reads the value over one that is there.
    func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        reader.skip(place)
    }

    /// Copies the value of a fresh model over that of another.
    func clear(_ memory: Memory, fresh: Memory) {}

    /// Reads the value by each of the rules for it; nil for broken JSON.
    func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        reader.skip(place)
    }

    /// Answers null or absence by each of the rules for the value.
    func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {}

    /// Calls a closure with each of the rules for the value.
    func each(_ body: (EntryRef) -> Void) {}

    /// Prepares each of the rules for being reset, because the key at a place is a duplicate.
    func willReset(_ reader: inout PlanReader, _ place: Bytes, _ base: Memory) {
        each { entry in
            guard entry.pointee.operation == .several else { return }
            entry.pointee.box?.with { $0.willReset(&reader, place, base) }
        }
    }

    /// Whether there is nothing in the object at a place that the box reads.
    func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool { false }

    /// Leaves elements with issues out of the list that is read; called before the box is used.
    func skipInvalidElements() {}

    /// Whether values may be, or contain, objects with identities.
    var holdsIdentities: Bool { false }

    /// Skips a value and collects the identities of the objects in it; nil for broken JSON.
    func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        reader.skip(place)
    }
}

/// The same, for a type known while the box was made.
class TypedBox<Value>: ValueBox {
    init() { super.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) }

    override final var valueType: Any.Type? { Value.self }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let result = make(&reader, place, entry, new)
            if result.isMade {
                memory[as: Value.self] = new.move(as: Value.self)
            } else {
                reader.trace?.leaveUnset()
            }
            return result.end
        }
    }

    override func clear(_ memory: Memory, fresh: Memory) { memory[as: Value.self] = fresh[as: Value.self] }
}

/// An optional of a type that has a box.
final class OptionalBox<Wrapped>: TypedBox<Wrapped?> {
    private let wrapped: ValueBox
    private let passesNull: Bool
    private let isBlankNil: Bool

    /// - Parameters:
    ///   - passesNull: Whether null is a value of the wrapped type, as of an optional in an optional.
    ///   - isBlankNil: Whether a string of blanks is nil. Defaults to `false`.
    init(_ wrapped: ValueBox, passesNull: Bool, isBlankNil: Bool = false) {
        self.wrapped = wrapped
        self.passesNull = passesNull
        self.isBlankNil = isBlankNil
        super.init()
    }

    override var flatObjects: ObjectBox? { wrapped.flatObjects }
    override var expectation: String { wrapped.expectation }
    override func skipInvalidElements() { wrapped.skipInvalidElements() }
    override var holdsIdentities: Bool { wrapped.holdsIdentities }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        wrapped.collect(identities, &reader, place)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        if place.isNull, !passesNull {
            memory.initialize(as: Wrapped?.self, to: nil)
            return .made(place + 4)
        }
        if isBlankNil, place.pointee == .quote, let end = reader.blankString(place) {
            memory.initialize(as: Wrapped?.self, to: nil)
            return .made(end)
        }
        return withValueMemory(wrapped.size, wrapped.alignment) { new in
            let result = wrapped.make(&reader, place, entry, new)
            if result.isMade { memory.initialize(as: Wrapped?.self, to: new.move(as: Wrapped.self)) }
            return result
        }
    }
}

extension PlanReader {
    /// The end of a string that holds only blanks; nil for any other string.
    @inline(never) fileprivate mutating func blankString(_ place: Bytes) -> Bytes? {
        guard let end = skip(place), let text = try? JSON(stretch(place, end)).string,
            text.utf8.allSatisfy(\.isJSONBlank)
        else { return nil }
        return end
    }
}

/// A box around one of the plain operations, for values that are not stored at an offset.
final class PlainBox<Value>: TypedBox<Value> {
    private let operation: Operation

    init(_ operation: Operation) {
        self.operation = operation
        super.init()
    }

    override var expectation: String { operation.expectation }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        // A box around this one reads null where it is allowed; here it would keep the value that the operation prepared.
        place.isNull
            ? .skipped(reader.mismatch(place, entry.pointee.rule, operation.expectation))
            : reader.plain(place, operation, entry.pointee.rule, memory)
    }
}

extension PlanReader {
    /// Reads a value by a plain operation into empty memory.
    @inline(__always) fileprivate mutating func plain(
        _ place: Bytes, _ operation: Operation, _ rule: Int32, _ memory: Memory
    ) -> MakeResult {
        var entry = Entry(operation: operation, rule: rule)
        let before = findings.count
        operation.prepare(memory)
        let end = withRef(to: &entry) { field(place, $0, nil, memory) }
        if let end, findings.count == before { return .made(end) }
        operation.destroy(memory)
        return .skipped(end)
    }
}

/// A property that is set through a closure: of a class, or a computed or observed one.
final class AssignBox: ValueBox {
    /// How a value is made, unless an operation does it.
    private let value: ValueBox?
    private let operation: Operation
    private let assignment: Assignment

    init(_ value: PlannedValue, _ assignment: Assignment) {
        self.value = value.box
        operation = value.operation
        self.assignment = assignment
        super.init(
            size: value.box?.size ?? MemoryLayout<String?>.size,
            alignment: value.box?.alignment ?? MemoryLayout<String?>.alignment)
    }

    override var valueType: Any.Type? { value?.valueType ?? operation.valueType }
    override var expectation: String { value?.expectation ?? operation.expectation }
    override var holdsIdentities: Bool { value?.holdsIdentities ?? false }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        value?.collect(identities, &reader, place) ?? reader.skip(place)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let isUpdated = memory == reader.updated
            let result = makeValue(&reader, place, entry, new)
            if !result.isMade {
                reader.trace?.leaveUnset()
            } else if isUpdated, reader.isPatch {
                assignment.patch(memory, new)
            } else {
                write(new, to: memory, isUpdated)
            }
            return result.end
        }
    }

    /// Makes a value for the property in empty memory.
    @inline(__always) func makeValue(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> MakeResult {
        value?.make(&reader, place, entry, memory) ?? reader.plain(place, operation, entry.pointee.rule, memory)
    }

    // Neither closure is chosen first and called afterwards: that would count references.
    /// Moves a value out of memory into the property of a model.
    @inline(__always) func write(_ value: Memory, to model: Memory, _ isUpdated: Bool) {
        if isUpdated { assignment.update(model, value) } else { assignment.assign(model, value) }
    }

    override func clear(_ memory: Memory, fresh: Memory) { assignment.reset(memory, fresh) }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        value?.isAbsent(&reader, place, nesting: nesting) ?? false
    }
}

/// A box laid around a rule's entry: it does something of its own, and what the rule does.
class EntryBox: ValueBox {
    final let entry: EntryRef

    init(_ entry: EntryRef) {
        self.entry = entry
        super.init(size: 0, alignment: 1)
    }

    /// Whether the rule clears its property, now that there is no value for it.
    final func isCleared(for cause: ClearingCause) -> Bool {
        cause == .null ? entry.pointee.nullPolicy == .clear : entry.pointee.isClearedWhenAbsent
    }

    override final var valueType: Any.Type? {
        entry.pointee.operation.valueType ?? entry.pointee.box?.object.valueType
    }

    override final func each(_ body: (EntryRef) -> Void) { body(entry) }
    override final var holdsIdentities: Bool { entry.pointee.box?.object.holdsIdentities ?? false }

    override final func collect(
        _ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes
    ) -> Bytes? {
        entry.collect(identities, &reader, place)
    }

    override final func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        entry.pointee.box?.object.isAbsent(&reader, place, nesting: nesting) ?? false
    }
}

/// Why a property may be cleared.
enum ClearingCause {
    /// Its key is there, with null.
    case null
    /// Its key is not there.
    case absence
}
