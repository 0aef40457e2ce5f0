/// Reads an object as a row.
final class RowBox: ObjectBox {
    override var readsNodeOnly: Bool { true }

    init(_ node: NodeRef) { super.init(node, size: 0, alignment: 1) }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard accepts(place) else { return .skipped(reader.mismatch(place, entry.pointee.rule, "an object")) }
        return .skipped(reader.row(place, node, memory, relationship: entry.pointee.offset))
    }
}

/// Reads the objects of a relationship, or the elements of a payload, as rows: of tables selected by content, under
/// data keys, or as the members of an object.
final class RowListBox: ValueBox {
    private let objects: ObjectBox
    private let levels: [MemberKeys]

    init(_ objects: ObjectBox, each shape: ElementShape) {
        self.objects = objects.member
        levels = (shape == .member ? [MemberKeys([])] : []) + objects.levels.besideData
        super.init(size: 0, alignment: 1)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        var count = MemberCount()
        var ranges: [Range<Int>] = []
        let before = reader.rows.count
        let end = reader.members(place, levels[...], entry.pointee.rule, &count) { reader, count, place in
            let first = reader.rows.count
            let end = objects.make(&reader, place, entry, memory).end
            ranges.append(first..<reader.rows.count)
            count.all += 1
            return end
        }
        for dropped in count.dropped.sorted(by: >) { reader.rows.remove(ranges[dropped]) }
        // An object without members is an empty list.
        if count.all == 0, reader.rows.count == before {
            reader.rows.removeRows(relationship: entry.pointee.offset, isNull: true)
        }
        return .skipped(end)
    }
}

/// Reads the members of an object as rows, with their names, for a relationship of a manifest.
final class MemberRowsBox: ValueBox {
    private let node: NodeRef

    override var expectation: String { "an object of objects" }

    init(_ node: NodeRef) {
        self.node = node
        super.init(size: 0, alignment: 1)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        let (rule, relationship) = (entry.pointee.rule, entry.pointee.offset)
        // Some languages write an empty object as an empty array.
        let isEmptyArray = place.pointee == .openBracket && reader.token(place + 1).pointee == .closeBracket
        guard place.pointee == .openBrace || isEmptyArray else {
            return .skipped(reader.mismatch(place, rule, expectation))
        }
        let before = reader.rows.count
        var known: [ExactText: Range<Int>] = [:]
        var repeated: [Range<Int>] = []
        let end =
            isEmptyArray
            ? reader.skip(place)
            : reader.eachMember(place) { reader, key, keyStart, value in
                if value.isNull { return reader.skip(value) }
                guard value.pointee == .openBrace else { return reader.mismatch(value, rule, "an object") }
                let first = reader.rows.count
                let end = reader.row(value, node, memory, relationship: relationship, memberName: key.text)
                if let earlier = known.updateValue(first..<reader.rows.count, forKey: key) {
                    reader.note(.duplicateKey, at: keyStart, rule, "unique keys", "a duplicate key")
                    repeated.append(earlier)
                }
                return end
            }
        for rows in repeated.sorted(by: { $0.lowerBound > $1.lowerBound }) { reader.rows.remove(rows) }
        if reader.rows.count == before { reader.rows.removeRows(relationship: relationship, isNull: true) }
        return .skipped(end)
    }
}
