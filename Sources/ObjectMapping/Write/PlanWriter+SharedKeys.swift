extension PlanWriter {
    /// Writes the members of an object of which several rules may write the same: objects are put together, of other
    /// values the first one counts, unless it is null.
    mutating func mergedMembers(_ node: Ref<OutputNode>, _ base: Memory) {
        let start = out.count
        let before = findings.count
        var merged = JSON.object([:])
        for index in 0..<node.pointee.count {
            let mark = out.count
            member(node.pointee.entries + index, base)
            // What was noted has its place in the text, which stays as it is then.
            guard findings.count == before, out.count > mark else { continue }
            guard let members = out.members(from: mark) else { continue }
            merged = merged.merged(with: members)
        }
        guard findings.count == before, let members = merged.object else { return }
        out.truncate(to: start)
        out.members(members)
    }

    /// Makes one object of an array of objects whose keys are values.
    ///
    /// - Parameter levels: How many such keys lead to an innermost object.
    mutating func mergeKeyed(from start: Int, levels: Int) {
        guard let elements = out.value(from: start)?.array else { return }
        var merged = KeyedObjects(levels: levels)
        for element in elements { merged.add(element.object ?? [:]) }
        if merged.hasConflict { return noteConflict(at: start) }
        out.truncate(to: start)
        out.tree(merged.json)
    }

    /// Makes sure that no two elements were written under one key.
    mutating func checkKeys(from start: Int) {
        if out.value(from: start)?.duplicateKeys.isEmpty == false { noteConflict(at: start) }
    }

    private mutating func noteConflict(at offset: Int) {
        remember(.invalidValue, "objects of different keys", "two of the same key", at: offset)
    }
}

extension JSONWriter {
    /// The value that was written from a place on.
    func value(from start: Int) -> JSON? {
        try? JSON((buffer.start + start).view(count - start), maximumDepth: MappingLimits.largestDepth)
    }

    /// The members that were written from a place on, beginning with a comma.
    func members(from start: Int) -> JSON? {
        var bytes = [UInt8]((buffer.start + start).view(count - start))
        bytes[0] = .openBrace
        bytes.append(.closeBrace)
        return bytes.withView { try? JSON($0, maximumDepth: MappingLimits.largestDepth) }
    }
}

extension JSON {
    /// The value with what another one has beyond it: members of objects, and anything instead of null.
    func merged(with other: JSON) -> JSON {
        if isNull { return other }
        guard let object, let more = other.object else { return self }
        let members = object.map { key, value in
            (key: key, value: more[key].map { value.merged(with: $0) } ?? value)
        }
        return .object(JSONObject(unique: members + more.filter { object[$0.key] == nil }))
    }
}

/// Objects under keys that are values, put together at every level of such keys.
private struct KeyedObjects {
    let levels: Int
    private(set) var hasConflict = false
    private var keys: [String] = []
    private var values: [JSON] = []
    private var below: [Int: KeyedObjects] = [:]
    private var positions: [ExactText: Int] = [:]

    init(levels: Int) { self.levels = levels }

    mutating func add(_ object: JSONObject) {
        for (key, value) in object {
            guard let position = positions[ExactText(text: key)] else {
                positions[ExactText(text: key)] = keys.count
                if levels > 1, let object = value.object {
                    var objects = KeyedObjects(levels: levels - 1)
                    objects.add(object)
                    below[keys.count] = objects
                }
                keys.append(key)
                values.append(value)
                continue
            }
            if let object = value.object, below[position]?.add(object) != nil {
                hasConflict = hasConflict || below[position]?.hasConflict == true
            } else if value.object != nil || value != values[position] {
                // Not an innermost object twice, and not two values that all of them should share.
                hasConflict = true
            }
        }
    }

    var json: JSON {
        .object(JSONObject(unique: zip(keys, values).enumerated().map { ($1.0, below[$0]?.json ?? $1.1) }))
    }
}
