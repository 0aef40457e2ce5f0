/// The ends of the objects and arrays that a reader skipped while looking ahead, so that they are skipped only once.
struct PassedContainers {
    /// Offsets, in ascending order.
    private var passed: [(start: Int, end: Int)] = []
    private var lastEnd = 0
    /// The number of nested containers that are being skipped.
    private var depth = 0

    /// Shorter containers are cheaper to skip again than to look up.
    private static var shortest: Int { 64 }

    /// Returns the end of the container at an offset; `nil` if it was not skipped.
    func end(of start: Int) -> Int? {
        guard let last = passed.last, start <= last.start else { return nil }
        var (low, high) = (0, passed.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if passed[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return passed[low].start == start ? passed[low].end : nil
    }

    /// Starts a container, and removes earlier ones if all have ended; returns `nil` if it is before the last one and
    /// not stored.
    mutating func begin(_ start: Int) -> Int? {
        if depth == 0, lastEnd <= start, !passed.isEmpty {
            passed.removeAll(keepingCapacity: true)
            lastEnd = 0
        }
        depth += 1
        if let last = passed.last, start <= last.start { return nil }
        passed.append((start, start))
        return passed.count - 1
    }

    /// - Parameter end: The end; `nil` for invalid JSON.
    mutating func end(_ index: Int?, at end: Int?) {
        depth -= 1
        guard let index else { return }
        if let end, index < passed.count - 1 || end - passed[index].start >= PassedContainers.shortest {
            passed[index].end = end
            lastEnd = max(lastEnd, end)
        } else {
            passed.removeLast(passed.count - index)
        }
    }
}

extension PlanReader {
    /// Searches an object for the values of slots, as far as needed; the position of the reader does not change.
    ///
    /// - Parameters:
    ///   - node: The keys of the members, whose entries have the slots as offsets.
    ///   - count: The number of slots.
    ///   - first: The first slot.
    /// - Returns: False for invalid JSON.
    mutating func lookAhead(
        _ start: Bytes, _ node: NodeRef, _ count: Int, from first: Int, _ decode: SourceDecode
    ) -> Bool {
        let outer = (fence: fence, depth: nesting.depth)
        var missing = count
        let end = lookAhead(start, node, from: first, &missing, decode)
        rewind(to: outer.fence)
        nesting.depth = outer.depth
        return end != nil || missing == 0
    }

    private mutating func lookAhead(
        _ start: Bytes, _ node: NodeRef, from first: Int, _ missing: inout Int, _ decode: SourceDecode
    ) -> Bytes? {
        members(start) { reader, key, count, place in
            let index = node.pointee.find(key, count)
            guard index >= 0 else { return reader.pass(place) }
            let entry = node.pointee.entries + index
            if let child = entry.pointee.child {
                guard place.pointee == .openBrace else { return reader.pass(place) }
                return reader.lookAhead(place, child, from: first, &missing, decode)
            }
            let slot = entry.pointee.offset
            if slot >= first, decode.note(SourceDecode.Position(place: place, fence: reader.fence), of: slot) {
                missing -= 1
            }
            return missing == 0 ? nil : reader.pass(place)
        }
    }

    /// Skips an object that is not read, and adds warnings about duplicates of the keys of slots.
    ///
    /// - Parameter rules: The rules of the slots.
    mutating func skip(_ start: Bytes, findingDuplicatesOf node: NodeRef, _ rules: (Int) -> Int32) -> Bytes? {
        guard start.pointee == .openBrace, node.pointee.count <= 64 else { return skip(start) }
        var seen: UInt64 = 0
        return members(start) { reader, key, count, place in
            let index = node.pointee.find(key, count)
            guard index >= 0 else { return reader.skip(place) }
            let entry = (node.pointee.entries + index).pointee
            let bit: UInt64 = 1 &<< UInt64(index)
            if seen & bit != 0 {
                let rule = entry.child == nil ? rules(entry.offset) : -1
                reader.note(.duplicateKey, at: place, rule, "unique keys", "a duplicate key")
            }
            seen |= bit
            guard let child = entry.child else { return reader.skip(place) }
            return reader.skip(place, findingDuplicatesOf: child, rules)
        }
    }

    /// Skips a value, and records the ends of objects and arrays in it.
    private mutating func pass(_ start: Bytes) -> Bytes? {
        let isObject = start.pointee == .openBrace
        // Borrowed bytes have no separate offsets.
        guard isObject || start.pointee == .openBracket, borrowed.isEmpty else { return skip(start) }
        let offset = offset(start)
        if let end = passed.end(of: offset) { return place(atOffset: end) }
        let index = passed.begin(offset)
        let end =
            isObject
            ? members(start) { reader, key in
                guard let keyEnd = reader.skip(key), let place = reader.value(behind: keyEnd) else { return nil }
                return reader.pass(place)
            } : elements(start) { reader, place in reader.pass(place) }
        passed.end(index, at: end.map { self.offset($0) })
        return end
    }

    private mutating func place(atOffset offset: Int) -> Bytes {
        let place = window.start + (offset - window.position.offset)
        guard place >= window.fence else { return place }
        rewind(to: Window.noFence)
        return window.relocated(place)
    }
}
