/// Finds the elements of a collection in a text in order, while a window slides over it.
///
/// The collection is at a key path; arrays in the path are searched element by element. Other values are validated and
/// skipped, token by token if they exceed the window, so that memory is bounded.
struct ElementCursor {
    enum Frame {
        /// An object in which a key of the path is searched.
        case search(depth: Int, key: String, isFound: Bool)
        /// An array whose elements continue the path.
        case through(depth: Int, index: Int)
        case elements
        case members(key: String)
    }

    // A step that lacks text can be repeated: it has no effect until all of its text is available.
    private enum State {
        case value(depth: Int), otherValue, restOfOtherValue, firstElement, element, elementValue, firstMember, member
        case colon(key: String), memberValue(key: String), afterValue, line, done
    }

    let window: Window
    let shape: ElementShape
    private(set) var search: PathSearch
    private(set) var frames: [Frame] = []
    /// The index of the element in the open collection.
    private(set) var elementIndex = -1
    /// Whether the elements of a list are being read, and not members, or a list in the path.
    private(set) var isInElements = false
    /// The offset of that list in the text.
    private(set) var listOffset = 0
    private var state: State
    /// The text is needed from this place on; the start of the element, until it is read.
    var place: Bytes
    /// The length of the line at `place`, without its line feed.
    ///
    /// During the search for its end, the number of searched bytes. After an invalid element, the length of all its lines.
    private(set) var lineLength = 0
    /// A value that continues after the window.
    private var partial: PartialValue?
    let maximumDepth: Int
    /// The index of the last found element.
    private(set) var index = -1
    /// The number of elements that are null, which are skipped.
    private(set) var nullCount = 0
    /// The number of containers around a collection that is read separately; `nil` if the whole text is searched.
    private var outerDepth: Int?
    /// A place with a known position.
    var mark = TextPosition()

    init(
        window: Window, path: JSONKeyPath, shape: ElementShape,
        maximumDepth: Int = MappingLimits.usualDepth
    ) throws(MappingError) {
        let keys = try PathSearch.keys(of: path)
        if window.position.offset == 0, let encoding = SyntaxFailure.foreignEncoding(of: window.bytes) {
            throw MappingError(.payload(.syntax, "UTF-8", encoding))
        }
        search = PathSearch(path, keys)
        self.window = window
        self.shape = shape
        self.maximumDepth = maximumDepth
        state = shape == .line ? .line : .value(depth: 0)
        place = window.start
    }

    /// The member's key, if elements are the members of an object.
    var memberKey: String? {
        if case .members(let key)? = frames.last { key } else { nil }
    }

    /// The number of open containers around the element.
    var depth: Int { frames.count }

    /// Continues with the element, or the member's key, at a place in the open collection; elements are counted from
    /// there.
    mutating func resume(at place: Bytes) {
        self.place = place
        lineLength = 0
        (index, elementIndex) = (-1, -1)
        state = shape == .line ? .line : shape == .member ? .member : .element
    }

    /// Moves to a collection that was found, after which the elements end.
    ///
    /// - Parameter frames: The containers around it.
    mutating func enter(_ collection: Bytes, in frames: [Frame]) {
        place = collection
        self.frames = frames
        outerDepth = frames.count
        isInElements = false
        state = .value(depth: search.depth)
    }

    /// Continues the counts of another cursor, which read the preceding text.
    mutating func advance(by other: Progress, isSameCollection: Bool) {
        index += other.index
        if isSameCollection { elementIndex += other.elementIndex }
    }

    /// Returns the start of the next element; `nil` at the end of a valid text.
    ///
    /// - Throws: `MappingError` for invalid JSON, and for a text without a collection at the path; the errors of the
    ///   source.
    @inline(__always) mutating func next(_ reader: inout PlanReader) throws -> Bytes? {
        // Usually, an element of a list is followed by a comma and an object.
        if isInElements, case .afterValue = state, place.pointee == .comma {
            place = reader.token(place + 1)
            state = .element
            if place.pointee == .openBrace {
                elementIndex += 1
                return begin(&reader)
            }
        }
        return try nextByState(&reader)
    }

    private mutating func nextByState(_ reader: inout PlanReader) throws -> Bytes? {
        while true {
            switch state {
            case .done: return nil
            case .line:
                try advance(&reader)
                if window.isAtEnd(place) {
                    state = .done
                    return nil
                }
                try findEndOfLine()
                return begin(&reader)
            case .value(let depth):
                try advance(&reader)
                if let start = try collection(depth, &reader) { return start }
            case .otherValue:
                try advance(&reader)
                try skipOther(&reader)
            case .restOfOtherValue: try skipRest()
            case .firstElement:
                try advance(&reader)
                if place.pointee == .closeBracket { close() } else { state = .element }
            case .element:
                try advance(&reader)
                if isInElements {
                    elementIndex += 1
                    state = .elementValue
                    if place.pointee == .openBrace { return begin(&reader) }
                } else {
                    nextIndex()
                }
            case .elementValue:
                if try !skipNull(&reader) { return begin(&reader) }
                nullCount += 1
            case .firstMember:
                try advance(&reader)
                if place.pointee == .closeBrace { close() } else { state = .member }
            case .member: try key(&reader)
            case .colon(let key):
                try advance(&reader)
                guard place.pointee == .colon else { throw broken(at: place, "a colon") }
                place += 1
                state = .memberValue(key: key)
            case .memberValue(let key):
                try advance(&reader)
                if try member(key) { return begin(&reader) }
            case .afterValue: try afterValue(&reader)
            }
        }
    }

