extension DocumentWalker {
    /// What became of a text.
    package enum Outcome: Sendable, Equatable {
        /// A whole value, which ends before this offset of the buffer.
        case sound(end: Int)
        /// Nothing is wrong yet, but the buffer ends inside the value; the issue holds if no more text comes.
        case cut(MappingIssue)
        /// Wrong, whatever may follow.
        case wrong(MappingIssue)
    }

    /// Reads the buffer to the end of its value.
    ///
    /// - Parameter allowsTrailingText: Whether anything but blanks may follow the value.
    package static func check(
        _ bytes: UnsafeRawBufferPointer, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = [], mayContinue: Bool = false, allowsTrailingText: Bool = false
    ) -> Outcome {
        var walker = DocumentWalker(
            bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix, mayContinue: mayContinue)
        while true {
            switch walker.next() {
            case .key, .scalar, .open, .close:
                continue
            case .failure:
                guard let issue = walker.issue else { return .sound(end: walker.offset) }
                return walker.failure?.isCut == true ? .cut(issue) : .wrong(issue)
            case .end(let end):
                if allowsTrailingText { return .sound(end: end) }
                walker.skipBlanks()
                if walker.offset == bytes.count { return .sound(end: end) }
                let isInvalid = if case .character = walker.utf8Sequence(at: walker.offset) { false } else { true }
                walker.fail(
                    expected: "the end of the text",
                    found: isInvalid ? walker.description(at: walker.offset) : "text after the value")
            }
        }
    }

    /// The first mistake in a text; nil if it is one sound value with nothing but blanks around it.
    package static func firstIssue(
        in bytes: UnsafeRawBufferPointer, maximumDepth: Int = MappingLimits.usualDepth,
        origin: TextPosition = TextPosition(),
        prefix: [JSONPathStep] = []
    ) -> MappingIssue? {
        switch check(bytes, maximumDepth: maximumDepth, origin: origin, prefix: prefix) {
        case .sound: nil
        case .cut(let issue), .wrong(let issue): issue
        }
    }

    /// The failure with its place.
    package var issue: MappingIssue? {
        guard let failure else { return nil }
        return MappingIssue(
            kind: .syntax, path: path(through: failureDepth).text,
            position: origin.advanced(over: bytes, to: failure.offset),
            expected: failure.expected, found: failure.found, value: excerpt(at: failure.offset))
    }

    /// How many of the open containers have a current value that is broken: between values, the last one has none.
    var failureDepth: Int {
        switch failure?.state {
        case .value, .firstElement, .colon: frames.count
        default: frames.count - 1
        }
    }

    /// The path of the current value of the container at a depth, with as much of its keys as is written.
    func path(through depth: Int) -> [JSONPathStep] {
        guard depth > 0 else { return prefix }
        return prefix
            + frames.prefix(depth).map { frame in
                guard frame.isObject else { return .index(frame.index) }
                return .key(JSONText.unescaped(bytes[frame.key ?? 0..<0].prefix(JSONPathStep.bytesOfKey)))
            }
    }

    private func excerpt(at place: Int) -> String? {
        let text = String(decoding: bytes[min(place, bytes.count)...].prefix(32), as: UTF8.self)
        return text.isEmpty ? nil : JSONText.quoted(text)
    }
}
