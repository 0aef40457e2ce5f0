extension ElementCursor {
    /// The next token, read on where the window ends before it.
    mutating func token(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        var place = reader.token(start)
        while window.isAtEnd(place), !window.isComplete {
            place = reader.token(try window.slide(keeping: place))
        }
        return place
    }

    /// Makes sure that a string or number is in the window as a whole; its address.
    mutating func whole(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        var start = start
        while true {
            let end = reader.skip(start)
            if let end, window.isComplete || !window.isAtEnd(end) { return start }
            guard !window.isComplete else { throw broken(at: start, "a value") }
            if end == nil, let issue = definiteIssue(at: start) { throw MappingError(issue) }
            start = try window.slide(keeping: start)
        }
    }

    /// Past a value, whatever its size; everything in it is checked.
    mutating func skip(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        reader.reset(depth: frames.count)
        if let end = reader.skip(start), window.isComplete || !window.isAtEnd(end) { return end }
        guard !window.isComplete else { throw broken(at: start, "a value") }
        return try skipByTokens(start, &reader, depth: frames.count)
    }

    private mutating func skipByTokens(_ start: Bytes, _ reader: inout PlanReader, depth: Int) throws -> Bytes {
        let isObject = start.pointee == .openBrace
        guard isObject || start.pointee == .openBracket else {
            reader.reset(depth: depth)
            let start = try whole(start, &reader)
            return reader.skip(start) ?? start
        }
        guard depth < reader.maximumDepth else {
            throw MappingError(
                unexpected(
                    at: start, "at most \(reader.maximumDepth) levels of nesting",
                    "nesting deeper than \(reader.maximumDepth) levels"))
        }
        let close: UInt8 = isObject ? .closeBrace : .closeBracket
        var place = try token(start + 1, &reader)
        if place.pointee == close { return place + 1 }
        while true {
            if isObject {
                guard place.pointee == .quote else { throw broken(at: place, "a key") }
                place = try whole(place, &reader)
                place = try token(reader.skip(place) ?? place, &reader)
                guard place.pointee == .colon else { throw broken(at: place, "a colon") }
                place = try token(place + 1, &reader)
            }
            place = try token(try skipByTokens(place, &reader, depth: depth + 1), &reader)
            if place.pointee == .comma {
                place = try token(place + 1, &reader)
            } else if place.pointee == close {
                return place + 1
            } else {
                throw broken(at: place, isObject ? "a comma or '}'" : "a comma or ']'")
            }
        }
    }

    // MARK: Places and issues

    /// The line and column of a place.
    mutating func position(of start: Bytes) -> TextPosition {
        let offset = window.offset(start)
        if mark.offset < window.position.offset || mark.offset > offset { mark = window.position }
        mark.advance(
            over: window.bytes, from: mark.offset - window.position.offset, to: offset - window.position.offset)
        return mark
    }

    /// What is wrong with the value that begins at a place, if more text cannot mend it.
    mutating func definiteIssue(at start: Bytes) -> MappingIssue? {
        // Nearly always the value is only cut off by the window, so lines are counted when it turns out to be broken.
        if !window.isComplete, case .cut = check(start, origin: TextPosition(offset: window.offset(start))) {
            return nil
        }
        switch check(start, origin: position(of: start)) {
        case .wrong(let issue), .cut(let issue): return issue
        case .sound: return nil
        }
    }

    private func check(_ start: Bytes, origin: TextPosition) -> DocumentWalker.Outcome {
        DocumentWalker.check(
            window.bytes(from: start, to: window.end), origin: origin, prefix: steps,
            mayContinue: !window.isComplete, allowsTrailingText: true)
    }

    /// The issue of a place at which something else should stand.
    mutating func unexpected(
        at start: Bytes, _ expected: String = "a JSON value", _ found: String? = nil
    ) -> MappingIssue {
        let rest = window.bytes(from: start, to: window.end)
        return MappingIssue(
            kind: .syntax, path: steps.text, position: position(of: start), expected: expected,
            found: found ?? DocumentWalker(rest, mayContinue: !window.isComplete).description(at: 0))
    }

    mutating func broken(at start: Bytes, _ expected: String) -> MappingError {
        if expected == "a value", let issue = definiteIssue(at: start) { return MappingError(issue) }
        return MappingError(unexpected(at: start, expected))
    }
}
