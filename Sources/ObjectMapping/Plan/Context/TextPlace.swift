/// A place in a text that stays where it is as long as anything in it is read.
struct TextPlace {
    /// The first byte of the text.
    var head: Bytes
    var start: Bytes
    /// Behind the last byte of the text.
    var end: Bytes

    /// The text from the place on.
    var rest: ByteView { start.raw(end - start) }

    /// The key of the member whose value begins at a place, as it stands between its quotes; nil if it is no member's.
    func key(before value: Bytes) -> ByteView? {
        guard let colon = token(before: value), colon.pointee == .colon, let close = token(before: colon),
            close.pointee == .quote
        else { return nil }
        var open = close
        repeat {
            guard open > head else { return nil }
            open -= 1
        } while open.pointee != .quote || isEscaped(open)
        return (open + 1).raw(close - open - 1)
    }

    private func token(before place: Bytes) -> Bytes? {
        var place = place
        while place > head {
            place -= 1
            if !place.pointee.isJSONBlank { return place }
        }
        return nil
    }

    /// Whether an odd number of backslashes stands before a byte.
    private func isEscaped(_ place: Bytes) -> Bool {
        var first = place
        while first > head, (first - 1).pointee == .backslash { first -= 1 }
        return (place - first) % 2 == 1
    }

}
