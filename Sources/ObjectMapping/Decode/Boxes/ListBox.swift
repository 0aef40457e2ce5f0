/// A list: `[String]`, `[[Double]]`, `[Payment]`; a single value is accepted as a list with one element.
final class ListBox: ValueBox {
    private let type: ElementType
    private let operation: Operation
    private let element: ValueBox?
    private let skipsNull: Bool
    /// For elements under keys that are data: the keys of each level that are not data.
    private let levels: [MemberKeys]
    /// Whether the list is an object whose members are the elements.
    private let isObject: Bool
    private var skipsInvalid = false

    /// A list of objects.
    convenience init(_ type: ElementType, _ objects: ObjectBox, each shape: ElementShape = .element) {
        let levels = (shape == .member ? [MemberKeys([])] : []) + objects.levels.besideData
        self.init(type, .value, objects.member, skipsNull: true, levels: levels, isObject: shape == .member)
    }

    /// - Parameter skipsNull: Whether null elements are skipped (objects of a relationship) or read like other
    ///   elements.
    init(
        _ type: ElementType, _ operation: Operation, _ element: ValueBox?, skipsNull: Bool = false,
        levels: [MemberKeys] = [], isObject: Bool = false
    ) {
        self.levels = levels
        self.isObject = isObject
        self.type = type
        self.operation = operation
        self.element = element
        self.skipsNull = skipsNull
        super.init(size: MemoryLayout<[Int]>.size, alignment: MemoryLayout<[Int]>.alignment)
    }

    override var valueType: Any.Type? {
        func list<Element>(of _: Element.Type) -> Any.Type { [Element].self }
        return _openExistential(type.type, do: list)
    }

    override var expectation: String {
        element is ObjectBox
            ? "an array of objects" : "a list, each element \(element?.expectation ?? operation.expectation)"
    }