    /// Continues after an element.
    mutating func didRead(to end: Bytes) {
        place = end
        lineLength = 0
    }

    /// Adds bytes to a text that is passed in pieces; returns the number of bytes that fit.
    mutating func append(_ bytes: ByteView) throws(MappingError) -> Int {
        do throws(WindowFailure) {
            return try window.append(bytes, keeping: &place)
        } catch {
            throw MappingError(issue(error))
        }
    }

    /// Skips the lines of an invalid element, to continue with the next one; returns their text.
    mutating func skipLines() -> [UInt8] {
        let line = place.raw(lineLength)
        place += lineLength
        lineLength = 0
        return Array(line.last == 0x0D ? line.dropLast() : line[...])
    }

    // MARK: Steps

    private mutating func begin(_ reader: inout PlanReader) -> Bytes {
        index += 1
        if shape != .line { state = .afterValue }
        reader.reset(depth: frames.count)
        return place
    }

    /// Handles the value at a part of the path.
    private mutating func collection(_ depth: Int, _ reader: inout PlanReader) throws -> Bytes? {
        guard search.enter(depth) else {
            switch place.pointee {
            case .openBrace: try open(.search(depth: depth, key: "", isFound: false), .firstMember, &reader)
            case .openBracket: try open(.through(depth: depth, index: -1), .firstElement, &reader)
            default:
                // Null in the path counts as null at its end.
                if try !skipNullCollection(&reader) { try skipOther(&reader) }
            }
            return nil
        }
        switch place.pointee {
        case .openBracket where shape == .element:
            listOffset = window.offset(place)
            try open(.elements, .firstElement, &reader)
            elementIndex = -1
            isInElements = true
        case .openBrace where shape == .member: try open(.members(key: ""), .firstMember, &reader)
        default:
            if try skipNullCollection(&reader) { return nil }
            search.succeed()
            return begin(&reader)
        }
        search.succeed()
        return nil
    }

    /// Enters an object or array.
    private mutating func open(_ frame: Frame, _ first: State, _ reader: inout PlanReader) throws {
        guard frames.count < reader.nesting.limit else { throw broken(at: place, "a value") }
        frames.append(frame)
        state = first
        place += 1
    }

    /// Skips null instead of the collection; returns whether there was one.
    private mutating func skipNullCollection(_ reader: inout PlanReader) throws -> Bool {
        guard try skipNull(&reader) else { return false }
        search.succeed()
        return true
    }

    /// Skips null; returns whether there was one.
    private mutating func skipNull(_ reader: inout PlanReader) throws -> Bool {
        guard place.pointee == UInt8(ascii: "n") else { return false }
        _ = try loadValue(&reader)
        guard place.isNull else { return false }
        place += 4
        state = .afterValue
        return true
    }

    /// Handles a member's key.
    private mutating func key(_ reader: inout PlanReader) throws {
        try advance(&reader)
        guard place.pointee == .quote else { throw broken(at: place, "a key") }
        let end = try loadValue(&reader)
        guard case .string(let start, let count)? = reader.scalar(place)?.token else {
            throw broken(at: place, "a key")
        }
        state = .colon(key: makeString(start, count))
        place = end
    }

    /// Handles a member's value; returns whether it is an element.
    private mutating func member(_ key: String) throws -> Bool {
        switch frames.popLast() {
        case .members?:
            frames.append(.members(key: key))
            return true
        case .search(let depth, _, let isFound)?:
            let isNext = search.matches(key, at: depth)
            frames.append(.search(depth: depth, key: key, isFound: isFound || isNext))
            if isFound, isNext {
                // The elements of the first one were already returned, so the last one cannot be used.
                throw MappingError(repeated(key))
            }
            state = isNext ? .value(depth: depth + 1) : .otherValue
            return false
        default: throw broken(at: place, "a value")
        }
    }

    private mutating func afterValue(_ reader: inout PlanReader) throws {
        try advance(&reader)
        if place.pointee == .comma, isInElements {
            place += 1
            state = .element
            return
        }
        guard let frame = frames.last, frames.count != outerDepth else {
            guard outerDepth == nil else { return state = .done }
            guard window.isAtEnd(place) else { throw broken(at: place, "the end of the text") }
            state = .done
            if let issue = search.issue { throw MappingError(issue) }
            return
        }
        let isObject =
            switch frame {
            case .search, .members: true
            case .through, .elements: false
            }
        if place.pointee == .comma {
            place += 1
            state = isObject ? .member : .element
        } else if place.pointee == (isObject ? .closeBrace : .closeBracket) {
            close()
        } else {
            throw broken(at: place, isObject ? "a comma or '}'" : "a comma or ']'")
        }
    }

