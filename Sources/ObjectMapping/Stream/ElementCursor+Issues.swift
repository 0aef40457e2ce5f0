extension ElementCursor {
    /// Returns the line and column of a place.
    mutating func position(of start: Bytes) -> TextPosition {
        let offset = window.offset(start)
        if mark.offset < window.position.offset || mark.offset > offset { mark = window.position }
        mark.advance(
            over: window.bytes, from: mark.offset - window.position.offset, to: offset - window.position.offset)
        return mark
    }

    /// Returns the first error in the whole text.
    func firstIssue(in bytes: ByteView) -> MappingIssue? {
        JSONTokenizer.firstIssue(in: bytes, maximumDepth: maximumDepth)
    }

    /// Returns the issue of unexpected text at a place.
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

    /// Returns the issue of lines whose value was read to a place, if the value is not an element.
    mutating func issueOfLines(readTo end: Bytes?) -> MappingIssue? {
        guard shape == .line, end.map({ isElement(to: $0) }) != true else { return nil }
        return failureOfLines.map {
            $0.isTruncated && place + lineLength < window.end ? $0.issue.atEndOfLine : $0.issue
        }
    }

    /// The first error in the text up to the end of the line, or of an invalid element.
    var failureOfLines: SyntaxFailure? {
        mutating get {
            JSONTokenizer.firstFailure(
                in: window.bytes(from: place, to: place + lineLength), maximumDepth: maximumDepth,
                origin: position(of: place))
        }
    }

    /// Returns the issue of a repeated key in the path; the cursor is at its value.
    mutating func repeated(_ key: String) -> MappingIssue {
        MappingIssue(
            kind: .manyElements, path: steps.text, position: position(of: place),
            expected: "a unique key '\(key)' on the path '\(search.path)'", found: "a duplicate key")
    }

    /// Returns the issue of an element that exceeds the memory, or of a text that is too long; the window starts with the
    /// element.
    func issue(_ failure: WindowFailure) -> MappingIssue {
        let (expected, found) =
            failure == .tooLong
            ? ("a text of at most \(Int.max) bytes", "a longer text")
            : ("an element of at most \(window.elementLimit) bytes", "a larger element")
        return MappingIssue(
            kind: .limit, path: steps.text, position: window.position, expected: expected, found: found)
    }

    /// Returns the issue of the first element beyond the limit.
    mutating func tooMany(limit: Int) -> MappingIssue {
        MappingIssue(
            kind: .limit, path: steps.text, position: position(of: place), expected: "at most \(limit) elements",
            found: "more")
    }

    /// Returns the text of the element, which ends at a place.
    func text(to end: Bytes) -> ByteView { window.bytes(from: place, to: end) }

    /// Returns the issues in the element.
    mutating func issues(of found: FindingList, to end: Bytes, _ plan: Plan, limit: Int) -> [MappingIssue] {
        plan.issues(found, in: text(to: end), at: position(of: place), under: steps, limit: limit)
    }

    /// Returns the element, rejected because of its issues.
    func rejected(_ json: Data, _ issues: [MappingIssue]) -> RejectedElement {
        RejectedElement(index: index, path: steps.text, json: json, issues: issues)
    }
}

extension MappingIssue {
    /// The issue for a text that is a line.
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

    /// Writes the path of the element over another one, reusing its memory.
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
    /// Whether the collection itself is open, and not a single element.
    var isInCollection: Bool { shape == .line || isInElements || memberKey != nil }

    /// Whether the open collection is that of another cursor.
    func isInSameCollection(as other: ElementCursor) -> Bool {
        isInCollection && steps.dropLast() == other.steps.dropLast()
    }

    /// Advances to the next token; whitespace before it can be removed from memory.
    mutating func advance(_ reader: inout PlanReader) throws {
        place = reader.token(place)
        while !window.isComplete, window.isAtEnd(place) { place = reader.token(try more(keeping: place)) }
    }

    /// Reads more text after a place and the end of the window; returns the place's new address.
    mutating func more(keeping place: Bytes) throws -> Bytes {
        do {
            return try window.slide(keeping: place)
        } catch let failure as WindowFailure where failure != .needsText {
            throw MappingError(issue(failure))
        }
    }
}
