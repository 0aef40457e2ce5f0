/// Places in the text of a collection at which threads start reading, each up to the next one.
///
/// The places are guesses: they are cheap, whereas matching every bracket of the text would take a
/// third of the reading time. A guess is confirmed by the thread that reads the preceding elements, if one of them ends
/// there.
struct ElementStarts {
    struct Start {
        /// The place at which a cursor continues: at the element, or at the member's key.
        var place: Bytes
        /// The offset of the element in the text.
        var offset: Int
    }

    /// The first one is that of the collection's first element.
    private(set) var starts: [Start]
    let chunkSize: Int
    /// The number of bytes from the first element to the end of the text.
    let byteCount: Int
    /// The estimated number of bytes per element, including its separator.
    let elementSize: Int
    /// The number of bytes after the first element that are used for the estimate.
    private static var sampleSize: Int { 16 << 10 }
    private let shape: ElementShape
    /// The end of the bytes that may be read.
    private let end: Bytes

    /// Finds the starts in a collection whose first element is at a cursor; `nil` if threads would not be faster.
    init?(_ cursor: borrowing ElementCursor, _ settings: ParallelReading) {
        let window = cursor.window
        let first = cursor.place
        end = min(window.end, window.fence)
        shape = cursor.shape
        // A place in the window's tail cannot be compared with others, and the text is too short anyway.
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

    /// Returns the value at a place, or after the key there.
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

    /// Returns the place after a comma at the outermost level within the bytes of some elements, probably that of the
    /// collection.
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

    /// Returns the next brace that starts an object, and is not in a string.
    ///
    /// If it is followed by a quote, and then by text that cannot follow a string, the quote starts a key: so the brace
    /// is not in a string.
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

    /// Returns the length of the value at a place; `nil` if it does not end before another place.
    private static func length(of start: Bytes, _ shape: ElementShape, before limit: Bytes) -> Int? {
        // The length of another kind of value is not typical.
        guard start.pointee == .openBrace else {
            return shape == .line ? start.first(0x0A, before: limit).map { $0 - start } : 256
        }
        var length: Int?
        walk(from: start, before: limit) { p, depth in
            if depth == 0 { length = p + 1 - start }
            return length == nil
        }
        return length
    }

    /// Returns the average length of elements that end before a place, including separators.
    ///
    /// - Parameter size: The length of the first element.
    private static func meanLength(from start: Bytes, of size: Int, _ shape: ElementShape, before limit: Bytes) -> Int {
        var (count, last) = (0, start)
        if start.pointee == .openBrace {
            let separator = shape == .line ? UInt8.closeBrace : .comma
            walk(from: start, before: limit) { p, depth in
                if p.pointee == separator, depth == 0 { (count, last) = (count + 1, p + 1) }
                return depth >= 0
            }
        } else if shape == .line {
            while last < limit, let newline = last.first(0x0A, before: limit) {
                last = newline + 1
                count += 1
            }
        }
        return max(1, count > 0 ? (last - start) / count : size)
    }

    /// Calls a closure with each bracket and comma outside of strings, and the number of open brackets after it, until
    /// it returns false.
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