    /// Ensures that a complete line is in the window.
    private mutating func findEndOfLine() throws {
        while true {
            let searched = lineLength
            if let newline = (place + searched).first(0x0A, before: window.end) {
                lineLength = newline - place
                return
            }
            lineLength = window.end - place
            if window.isComplete { return }
            place = try more(keeping: place)
        }
    }

    /// Advances to the next element of an array in the path.
    private mutating func nextIndex() {
        switch frames.popLast() {
        case .through(let depth, let index)?:
            frames.append(.through(depth: depth, index: index + 1))
            state = .value(depth: depth)
        default: state = .done
        }
    }

    /// Validates and skips a value outside of the path.
    private mutating func skipOther(_ reader: inout PlanReader) throws {
        if let end = try endInWindow(&reader) {
            place = end
            state = .afterValue
        } else {
            state = .restOfOtherValue
            try skipRest()
        }
    }

    /// Skips the rest of such a value after the window; it need not stay in memory.
    private mutating func skipRest() throws {
        while let partial {
            if let end = try partial.end(in: window) {
                self.partial = nil
                place = end
                state = .afterValue
                return
            }
            place = window.end
            place = try more(keeping: place)
        }
    }

    /// Whether a value at `place` that ends at another place is an element.
    ///
    /// Only objects continue after their line. Text that follows on the line starts another element.
    @inline(__always) func isElement(to end: Bytes) -> Bool {
        guard shape == .line else { return true }
        let lineEnd = place + lineLength
        if end >= lineEnd { return end == lineEnd || place.pointee == .openBrace }
        let isContainer = end[-1] == .closeBrace || end[-1] == .closeBracket
        return end.pointee.isJSONBlank || isContainer && (end.pointee == .openBrace || end.pointee == .openBracket)
    }

    /// Ensures that the complete element is in the window; returns its end, or `nil` if it is not a valid line or object.
    mutating func loadElement(_ reader: inout PlanReader) throws -> Bytes? {
        guard shape == .line else { return try loadValue(&reader) }
        let end = reader.skip(place)
        // A line that can be continued ends in the object.
        guard end == nil, !window.isComplete, place.pointee == .openBrace, reader.stackFailure == nil,
            failureOfLines?.isTruncated == true
        else { return end }
        do { return try loadValue(&reader) } catch let error as MappingError {
            guard error.issues.first?.kind == .syntax else { throw error }
            return nil
        }
    }

    /// Extends the text of an invalid object up to the next line that starts with an object.
    ///
    /// If that is the next line, the first line was truncated.
    mutating func findEndOfInvalidElement() throws {
        guard place.pointee == .openBrace, failureOfLines?.isTruncated == true else { return }
        let firstLength = lineLength
        do {
            var next = skipWhitespace(place + lineLength)
            while window.isAtEnd(next), !window.isComplete {
                place = try more(keeping: place)
                next = skipWhitespace(place + lineLength)
            }
            if window.isAtEnd(next) || next.pointee == .openBrace { return }
            repeat {
                lineLength += 1
                try findEndOfLine()
                while window.isAtEnd(place + lineLength + 1), !window.isComplete { place = try more(keeping: place) }
            } while place + lineLength < window.end && place[lineLength + 1] != .openBrace
            while place[lineLength - 1].isJSONBlank { lineLength -= 1 }
        } catch is MappingError {
            // The other lines exceed the memory.
            lineLength = firstLength
        } catch {
            lineLength = firstLength
            throw error
        }
    }

    /// Ensures that the complete value at `place` is in the window; returns its end.
    ///
    /// A call that throws because more text is needed can be repeated; it continues at the end of the text.
    mutating func loadValue(_ reader: inout PlanReader) throws -> Bytes {
        if partial?.offset != window.offset(place), let end = try endInWindow(&reader) { return end }
        while let partial {
            if let end = try partial.end(in: window) {
                self.partial = nil
                return end
            }
            place = try more(keeping: place)
        }
        throw broken(at: place, "a value")
    }

    /// Returns the end of the value at `place`; `nil` if it continues after the window, and its reading was started.
    private mutating func endInWindow(_ reader: inout PlanReader) throws -> Bytes? {
        reader.reset(depth: frames.count)
        let end = reader.skip(place)
        reader.reset(depth: frames.count)
        if let end, isEnd(end) { return end }
        // The tokenizer uses no stack.
        guard !window.isComplete || reader.stackFailure != nil else { throw broken(at: place, "a value") }
        reader.stackFailure = nil
        partial = PartialValue(
            at: place, in: window, maximumDepth: maximumDepth, origin: position(of: place), prefix: steps)
        return nil
    }

    /// Whether the value at `place` ends there: a number at the end of the window can continue.
    func isEnd(_ end: Bytes) -> Bool {
        let isNumber = place.pointee == UInt8(ascii: "-") || place.pointee.isASCIIDigit
        return window.isComplete || !isNumber || !window.isAtEnd(end)
    }

    private mutating func close() {
        frames.removeLast()
        isInElements = false
        place += 1
        state = .afterValue
    }
}
