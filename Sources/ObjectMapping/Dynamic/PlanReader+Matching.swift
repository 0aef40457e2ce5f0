/// What one decode keeps for mappings that choose by content.
struct MatchingProgress {
    /// Whether the first value of a watched key may be used before the object is read to its end.
    var takesValuesEarly = false
    /// Whether a watched key was repeated in an object, so that a value that was used early may be wrong.
    var sawWatchedKeyAgain = false
    /// How many mappings that closures returned are being read, each within the one before.
    private var depth = 0

    /// Each needs several times the stack of an object, and one that returns itself would never end.
    static var mostDepth: Int { 64 }

    var mayNest: Bool { depth < MatchingProgress.mostDepth }

    /// For the decode of a mapping that a closure returned.
    var nested: MatchingProgress {
        var nested = MatchingProgress()
        nested.depth = depth + 1
        return nested
    }
}

extension PlanReader {
    /// Passes over a value and looks for what keys lead to, of repeated ones the last; found is broken if something else
    /// than objects is on the way.
    mutating func pass(_ start: Bytes, to keys: ArraySlice<MatchKey>, _ found: inout MatchSource.Found) -> Bytes? {
        guard let key = keys.first else {
            found = .text(start, fence: fence)
            return skip(start)
        }
        guard start.pointee == .openBrace else {
            found = .broken
            return skip(start)
        }
        return members(start) { reader, name, count, place in
            guard key.equals(name, count) else { return reader.skip(place) }
            found = .absent
            return reader.pass(place, to: keys.dropFirst(), &found)
        }
    }

    /// Reads at a place that was passed over, where the fence was another one.
    @inline(__always) mutating func reading<Result>(
        _ place: Bytes, _ fence: Bytes, _ body: (inout PlanReader, Bytes) -> Result
    ) -> Result {
        let outer = self.fence
        rewind(to: fence)
        let result = body(&self, place)
        rewind(to: outer)
        return result
    }

    /// The value at a place that was passed over.
    mutating func tree(_ place: Bytes, _ fence: Bytes) -> JSON? {
        reading(place, fence) { reader, place in
            guard let end = reader.skip(place) else { return nil }
            return try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit)
        }
    }
}
