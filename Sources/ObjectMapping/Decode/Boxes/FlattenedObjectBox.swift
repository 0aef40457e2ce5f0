/// Creates a value from flat keys of the object that contains it, if at least one of the keys is present.
final class FlattenedObjectBox: ValueBox {
    private static var deepestNesting: Int { 16 }

    /// Reads the value; an element of a list has no flat keys.
    let value: ValueBox
    private let node: NodeRef

    init(_ value: ValueBox, _ node: NodeRef) {
        self.value = value
        self.node = node
        super.init(size: value.size, alignment: value.alignment)
    }

    override var holdsIdentities: Bool { value.holdsIdentities }

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        guard !isAbsent(&reader, place, nesting: 0) else { return reader.skip(place) }
        return reader.readingAgain(place) { value.collect(identities, &$0, place) } ?? reader.skip(place)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        if shouldRead(&reader, place, entry) {
            return reader.readingAgain(place) { value.make(&$0, place, entry, memory) }
                ?? .skipped(reader.skip(place))
        }
        guard let end = reader.skip(place) else { return .broken }
        if isCleared(entry), reader.readingNull({ value.make(&$0, $1, entry, memory).isMade }) { return .made(end) }
        return .skipped(end)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        if shouldRead(&reader, place, entry) {
            guard let end = reader.readingAgain(place, { value.replace(&$0, place, entry, memory) }) else {
                return reader.skip(place)
            }
            return end
        }
        if isCleared(entry) {
            _ = reader.readingNull { value.replace(&$0, $1, entry, memory) }
        } else {
            reader.companions?.trace?.leaveUnset()
        }
        return reader.skip(place)
    }

    override func clear(_ memory: Memory, fresh: Memory) { value.clear(memory, fresh: fresh) }

    /// Whether the rules can read the value at a place.
    func accepts(_ place: Bytes) -> Bool { (value as? ObjectBox)?.accepts(place) ?? true }

    override func isAbsent(_ reader: inout PlanReader, _ place: Bytes, nesting: Int) -> Bool {
        // A mapping that selects by content has no rules and creates no models; it reports missing values itself.
        guard
            node.pointee.count > 0 || node.pointee.valueEntry != nil || node.pointee.context != nil
                || node.pointee.model != nil || node.pointee.entity >= 0
        else { return false }
        // Infinite recursion is detected where the value is read.
        return place.pointee == .openBrace && nesting < FlattenedObjectBox.deepestNesting
            && !reader.holdsKey(of: node, place, nesting: nesting + 1)
    }

    private func isCleared(_ entry: EntryRef) -> Bool {
        entry.pointee.isClearedWhenAbsent && entry.pointee.acceptsNull
    }

    private func shouldRead(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef) -> Bool {
        guard isAbsent(&reader, place, nesting: 0) else { return true }
        if entry.pointee.isRequired {
            reader.note(.missing, at: place, entry.pointee.rule, "at least one key of the object", "no such key")
        }
        return false
    }
}

extension PlanReader {
    /// Whether an object has a key that a node's rules read; null counts.
    ///
    /// The position of the reader does not change.
    mutating func holdsKey(of node: NodeRef, _ start: Bytes, nesting: Int) -> Bool {
        if let valueEntry = node.pointee.valueEntry,
            valueEntry.pointee.box?.object.isAbsent(&self, start, nesting: nesting) != true
        {
            return true
        }
        if let context = node.pointee.context?.object, context.findsAny(&self) { return true }
        // An empty outer object is an empty result; an empty nested one counts as absent.
        var isHeld = nesting == 0
        let outer = (depth: self.nesting.depth, fence: fence)
        _ = members(start) { reader, key, count, place in
            let index = node.pointee.find(key, count)
            isHeld = index >= 0 && reader.holdsValue(of: node.pointee.entries + index, place, nesting: nesting)
            return isHeld ? nil : reader.skip(place)
        }
        self.nesting.depth = outer.depth
        rewind(to: outer.fence)
        return isHeld
    }

    private mutating func holdsValue(of entry: EntryRef, _ place: Bytes, nesting: Int) -> Bool {
        guard entry.pointee.operation == .level, let child = entry.pointee.child else {
            return entry.pointee.operation != .watched
        }
        return switch place.pointee {
        case .openBrace: holdsKey(of: child, place, nesting: nesting)
        case .openBracket: true
        default: place.isNull
        }
    }
}
