/// The single object under data keys: `{"blake": {…}}`, `{"2026": {"11": {…}}}`.
///
/// Lists use the inner box to read more than one.
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

    override func collect(_ identities: IdentityCollection, _ reader: inout PlanReader, _ place: Bytes) -> Bytes? {
        var count = MemberCount()
        return reader.members(place, keys.besideData[...], -1, &count) { reader, _, place in
            objects.collect(identities, &reader, place)
        }
    }

    override func update(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> Bytes? {
        only(&reader, place, entry.pointee.rule) { reader, place in objects.update(&reader, place, entry, memory) }
    }

    /// Reads the single object with a closure; another number of objects is an issue.
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
            reader.note(.manyElements, at: place, rule, "exactly one member with an object", "\(count.kept) objects")
        }
        return end
    }
}

/// Keys of members: a separate type, which avoids the metadata of generic sets in mappings without data keys.
struct MemberKeys: Sendable {
    let keys: Set<String>

    init(_ keys: Set<String>) { self.keys = keys }
}

/// Tracks which objects under data keys count: of a duplicate key, the last one.
struct MemberCount {
    /// The number of objects that were read.
    var all = 0
    /// Those whose key was repeated.
    private(set) var dropped: Set<Int> = []

    var kept: Int { all - dropped.count }

    fileprivate mutating func drop(_ range: Range<Int>) { dropped.formUnion(range) }
}

extension PlanReader {
    /// Reads the objects under data keys with a closure; null members are skipped.
    ///
    /// - Parameters:
    ///   - levels: The levels of keys, and the keys of each that are not data.
    ///   - rule: The rule that is named in the issue of a missing object.
    ///   - count: The number of objects; the closure counts those that it reads.
    mutating func members(
        _ place: Bytes, _ levels: ArraySlice<MemberKeys>, _ rule: Int32, _ count: inout MemberCount,
        _ read: (inout PlanReader, inout MemberCount, Bytes) -> Bytes?
    ) -> Bytes? {
        guard let besideData = levels.first else { return read(&self, &count, place) }
        guard place.pointee == .openBrace else { return mismatch(place, rule, "an object of objects") }
        // The number of the last member for each key, and the objects of each member.
        var known: [ExactText: Int] = [:]
        var ranges: [Range<Int>] = []
        return eachMember(place) { reader, key, keyStart, place in
            if besideData.keys.contains(key.text) { return reader.skip(place) }
            if let earlier = known.updateValue(ranges.count, forKey: key) {
                reader.note(.duplicateKey, at: keyStart, rule, "unique keys", "a duplicate key")
                count.drop(ranges[earlier])
            }
            let first = count.all
            let end =
                place.isNull
                ? reader.skip(place) : reader.members(place, levels.dropFirst(), rule, &count, read)
            ranges.append(first..<count.all)
            return end
        }
    }

    /// Reads the members of an object that is a collection with a closure.
    mutating func eachMember(
        _ start: Bytes, _ read: (inout PlanReader, ExactText, _ keyStart: Bytes, Bytes) -> Bytes?
    ) -> Bytes? {
        if context != nil { openContext(start, isCollection: true) }
        let end = members(start) { reader, quote in
            guard case (.string(let key, let count), let keyEnd)? = reader.scalar(quote) else { return nil }
            let name = ExactText(text: makeString(key, count))
            return reader.value(behind: keyEnd).flatMap { read(&reader, name, quote, $0) }
        }
        if end != nil { context?.close() }
        return end
    }
}
