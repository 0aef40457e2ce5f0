extension ElementCursor {
    /// The next token, read on where the window ends before it.
    mutating func token(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        var place = reader.token(start)
        while window.isAtEnd(place), !window.isComplete {
            place = reader.token(try more(keeping: place))
        }
        return place
    }

    /// Goes on to the next token; blanks before it need not stay in memory.
    mutating func advance(_ reader: inout PlanReader) throws {
        place = reader.token(place)
        while window.isAtEnd(place), !window.isComplete { place = reader.token(try more(keeping: place)) }
    }

    /// Reads on behind what stands from a place to the end of the window; the place's new address.
    mutating func more(keeping place: Bytes) throws -> Bytes {
        do {
            return try window.slide(keeping: place)
        } catch WindowFailure.full(_) {
            throw MappingError(tooLarge)
        }
    }

    /// The issue of an element that is too large for memory; the window begins with it.
    var tooLarge: MappingIssue {
        MappingIssue(
            kind: .limit, path: steps.text, position: window.position,
            expected: "an element of at most \(window.largestCapacity) bytes", found: "a longer one")
    }

    /// Makes sure that a string or number is in the window as a whole; its address.
    mutating func whole(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        var start = start
        while true {
            let end = reader.skip(start)
            if let end, window.isComplete || !window.isAtEnd(end) { return start }
            guard !window.isComplete else { throw broken(at: start, "a value") }
            if end == nil, let issue = definiteIssue(at: start) { throw MappingError(issue) }
            start = try more(keeping: start)
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
            window.bytes(from: start, to: window.end), maximumDepth: maximumDepth, origin: origin, prefix: steps,
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
