/// The result of reading a value into empty memory, returned in two registers.
struct MakeResult {
    /// The end of the value; `nil` for invalid JSON.
    let end: Bytes?
    /// Whether the memory contains a value.
    ///
    /// False if the value was skipped, and for invalid JSON.
    let isMade: Bool

    /// The JSON is invalid and the memory is empty.
    @inline(__always) static var broken: MakeResult { MakeResult(end: nil, isMade: false) }

    /// The memory contains the value that ends at a place.
    @inline(__always) static func made(_ end: Bytes) -> MakeResult { MakeResult(end: end, isMade: true) }

    /// The value that ends at a place was skipped and the memory is empty; `nil` for invalid JSON.
    @inline(__always) static func skipped(_ end: Bytes?) -> MakeResult { MakeResult(end: end, isMade: false) }

    /// The value of the memory was replaced by the one that ends at a place; `nil` for invalid JSON.
    @inline(__always) static func replaced(_ end: Bytes?) -> MakeResult { MakeResult(end: end, isMade: end != nil) }
}

/// Reads values of one type for which there is no plain operation.
class ValueBox {
    let size: Int
    let alignment: Int

    init(size: Int, alignment: Int) {
        self.size = max(1, size)
        self.alignment = alignment
    }

    /// The type of the value if it is known, for explanations.
    var valueType: Any.Type? { nil }

    /// The box that reads the value, for boxes that only add to it; most properties default to those of this box.
    var inner: ValueBox? { nil }

    /// A noun for the values that it reads.
    var expectation: String { inner?.expectation ?? "a value" }

    /// The box for the objects of the value; `nil` unless they can be created from keys of another object.
    var flatObjects: ObjectBox? { inner?.flatObjects }

    /// Reads the value at `place` into empty memory.
    ///
    /// A value that cannot be converted is added to the findings and skipped: the memory stays empty.
    func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        .skipped(reader.skip(place))
    }

    /// Reads the value over an existing one.
    func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        reader.skip(place)
    }

    /// Copies the value of a new model over that of another.
    func clear(_ memory: Memory, fresh: Memory) {}

    /// Reads the value by each of its rules; returns `nil` for invalid JSON.
    func read(_ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        reader.skip(place)
    }

    /// Handles null or absence by each rule of the value.
    func clear(
        _ reader: inout PlanReader, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {}

    /// Calls a closure with each rule of the value.
    func each(_ body: (EntryRef) -> Void) {}

    /// Prepares each rule for a reset, because the key at a place is a duplicate.
    func willReset(_ reader: inout PlanReader, _ place: Bytes, _ base: Memory) {
        each { entry in
            guard entry.pointee.operation == .several else { return }
            entry.pointee.box?.with { $0.willReset(&reader, place, base) }
        }
    }

    /// Whether the object at a place contains no key that the box reads.
    func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool { false }

    /// Skips elements with issues in the list; called before the box is used.
    func skipInvalidElements() { inner?.skipInvalidElements() }

    /// Whether values can be, or contain, objects with identities.
    var holdsIdentities: Bool { inner?.holdsIdentities ?? false }

    /// Skips a value and collects the identities of the objects in it; returns `nil` for invalid JSON.
    func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        if let inner { inner.collect(identities, &reader, place) } else { reader.skip(place) }
    }
}

/// A `ValueBox` for a type that is known when the box is created.
class TypedBox<Value>: ValueBox {
    init() { super.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) }

    override final var valueType: Any.Type? { Value.self }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let result = make(&reader, place, entry, new)
            if result.isMade {
                memory[as: Value.self] = new.move(as: Value.self)
            } else {
                reader.companions?.trace?.leaveUnset()
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
    ///   - passesNull: Whether null is a value of the wrapped type, for an optional of an optional.
    ///   - isBlankNil: Whether a blank string is `nil`. Defaults to `false`.
    init(_ wrapped: ValueBox, passesNull: Bool, isBlankNil: Bool = false) {
        self.wrapped = wrapped
        self.passesNull = passesNull
        self.isBlankNil = isBlankNil
        super.init()
    }

    override var inner: ValueBox? { wrapped }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        if let end = emptyEnd(&reader, place) {
            memory.initialize(as: Wrapped?.self, to: nil)
            return .made(end)
        }
        // The memory of an optional has space for its content.
        let result = wrapped.make(&reader, place, entry, memory)
        if result.isMade { wrap(memory) }
        return result
    }

    // Without the optimizer, separate functions need less stack for nested objects.

    /// Returns the end of a value that is `nil`.
    @inline(__always) private func emptyEnd(_ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        if place.isNull, !passesNull { return place + 4 }
        return isBlankNil && place.pointee == .quote ? reader.blankString(place) : nil
    }

    @inline(__always) private func wrap(_ memory: Memory) {
        let value = memory.move(as: Wrapped.self)
        memory.initialize(as: Wrapped?.self, to: value)
    }
}

