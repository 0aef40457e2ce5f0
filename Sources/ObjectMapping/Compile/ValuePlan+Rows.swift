extension AnyValuePlan {
    /// Whether rows support the values: anything but containers of containers of objects.
    var isStorable: Bool { !readsObjects || isObjectOrList }
}

extension TypedValuePlan {
    /// The column type for a Swift type: known types by name, others as JSON.
    static var knownColumnType: AttributeType? {
        AttributeType.Scalar(Value.self).map { AttributeType($0) }
    }

    /// Whether a column of the type reads values like the type itself.
    static var isColumnExact: Bool {
        knownColumnType != nil && !(Value.self is any FixedWidthInteger.Type) && Value.self != Float.self
            || Value.self == Int64.self || Value.self == Int.self && Int.bitWidth == 64
    }

    /// Returns the entry that reads a value into a slot of a row.
    func slotEntry(_ index: Int, of rule: RuleStorage, _ builder: PlanBuilder) -> Entry {
        let type = columnType
        var entry = Entry(
            operation: .slot, acceptsNull: acceptsNull, scalar: type.scalar, isList: type.isList,
            refusesNullElements: refusesNullElements, offset: index)
        let isExact = isColumnExact && rule.options.wrappers.isEmpty && rule.options.whenInvalid == .fail
        if isExact, !rule.options.hasFallback { return entry }
        let value = value(of: rule, builder)
        let box = value.box ?? PlainBox<Value>(value.operation)
        _ = builder.keep(box)
        entry.acceptsNull = value.acceptsNull
        entry.box = builder.keep(StoredBox<Value>(box, self, isExact: isExact) as ValueBox)
        return entry
    }
}

extension JSONConvertible {
    /// The column type for an enum with raw values; `nil` for other types.
    static var rawColumnType: AttributeType? {
        func type<Raw: RawRepresentable>(of _: Raw.Type) -> AttributeType? {
            TypedValuePlan<Raw.RawValue>.knownColumnType
        }
        return (Self.self as? any RawRepresentable.Type).flatMap { type(of: $0) }
    }
}

/// A value that is read by its type and stored in a slot of the open row.
final class StoredBox<Value>: ValueBox {
    private let value: ValueBox
    private let plan: TypedValuePlan<Value>
    private let isExact: Bool

    /// - Parameter isExact: Whether the column reads values other than null like the box.
    init(_ value: ValueBox, _ plan: TypedValuePlan<Value>, isExact: Bool) {
        self.value = value
        self.plan = plan
        self.isExact = isExact
        super.init(size: 0, alignment: 1)
    }

    override var valueType: Any.Type? { Value.self }
    override var inner: ValueBox? { value }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _: Memory) -> Bytes? {
        if isExact, !place.isNull { return reader.storedSlot(place, entry) }
        return withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { memory in
            let result = value.make(&reader, place, entry, memory)
            if result.isMade {
                store(memory, at: place, entry, &reader)
                memory.deinitialize(as: Value.self)
            }
            return result.end
        }
    }

    private func store(_ memory: Memory, at place: Bytes, _ entry: EntryRef, _ reader: inout PlanReader) {
        let slot: Slot
        switch Value.self {
        case is Int.Type: slot = Slot(.integer, bits: UInt64(bitPattern: Int64(memory[as: Int.self])))
        case is Bool.Type: slot = Slot(.integer, bits: memory[as: Bool.self] ? 1 : 0)
        case is Double.Type: slot = Slot(.real, bits: memory[as: Double.self].bitPattern)
        case is String.Type: slot = reader.scratchText(memory[as: String.self])
        default: return storeJSON(memory, at: place, entry, &reader)
        }
        reader.rows.setSlot(entry.pointee.offset, slot)
    }

    /// Returns the JSON of dates, which are rounded when they are written and truncated when they are stored; `nil` for
    /// other values.
    private func truncatedDates(_ memory: Memory, _ entry: EntryRef) -> JSON? {
        guard entry.pointee.scalar == .date else { return nil }
        return switch memory[as: Value.self] {
        case let date as Date: date.truncatedToMilliseconds.json
        case let dates as [Date]: .array(dates.map(\.truncatedToMilliseconds.json))
        default: nil
        }
    }

    // Converted to JSON, because a column has a single storage form for all sources.
    @inline(never) private func storeJSON(
        _ memory: Memory, at place: Bytes, _ entry: EntryRef, _ reader: inout PlanReader
    ) {
        let json: JSON
        do { json = try truncatedDates(memory, entry) ?? plan.json(memory) } catch {
            return reader.note(
                .invalidValue, at: place, entry.pointee.rule, "a value that can be stored",
                "a value that cannot be written"
            )
        }
        if json.isNull { return reader.rows.setSlot(entry.pointee.offset, Slot(.null)) }
        Array(json.text.utf8).withView { bytes in
            _ = reader.borrowing(bytes, reader.offset(place)) { reader, place in reader.storedSlot(place, entry) }
        }
    }
}
