extension PlanWriter {
    /// Writes the members of an object that several rules may write: objects are merged; of other values the first one
    /// is used, unless it is null.
    mutating func mergedMembers(_ node: Ref<OutputNode>, _ base: Memory) {
        let start = out.count
        let before = findings.count
        var merged = MergedObject.preferringFirst
        for index in 0..<node.pointee.count {
            let mark = out.count
            member(node.pointee.entries + index, base)
            // Findings refer to places in the text, which is unchanged then.
            guard findings.count == before, out.count > mark else { continue }
            if let members = out.members(from: mark)?.object { merged.add(members) }
        }
        guard findings.count == before else { return }
        out.truncate(to: start)
        out.members(merged.object)
    }

    /// Merges an array of objects with keys that are values to one object.
    ///
    /// - Parameter levels: The number of such keys above the innermost object.
    mutating func mergeKeyed(from start: Int, levels: Int) {
        guard let elements = out.value(from: start)?.array else { return }
        // Conflicts: the same innermost object twice, or two values that all of them should share.
        var merged = MergedObject(levels: levels) { old, new in new.object == nil && new == old ? old : nil }
        for element in elements { merged.add(element.object ?? [:]) }
        if merged.hasConflict { return noteConflict(at: start) }
        out.truncate(to: start)
        out.tree(.object(merged.object))
    }

    /// Verifies that elements have distinct keys.
    mutating func checkKeys(from start: Int) {
        if out.value(from: start)?.duplicateKeys.isEmpty == false { noteConflict(at: start) }
    }

    private mutating func noteConflict(at offset: Int) {
        remember(.invalidValue, "objects of different keys", "two of the same key", at: offset)
    }
}

extension JSONWriter {
    /// Returns the value that was written from a place on.
    func value(from start: Int) -> JSON? {
        try? JSON((buffer.start + start).view(count - start), maximumDepth: MappingLimits.largestDepth)
    }

    /// Returns the members that were written from a place on, starting with a comma.
    func members(from start: Int) -> JSON? {
        var bytes = [UInt8]((buffer.start + start).view(count - start))
        bytes[0] = .openBrace
        bytes.append(.closeBrace)
        return bytes.withView { try? JSON($0, maximumDepth: MappingLimits.largestDepth) }
    }
}
