extension ElementCursor {
    /// The line and column of a place.
    mutating func position(of start: Bytes) -> TextPosition {
        let offset = window.offset(start)
        if mark.offset < window.position.offset || mark.offset > offset { mark = window.position }
        mark.advance(
            over: window.bytes, from: mark.offset - window.position.offset, to: offset - window.position.offset)
        return mark
    }

    /// What is wrong with the whole text.
    func firstIssue(in bytes: ByteView) -> MappingIssue? {
        JSONTokenizer.firstIssue(in: bytes, maximumDepth: maximumDepth)
    }

    /// The issue of a place at which something else should stand.
    mutating func unexpected(
        at start: Bytes, _ expected: String = "a JSON value", _ found: String? = nil
    ) -> MappingIssue {
        let rest = window.bytes(from: start, to: window.end)
        return MappingIssue(
            kind: .syntax, path: steps.text, position: position(of: start), expected: expected,
            found: found ?? SyntaxFailure.description(of: rest))
    }

    mutating func broken(at start: Bytes, _ expected: String) -> MappingError {
        if expected == "a value" {
            var tokenizer = JSONTokenizer(
                window.bytes(from: start, to: window.end), maximumDepth: maximumDepth, origin: position(of: start),
                prefix: steps)
            if tokenizer.run() == .failure, let issue = tokenizer.issue { return MappingError(issue) }
        }
        return MappingError(unexpected(at: start, expected))
    }

    /// Whether a value that ends at a place is all that stands on its line.
    func isLineRead(to end: Bytes?) -> Bool {
        let lineEnd = place + lineLength
        guard var end, end <= lineEnd else { return false }
        while end < lineEnd, end.pointee.isJSONBlank { end += 1 }
        return end == lineEnd
    }

    /// What is wrong with a line whose value was read to a place: one value is all that may stand on it.
    mutating func issueOfLine(readTo end: Bytes?) -> MappingIssue? {
        guard shape == .line, !isLineRead(to: end) else { return nil }
        let lineEnd = place + lineLength
        let failure = JSONTokenizer.firstFailure(
            in: window.bytes(from: place, to: lineEnd), maximumDepth: maximumDepth, origin: position(of: place))
        return failure.map { $0.isCut && lineEnd < window.end ? $0.issue.atEndOfLine : $0.issue }
    }

    /// The issue of a key of the path that occurs again in an object; the cursor is at its value.
    mutating func repeated(_ key: String) -> MappingIssue {
        MappingIssue(
            kind: .manyElements, path: steps.text, position: position(of: place),
            expected: "the key '\(key)' once, as it leads to '\(search.path)'", found: "this key again")
    }

    /// The issue of an element that is too large for memory; the window begins with it.
    var tooLarge: MappingIssue {
        MappingIssue(
            kind: .limit, path: steps.text, position: window.position,
            expected: "an element of at most \(window.elementLimit) bytes", found: "a longer one")
    }

    /// The issue of an element beyond the last one that a limit allows.
    mutating func tooMany(limit: Int) -> MappingIssue {
        MappingIssue(
            kind: .limit, path: steps.text, position: position(of: place), expected: "at most \(limit) elements",
            found: "more")
    }

    /// The text of the element, which ends at a place.
    func text(to end: Bytes) -> ByteView { window.bytes(from: place, to: end) }

    /// The issues that were found in the element.
    mutating func issues(of found: FindingList, to end: Bytes, _ plan: Plan, limit: Int) -> [MappingIssue] {
        plan.issues(found, in: text(to: end), at: position(of: place), under: steps, limit: limit)
    }

    /// The element, left out because of its issues.
    func rejected(_ json: Data, _ issues: [MappingIssue]) -> RejectedElement {
        RejectedElement(index: index, path: steps.text, json: json, issues: issues)
    }
}

extension MappingIssue {
    /// The same, where a line takes the part of the text.
    fileprivate var atEndOfLine: MappingIssue {
        MappingIssue(
            kind: kind, path: path, position: TextPosition(line: line, column: column, offset: offset), rule: rule,
            expected: expected, found: "the end of the line", suggestions: suggestions, value: value)
    }
}

extension ElementCursor {
    /// The path of the element.
    var steps: [JSONPathStep] {
        var steps: [JSONPathStep] = []
        write(to: &steps)
        return steps
    }

    /// Writes the path of the element over another one, in the memory of that.
    func write(to steps: inout [JSONPathStep]) {
        steps.removeAll(keepingCapacity: true)
        if shape == .line { return }
        for frame in frames {
            let step: JSONPathStep =
                switch frame {
                case .search(_, let key, _), .members(let key): .key(key)
                case .through(_, let index): .index(index)
                case .elements: .index(elementIndex)
                }
            steps.append(step)
        }
    }
}

extension ElementCursor {
    /// Whether the collection itself is open, not a lone element.
    var isInCollection: Bool { shape == .line || isInElements || memberKey != nil }

    /// Whether the collection that is open is that of another cursor.
    func isInSameCollection(as other: ElementCursor) -> Bool {
        isInCollection && steps.dropLast() == other.steps.dropLast()
    }

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
