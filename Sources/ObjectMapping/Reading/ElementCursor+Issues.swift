extension ElementCursor {
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

    /// What is wrong with the whole text.
    func firstIssue(in bytes: UnsafeRawBufferPointer) -> MappingIssue? {
        DocumentWalker.firstIssue(in: bytes, maximumDepth: maximumDepth)
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
        let origin = position(of: place)
        switch DocumentWalker.check(window.bytes(from: place, to: lineEnd), maximumDepth: maximumDepth, origin: origin)
        {
        case .sound: return nil
        case .wrong(let issue): return issue
        case .cut(let issue): return lineEnd < window.end ? issue.atEndOfLine : issue
        }
    }

    /// The issue of an element that is too large for memory; the window begins with it.
    var tooLarge: MappingIssue {
        MappingIssue(
            kind: .limit, path: steps.text, position: window.position,
            expected: "an element of at most \(window.largestCapacity) bytes", found: "a longer one")
    }

    var expectation: String { keys.isEmpty ? "elements" : "elements at '\(path)'" }

    var notFound: MappingIssue {
        let wanted = depthReached < keys.count ? keys[depthReached] : ""
        let seen = keysSeen.isEmpty ? "nothing there" : "the keys \(keysSeen.prefix(12).joined(separator: ", "))"
        return MappingIssue(
            kind: .notFound, path: "$", position: TextPosition(), expected: expectation, found: seen,
            suggestions: nearestNames(to: wanted, among: keysSeen))
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
