/// Keys of members: a type of its own, so that mappings without any do without what the runtime makes of such sets.
struct MemberKeys: Sendable {
    let keys: Set<String>

    init(_ keys: Set<String>) { self.keys = keys }
}

/// Which of the objects under keys that are data count: of a repeated key the last one does.
struct MemberCount {
    /// How many were read.
    var all = 0
    /// Those whose key came again.
    private(set) var dropped: Set<Int> = []

    var kept: Int { all - dropped.count }

    fileprivate mutating func drop(_ range: Range<Int>) { dropped.formUnion(range) }
}

extension PlanReader {
    /// Reads the objects under keys that are data, each by a closure; null members are left out.
    ///
    /// - Parameters:
    ///   - levels: How many levels of keys there are, and which keys of each are no data.
    ///   - rule: Whose issue it is if there is no object where one should be.
    ///   - count: How many objects there are; the closure counts those that it reads.
    mutating func members(
        _ place: Bytes, _ levels: ArraySlice<MemberKeys>, _ rule: Int32, _ count: inout MemberCount,
        _ read: (inout PlanReader, inout MemberCount, Bytes) -> Bytes?
    ) -> Bytes? {
        guard let besideData = levels.first else { return read(&self, &count, place) }
        guard place.pointee == .openBrace else { return mismatch(place, rule, "an object of objects") }
        var known: [ExactText: Range<Int>] = [:]
        return eachMember(place) { reader, key, keyStart, place in
            if besideData.keys.contains(key.text) { return reader.skip(place) }
            if let earlier = known[key] {
                reader.note(.duplicateKey, at: keyStart, rule, "each key once", "a key that stands twice")
                count.drop(earlier)
            }
            let first = count.all
            let end =
                place.isNull
                ? reader.skip(place) : reader.members(place, levels.dropFirst(), rule, &count, read)
            known[key] = first..<count.all
            return end
        }
    }

    /// Reads the members of an object that is a collection, each by a closure.
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
