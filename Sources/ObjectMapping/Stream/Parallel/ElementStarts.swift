/// Places in the text of a collection from which threads read on, each up to the next one.
///
/// But for lines, whose ends are certain, the places are guesses: finding them costs next to nothing, where a look at
/// every bracket of the text would take a third of the time of reading it. A guess is proven by the thread that reads the
/// elements before it, when it comes to an element that begins there.
struct ElementStarts {
    struct Start {
        /// Where a cursor goes on: at the element, or at the member's key.
        var place: Bytes
        /// Bytes before the element in the text.
        var offset: Int
    }

    /// The first one is that of the collection's first element.
    private(set) var starts: [Start]
    let chunkSize: Int
    /// Bytes from the first element to the end of the text.
    let byteCount: Int
    /// Bytes of an element with what follows it, as the first ones have.
    let elementSize: Int
    /// Bytes behind the first element that tell how long others are.
    private static var sampleSize: Int { 16 << 10 }
    private let shape: ElementShape
    /// Behind the last byte that may be looked at.
    private let end: Bytes

    /// The starts in the collection of which a cursor has come to the first element; nil where threads would not pay.
    init?(_ cursor: borrowing ElementCursor, _ settings: ParallelReading) {
        let window = cursor.window
        let first = cursor.place
        end = min(window.end, window.fence)
        shape = cursor.shape
        // What stands in the window's tail has no place among the other addresses, and is too short anyway.
        guard cursor.isInCollection, settings.threadCount > 1, first >= window.start, first < end,
            end - first >= settings.shortestText
        else { return nil }
        byteCount = end - first
        chunkSize = settings.chunkSize(for: end - first)
        starts = [Start(place: first, offset: window.offset(first))]
        let horizon = min(end, first + settings.longestElement)
        guard let size = ElementStarts.length(of: first, shape, before: horizon) else { return nil }
        elementSize = ElementStarts.meanLength(
            from: first, of: size, shape, before: min(end, first + size + ElementStarts.sampleSize))
        var next = first + chunkSize
        while next < end {
            let limit = end - next > chunkSize ? next + chunkSize : end
            if let place = start(from: next, before: limit), let element = element(at: place) {
                let offset = window.offset(element)
                if offset > starts[starts.count - 1].offset { starts.append(Start(place: place, offset: offset)) }
            }
            next = limit
        }
        if starts.count == 1 { return nil }
    }

    // MARK: Guesses

    private func start(from place: Bytes, before limit: Bytes) -> Bytes? {
        shape == .line ? lineStart(from: place, before: limit) : siblingStart(from: place, before: limit)
    }

    /// The value that begins at a place, or behind the key there.
    private func element(at place: Bytes) -> Bytes? {
        guard shape == .member else { return place }
        guard let keyEnd = skipString(place + 1), keyEnd < end else { return nil }
        let colon = skipWhitespace(keyEnd)
        guard colon < end, colon.pointee == .colon else { return nil }
        let value = skipWhitespace(colon + 1)
        return value < end ? value : nil
    }

    private func lineStart(from place: Bytes, before limit: Bytes) -> Bytes? {
        guard let newline = place.first(0x0A, before: limit) else { return nil }
        let next = skipWhitespace(newline)
        return next < end ? next : nil
    }

    /// What stands behind a comma at the outermost level within the bytes of some elements: likely the collection's.
    private func siblingStart(from place: Bytes, before limit: Bytes) -> Bytes? {
        guard let anchor = objectStart(from: place, before: limit) else { return nil }
        let size = max(4096, 2 * elementSize)
        let horizon = end - anchor > size ? anchor + size : end
        var sibling: Bytes?
        var outermost = 0
        ElementStarts.walk(from: anchor, before: horizon) { p, depth in
            if depth < outermost { (outermost, sibling) = (depth, nil) }
            guard p.pointee == .comma, depth == outermost, sibling == nil else { return true }
            let next = skipWhitespace(p + 1)
            if next < end, next.pointee == (shape == .member ? .quote : .openBrace) { sibling = next }
            return true
        }
        return sibling
    }

    /// The next brace that begins an object, and is no part of a string.
    ///
    /// A quote behind it, with something behind that which cannot follow a string, begins a key: so the brace is none of a
    /// string's.
    private func objectStart(from place: Bytes, before limit: Bytes) -> Bytes? {
        var p = place
        while p < limit, let brace = p.first(.openBrace, before: limit) {
            let quote = skipWhitespace(brace + 1)
            if quote < end, quote.pointee == .quote {
                switch quote[1] {
                case 0...0x20, .comma, .colon, .closeBrace, .closeBracket: break
                default: return brace
                }
            }
            p = brace + 1
        }
        return nil
    }

    /// Bytes of the value at a place; nil if it does not end before another place.
    private static func length(of start: Bytes, _ shape: ElementShape, before limit: Bytes) -> Int? {
        if shape == .line { return start.first(0x0A, before: limit).map { $0 - start } }
        // That of another kind says nothing of those that follow.
        guard start.pointee == .openBrace else { return 256 }
        var length: Int?
        walk(from: start, before: limit) { p, depth in
            if depth == 0 { length = p + 1 - start }
            return length == nil
        }
        return length
    }

    /// Bytes of an element with what follows it, as those have that end before a place.
    ///
    /// - Parameter size: Bytes of the first one.
    private static func meanLength(from start: Bytes, of size: Int, _ shape: ElementShape, before limit: Bytes) -> Int {
        var (count, last) = (0, start)
        if shape == .line {
            while last < limit, let newline = last.first(0x0A, before: limit) {
                last = newline + 1
                count += 1
            }
        } else if start.pointee == .openBrace {
            walk(from: start, before: limit) { p, depth in
                if p.pointee == .comma, depth == 0 { (count, last) = (count + 1, p + 1) }
                return depth >= 0
            }
        }
        return max(1, count > 0 ? (last - start) / count : size)
    }

    /// Calls a closure with each bracket and comma outside of strings, and how many brackets are open behind it, until it
    /// returns false.
    private static func walk(from start: Bytes, before limit: Bytes, _ visit: (Bytes, _ depth: Int) -> Bool) {
        var depth = 0
        var p = start
        while p < limit {
            switch p.pointee {
            case .quote:
                guard let next = skipString(p + 1) else { return }
                p = next
                continue
            case .openBrace, .openBracket: depth += 1
            case .closeBrace, .closeBracket: depth -= 1
            case .comma: break
            default:
                p += 1
                continue
            }
            if !visit(p, depth) { return }
            p += 1
        }
    }
}
