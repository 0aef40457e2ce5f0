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
        let end = reader.members(place, levels[...], entry.pointee.rule, &count) { reader, count, place in
            let first = reader.rows.count
            let end = objects.make(&reader, place, entry, memory).end
            ranges.append(first..<reader.rows.count)
            count.all += 1
            return end
        }
        for dropped in count.dropped.sorted(by: >) { reader.rows.remove(ranges[dropped]) }
        return .skipped(end)
    }
}