extension PlanReader {
    /// Returns the end of a string that is empty or blank; `nil` for other strings.
    @inline(never) fileprivate mutating func blankString(_ place: Bytes) -> Bytes? {
        guard let end = skip(place), let text = try? JSON(stretch(place, end)).string,
            text.utf8.allSatisfy(\.isJSONBlank)
        else { return nil }
        return end
    }
}

/// A box around a plain operation, for values that are not stored at an offset.
final class PlainBox<Value>: TypedBox<Value> {
    private let operation: Operation

    init(_ operation: Operation) {
        self.operation = operation
        super.init()
    }

    override var expectation: String { operation.expectation }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        // A surrounding box reads null where it is allowed; here it would keep the value that the operation prepared.
        place.isNull
            ? .skipped(reader.mismatch(place, entry.pointee.rule, operation.expectation))
            : reader.plain(place, operation, entry.pointee.rule, memory)
    }
}

extension PlanReader {
    /// Reads a value by a scalar operation into empty memory.
    @inline(__always) fileprivate mutating func plain(
        _ place: Bytes, _ operation: Operation, _ rule: Int32, _ memory: Memory
    ) -> MakeResult {
        var entry = Entry(operation: operation, rule: rule)
        let before = findings.count
        operation.prepare(memory)
        let end = withRef(to: &entry) { scalar(place, $0, nil, memory) }
        if let end, findings.count == before { return .made(end) }
        operation.destroy(memory)
        return .skipped(end)
    }
}

/// A property that is set with a closure: of a class, or a computed or observed one.
final class AssignBox: ValueBox {
    /// Creates the value, unless an operation does it.
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

    override var inner: ValueBox? { value }
    override var valueType: Any.Type? { value?.valueType ?? operation.valueType }
    override var expectation: String { value?.expectation ?? operation.expectation }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        withValueMemory(size, alignment) { new in
            let isUpdated = AssignBox.isUpdated(memory, &reader)
            // The value is settled in one place, so that the optimizer inlines all of this.
            let result =
                if let value { value.make(&reader, place, entry, new) } else { makePlain(&reader, place, entry, new) }
            settle(result, new, memory, isUpdated, &reader)
            return result.end
        }
    }

    // Without the optimizer, separate functions need less stack for nested objects.

    @inline(__always) private static func isUpdated(_ model: Memory, _ reader: inout PlanReader) -> Bool {
        model == reader.companions?.updated
    }

    @inline(__always) private func makePlain(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ new: Memory
    ) -> MakeResult { reader.plain(place, operation, entry.pointee.rule, new) }

    /// Moves a value that was made into the property.
    @inline(__always) private func settle(
        _ result: MakeResult, _ new: Memory, _ model: Memory, _ isUpdated: Bool, _ reader: inout PlanReader
    ) {
        if !result.isMade {
            reader.companions?.trace?.leaveUnset()
        } else if isUpdated, reader.companions?.patch != nil {
            assignment.patch(model, new)
        } else {
            write(new, to: model, isUpdated)
        }
    }

    /// Creates a value for the property in empty memory.
    @inline(__always) func makeValue(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory
    ) -> MakeResult {
        if let value { return value.make(&reader, place, entry, memory) }
        return makePlain(&reader, place, entry, memory)
    }

    // The closure is not selected before the call: that would count references.
    /// Moves a value out of memory into the property of a model.
    @inline(__always) func write(_ value: Memory, to model: Memory, _ isUpdated: Bool) {
        if isUpdated { assignment.update(model, value) } else { assignment.assign(model, value) }
    }

    override func clear(_ memory: Memory, fresh: Memory) { assignment.reset(memory, fresh) }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        value?.isAbsent(&reader, place, nesting: nesting) ?? false
    }
}

/// A box around a rule's entry, which extends the behavior of the rule.
class EntryBox: ValueBox {
    final let entry: EntryRef

    init(_ entry: EntryRef) {
        self.entry = entry
        super.init(size: 0, alignment: 1)
    }

    /// Whether the rule clears its property if the value is null or absent.
    final func isCleared(for cause: ClearingCause) -> Bool {
        cause == .null ? entry.pointee.nullPolicy == .clear : entry.pointee.isClearedWhenAbsent
    }

    override final var inner: ValueBox? { entry.pointee.box?.object }
    override final var valueType: Any.Type? { entry.pointee.operation.valueType ?? inner?.valueType }
    override final func each(_ body: (EntryRef) -> Void) { body(entry) }

    override final func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        inner?.isAbsent(&reader, place, nesting: nesting) ?? false
    }
}

/// The reason for which a property can be cleared.
enum ClearingCause {
    /// The value is null.
    case null
    /// The key is absent.
    case absence
}
