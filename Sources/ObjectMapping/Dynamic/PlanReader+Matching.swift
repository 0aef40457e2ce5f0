extension PlanReader {
    /// Passes over an object and calls a closure with each of its members; the closure passes over the member's value.
    ///
    /// - Parameter read: gets the key without its quotes and escapes, and the place of the value.
    @inline(__always) mutating func passMembers(
        _ start: Bytes, _ read: (inout PlanReader, _ key: Bytes, _ count: Int, Bytes) -> Bytes?
    ) -> Bytes? {
        depth &+= 1
        if depth > maximumDepth { return nil }
        var place = token(start + 1)
        if place.pointee == .closeBrace {
            depth &-= 1
            return place + 1
        }
        while true {
            guard place.pointee == .quote else { return nil }
            var seen: UInt64 = 0
            var key = place + 1
            var stop = scanString(key, &seen)
            var count = stop - key
            if stop.pointee != .quote || hasTopBits(seen) {
                guard case (.string(let text, let size), let end)? = scalar(place) else { return nil }
                (key, count, stop) = (text, size, end - 1)
            }
            place = token(stop + 1)
            guard place.pointee == .colon, let end = read(&self, key, count, token(place + 1)) else { return nil }
            place = token(end)
            if place.pointee == .comma {
                place = token(place + 1)
                continue
            }
            guard place.pointee == .closeBrace else { return nil }
            depth &-= 1
            return place + 1
        }
    }

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
        return passMembers(start) { reader, name, count, place in
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
