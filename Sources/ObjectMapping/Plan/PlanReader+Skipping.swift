// Lists and values nobody maps.
extension PlanReader {
    /// Reads the elements of a list, or the members of an object, each by the closure.
    @inline(__always) mutating func elements(
        _ start: Bytes, closedBy bracket: UInt8 = .closeBracket, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bytes? {
        depth &+= 1
        if depth > maximumDepth { return nil }
        var place = token(start + 1)
        if place.pointee == bracket {
            depth &-= 1
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
            depth &-= 1
            return place + 1
        }
    }

    /// Past a value; everything in it is checked.
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
}
