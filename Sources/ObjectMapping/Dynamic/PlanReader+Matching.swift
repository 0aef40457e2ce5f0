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
            return try? JSON(reader.stretch(place, end), maximumDepth: reader.maximumDepth)
        }
    }
}
