extension PlanWriter {
    /// Writes the members of an object of which several rules may write the same: objects are put together, of other
    /// values the first one counts, unless it is null.
    mutating func mergedMembers(_ node: Ref<OutputNode>, _ base: Memory) {
        let start = out.count
        let before = findings.count
        var merged = MergedObject.preferringFirst
        for index in 0..<node.pointee.count {
            let mark = out.count
            member(node.pointee.entries + index, base)
            // What was noted has its place in the text, which stays as it is then.
            guard findings.count == before, out.count > mark else { continue }
            if let members = out.members(from: mark)?.object { merged.add(members) }
        }
        guard findings.count == before else { return }
        out.truncate(to: start)
        out.members(merged.object)
    }

    /// Makes one object of an array of objects whose keys are values.
    ///
    /// - Parameter levels: How many such keys lead to an innermost object.
    mutating func mergeKeyed(from start: Int, levels: Int) {
        guard let elements = out.value(from: start)?.array else { return }
        // Neither an innermost object twice, nor two values that all of them should share.
        var merged = MergedObject(levels: levels) { old, new in new.object == nil && new == old ? old : nil }
        for element in elements { merged.add(element.object ?? [:]) }
        if merged.hasConflict { return noteConflict(at: start) }
        out.truncate(to: start)
        out.tree(.object(merged.object))
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
