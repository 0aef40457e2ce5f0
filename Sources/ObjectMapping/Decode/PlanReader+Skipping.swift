// Lists, and values that a node's rules do not read.
extension PlanReader {
    /// Reads the elements of a list, or the members of an object, with a closure.
    @inline(__always) mutating func elements(
        _ start: Bytes, closedBy bracket: UInt8 = .closeBracket, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bytes? {
        guard enter(start) else { return nil }
        var place = token(start + 1)
        if place.pointee == bracket {
            nesting.leave()
            return place + 1
        }
        while true {
            guard let end = read(&self, place) else { return nil }
            place = token(end)
            if place.pointee == .comma {
                place = token(place + 1)
                continue
            }
            guard place.pointee == bracket else { return nil }
            nesting.leave()
            return place + 1
        }
    }

    /// Validates and skips a value; returns its end.
    @inline(__always) mutating func skip(_ start: Bytes) -> Bytes? {
        start.pointee == .quote ? skipString(start + 1) : skipNoString(start)
    }

    @inline(never) private mutating func skipNoString(_ start: Bytes) -> Bytes? {
        switch start.pointee {
        case .openBrace:
            return members(start) { reader, key in
                guard let keyEnd = skipString(key + 1), let place = reader.value(behind: keyEnd) else { return nil }
                return reader.skip(place)
            }
        case .openBracket: return elements(start) { reader, place in reader.skip(place) }
        case UInt8(ascii: "n"): return start.isNull ? start + 4 : nil
        case UInt8(ascii: "t"): return start.isTrue ? start + 4 : nil
        case UInt8(ascii: "f"): return start.isFalse ? start + 5 : nil
        default: return skipNumber(start)
        }
    }

    /// Skips an object, member by member.
    ///
    /// - Parameter member: Receives the place of a key's opening quote; skips the key and the value.
    @inline(__always) mutating func members(
        _ start: Bytes, _ member: (inout PlanReader, _ key: Bytes) -> Bytes?
    ) -> Bytes? {
        elements(start, closedBy: .closeBrace) { reader, place in
            place.pointee == .quote ? member(&reader, place) : nil
        }
    }

    /// Returns the value of a member after its key; `nil` if the colon is missing.
    @inline(__always) mutating func value(behind key: Bytes) -> Bytes? {
        let place = token(key)
        return place.pointee == .colon ? token(place + 1) : nil
    }

    /// Skips an object and calls a closure with each of its members; the closure skips the member's value.
    ///
    /// - Parameter read: Receives the key without quotes and escapes, which stays in memory until the next text with
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
