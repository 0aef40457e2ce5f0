/// The only object under keys that are data: `{"blake": {…}}`, `{"2026": {"11": {…}}}`.
///
/// Lists read more than one of them, by the box inside.
final class KeyedObjectBox<Model>: ObjectBox {
    private let objects: ObjectBox
    private let keys: PlaceholderLevels

    override var levels: PlaceholderLevels { keys }
    override var member: ObjectBox { objects }

    init(_ objects: ObjectBox, _ levels: PlaceholderLevels, _ builder: PlanBuilder) {
        self.objects = builder.keep(objects).object
        keys = levels
        builder.contextPaths.isNeeded = true
        super.init(objects.node, size: objects.size, alignment: objects.alignment)
    }

    override func rewrapped<Other>(
        _: Other.Type, _ builder: PlanBuilder, _ wrap: (ObjectBox) -> ObjectBox
    ) -> ObjectBox {
        KeyedObjectBox<Other>(wrap(objects), keys, builder)
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        var isMade = false
        let end = only(&reader, place, entry.pointee.rule) { reader, place in
            if isMade { return objects.replace(&reader, place, entry, memory) }
            let result = objects.make(&reader, place, entry, memory)
            isMade = result.isMade
            return result.end
        }
        guard isMade else { return .skipped(end) }
        guard let end else {
            memory.deinitialize(as: Model.self)
            return .broken
        }
        return .made(end)
    }

    override func replace(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        only(&reader, place, entry.pointee.rule) { reader, place in objects.replace(&reader, place, entry, memory) }
    }

    override func clear(_ memory: Memory, fresh: Memory) { objects.clear(memory, fresh: fresh) }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        only(&reader, place, entry.pointee.rule) { reader, place in objects.update(&reader, place, entry, memory) }
    }

    /// Reads the only object by a closure; it is an issue if there is none, or more of them.
    private func only(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bytes? {
        var count = MemberCount()
        let end = reader.members(place, keys.besideData[...], rule, &count) { reader, count, place in
            let isFirst = count.kept == 0
            count.all += 1
            return isFirst ? read(&reader, place) : reader.skip(place)
        }
        if end != nil, count.kept != 1, place.pointee == .openBrace {
            reader.note(.manyElements, at: place, rule, "one object under its key", "\(count.kept)")
        }
        return end
    }
}
