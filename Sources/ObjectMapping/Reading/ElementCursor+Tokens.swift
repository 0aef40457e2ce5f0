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
        } catch WindowFailure.full {
            throw MappingError(tooLarge)
        }
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
}
