/// A place in a text that stays where it is as long as anything in it is read.
struct TextPlace {
    /// The first byte of the text.
    var head: UnsafeRawPointer
    var start: UnsafeRawPointer
    /// Behind the last byte of the text.
    var end: UnsafeRawPointer

    /// The text from the place on.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end - start) }

    /// The key of the member whose value begins at a place, as it stands between its quotes; nil if it is no member's.
    func key(before value: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
        guard let colon = token(before: value), byte(colon) == .colon, let close = token(before: colon),
            byte(close) == .quote
        else { return nil }
        var open = close
        repeat {
            guard open > head else { return nil }
            open -= 1
        } while byte(open) != .quote || isEscaped(open)
        return UnsafeRawBufferPointer(start: open + 1, count: close - open - 1)
    }

    private func token(before place: UnsafeRawPointer) -> UnsafeRawPointer? {
        var place = place
        while place > head {
            place -= 1
            if !byte(place).isJSONBlank { return place }
        }
        return nil
    }

    /// Whether an odd number of backslashes stands before a byte.
    private func isEscaped(_ place: UnsafeRawPointer) -> Bool {
        var first = place
        while first > head, byte(first - 1) == .backslash { first -= 1 }
        return (place - first) % 2 == 1
    }

    private func byte(_ place: UnsafeRawPointer) -> UInt8 { place.load(as: UInt8.self) }
}

extension PlanReader {
    /// Where a value stands, in the payload if it or a copy of it does.
    func textPlace(_ place: Bytes) -> TextPlace {
        if let copied {
            return TextPlace(
                head: copied.original.head, start: copied.original.start + (place - copied.copy),
                end: copied.original.end)
        }
        let start = UnsafeRawPointer(window.start) + (window.offset(place) - window.position.offset)
        return TextPlace(head: UnsafeRawPointer(window.start), start: start, end: UnsafeRawPointer(window.end))
    }
}