    override var flatObjects: ObjectBox? { levels.isEmpty ? element?.flatObjects : nil }
    override func skipInvalidElements() { skipsInvalid = true }
    override var holdsIdentities: Bool { element?.holdsIdentities ?? false }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ start: Bytes) -> Bytes? {
        guard let element, element.holdsIdentities else { return reader.skip(start) }
        func object(_ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
            if place.isNull { return place + 4 }
            if levels.isEmpty { return element.collect(identities, &reader, place) }
            var count = MemberCount()
            return reader.members(place, levels[...], -1, &count) { reader, _, place in
                element.collect(identities, &reader, place)
            }
        }
        guard start.pointee == .openBracket else { return object(&reader, start) }
        let list = reader.textPlace(start)
        var index = 0
        let end = reader.elements(start) { reader, place in
            reader.context?.willRead(element: (index, list))
            index += 1
            return isObject ? reader.skip(place) : object(&reader, place)
        }
        reader.context?.willRead(element: nil)
        return end
    }

    override func make(_ reader: inout PlanReader, _ start: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        var values = ElementMemory(type, in: reader.lists)
        let end = read(&reader, start, entry.pointee.rule, &values)
        finish(&values, end, .valuesToNewArray, memory, &reader.lists)
        return end.map { .made($0) } ?? .broken
    }

    override func replace(_ reader: inout PlanReader, _ start: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        var values = ElementMemory(type, in: reader.lists)
        let end = read(&reader, start, entry.pointee.rule, &values)
        finish(&values, end, .values, memory, &reader.lists)
        return end
    }

    override func clear(_ memory: Memory, fresh: Memory) { type.writeArray(.array, fresh, 0, memory) }

    /// Reads a list and appends its values to others.
    func append(_ start: Bytes, _ reader: inout PlanReader, to values: inout ElementMemory) -> MakeResult {
        let before = values.count
        guard let end = read(&reader, start, -1, &values) else {
            values.truncate(to: before, type)
            return .broken
        }
        return .made(end)
    }

    // Without the optimizer, separate functions need less stack for nested lists.
    /// Moves the elements to an array in memory.
    @inline(__always) private func finish(
        _ values: inout ElementMemory, _ end: Bytes?, _ source: ArraySource, _ memory: Memory, _ lists: inout ListSpace
    ) {
        if end != nil {
            type.writeArray(source, values.start, values.count, memory)
        } else {
            values.truncate(to: 0, type)
        }
        values.close(&lists)
    }

    @inline(__always) private func read(
        _ reader: inout PlanReader, _ start: Bytes, _ rule: Int32, _ values: inout ElementMemory
    ) -> Bytes? {
        var entry = Entry(operation: operation, rule: rule, box: element.map { Borrowed($0) })
        if skipsNull, reader.context != nil || !levels.isEmpty { return objects(&reader, start, &entry, &values) }
        guard start.pointee == .openBracket else {
            // A single value is a list with one element.
            if let objects = element as? ObjectBox, !objects.accepts(start), !start.isNull {
                return reader.mismatch(start, rule, expectation)
            }
            return append(&reader, start, &entry, &values)
        }
        return reader.elements(start) { reader, place in append(&reader, place, &entry, &values) }
    }

    /// Reads objects under keys that are data, or whose context is recorded.
    @inline(never) private func objects(
        _ reader: inout PlanReader, _ start: Bytes, _ entry: inout Entry, _ values: inout ElementMemory
    ) -> Bytes? {
        var count = MemberCount()
        count.all = values.count
        let end: Bytes?
        if start.pointee == .openBracket {
            let list = reader.textPlace(start)
            var index = 0
            end = reader.elements(start) { reader, place in
                reader.context?.willRead(element: (index, list))
                index += 1
                return isObject ? reader.skip(place) : members(&reader, place, &entry, &values, &count)
            }
            reader.context?.willRead(element: nil)
            // Some servers send an empty dictionary as an empty array.
            if isObject, index > 0 {
                reader.note(.typeMismatch, at: start, entry.rule, "an object of objects", "an array")
            }
        } else {
            end = members(&reader, start, &entry, &values, &count)
        }
        values.remove(count.dropped, type)
        return end
    }

    private func members(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: inout Entry, _ values: inout ElementMemory,
        _ count: inout MemberCount
    ) -> Bytes? {
        if levels.isEmpty || place.isNull { return append(&reader, place, &entry, &values) }
        return reader.members(place, levels[...], entry.rule, &count) { reader, count, place in
            let before = values.count
            let end = append(&reader, place, &entry, &values)
            count.all += values.count - before
            return end
        }
    }

    @inline(__always) private func append(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: inout Entry, _ values: inout ElementMemory
    ) -> Bytes? {
        let memory = values.slot(type, &reader.lists)
        if let element {
            if skipsNull, place.isNull { return place + 4 }
            if skipsInvalid { return appendValid(&reader, place, &entry, &values, memory) }
            let result = withRef(to: &entry) { element.make(&reader, place, $0, memory) }
            if result.isMade { values.keep() }
            return result.end
        }
        return appendPlain(&reader, place, &entry, &values, memory)
    }

    @inline(__always) private func appendPlain(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: inout Entry, _ values: inout ElementMemory,
        _ memory: Memory
    ) -> Bytes? {
        operation.prepare(memory)
        values.keep()
        if place.isNull, !operation.isOptional { return reader.mismatch(place, entry.rule, operation.expectation) }
        return withRef(to: &entry) { reader.field(place, $0, nil, memory) }
    }

    /// Reads an element; if it has issues, they become warnings, and the element and its effects are removed.
    @inline(never) private func appendValid(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: inout Entry, _ values: inout ElementMemory,
        _ memory: Memory
    ) -> Bytes? {
        let before = reader.findings
        let savepoint = reader.companions?.source?.savepoint()
        let result = withRef(to: &entry) { element?.make(&reader, place, $0, memory) } ?? .broken
        if result.isMade { values.keep() }
        guard result.end != nil, reader.findings.hasErrors(since: before.count) else { return result.end }
        if result.isMade { values.truncate(to: values.count - 1, type) }
        reader.companions?.source?.rollback(to: savepoint)
        reader.findings.tolerate(since: before)
        return result.end
    }
}

/// A set, read as a list.
final class SetBox<Element: Hashable>: TypedBox<Set<Element>> {
    private let list: ListBox

    override var inner: ValueBox? { list }

    init(_ list: ListBox) {
        self.list = list
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        withValueMemory(list.size, list.alignment) { new in
            let result = list.make(&reader, place, entry, new)
            if result.isMade { memory.initialize(as: Set<Element>.self, to: Set(new.move(as: [Element].self))) }
            return result
        }
    }
}
