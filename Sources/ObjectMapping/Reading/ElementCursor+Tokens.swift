extension ElementCursor {
    /// Goes on to the next token; blanks before it need not stay in memory.
    mutating func advance(_ reader: inout PlanReader) throws {
        place = reader.token(place)
        while !window.isComplete, window.isAtEnd(place) { place = reader.token(try more(keeping: place)) }
    }

    /// Reads on behind what stands from a place to the end of the window; the place's new address.
    mutating func more(keeping place: Bytes) throws -> Bytes {
        do {
            return try window.slide(keeping: place)
        } catch WindowFailure.full {
            throw MappingError(tooLarge)
        }
    }
}
