// The one way through the members of an object that no rules of a node read.
extension PlanReader {
    /// Passes over an object, member by member.
    ///
    /// - Parameter member: gets the place of a key's opening quote; passes over the key and the value.
    @inline(__always) mutating func members(
        _ start: Bytes, _ member: (inout PlanReader, _ key: Bytes) -> Bytes?
    ) -> Bytes? {
        elements(start, closedBy: .closeBrace) { reader, place in
            place.pointee == .quote ? member(&reader, place) : nil
        }
    }

    /// The value of a member, from the place behind its key; nil without a colon.
    @inline(__always) mutating func value(behind key: Bytes) -> Bytes? {
        let place = token(key)
        return place.pointee == .colon ? token(place + 1) : nil
    }

    /// Passes over an object and calls a closure with each of its members; the closure passes over the member's value.
    ///
    /// - Parameter read: gets the key without its quotes and escapes, which stay in memory until the next text with
    ///   escapes, and the place of the value.
    @inline(__always) mutating func members(
        _ start: Bytes, _ read: (inout PlanReader, _ key: Bytes, _ count: Int, _ value: Bytes) -> Bytes?
    ) -> Bytes? {
        members(start) { reader, quote in
            var seen: UInt64 = 0
            var key = quote + 1
            var stop = scanString(key, &seen)
            var count = stop - key
            if stop.pointee != .quote || hasTopBits(seen) {
                guard case (.string(let text, let size), let end)? = reader.scalar(quote) else { return nil }
                (key, count, stop) = (text, size, end - 1)
            }
            guard let place = reader.value(behind: stop + 1) else { return nil }
            return read(&reader, key, count, place)
        }
    }
}
