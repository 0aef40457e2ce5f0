/// Finds the elements of a collection in a text, one after the other, while a window slides over it.
///
/// The collection stands at a key path; arrays on the way are gone through. What lies beside the way is checked and
/// passed over, token by token where it does not fit the window, so that memory stays bounded.
struct ElementCursor {
    private enum Frame {
        /// An object in which a key of the path is looked for.
        case search(depth: Int, isFound: Bool, key: String)
        /// An array whose elements continue the path.
        case through(depth: Int, index: Int)
        case elements(index: Int)
        case members(key: String)
    }

    private enum State { case value(depth: Int), firstElement, element, firstMember, member, afterValue, line, done }

    let window: Window
    private let keys: [String]
    private let shape: ElementShape
    private var frames: [Frame] = []
    private var state: State
    private var place: Bytes
    private var isFound = false
    /// Keys seen where the path ended, for the message.
    private var keysSeen: [String] = []
    private var depthReached = 0
    private let path: JSONKeyPath
    /// Elements found so far, less one.
    private(set) var index = -1
    /// A place whose position is known.
    private var mark = TextPosition()

    init(window: Window, path: JSONKeyPath, shape: ElementShape) throws(MappingError) {
        guard let keys = path.plainKeys, path.mistake == nil else {
            throw MappingError(
                MappingIssue(
                    kind: .mapping, path: "$", position: TextPosition(), expected: "keys joined by dots",
                    found: path.mistake ?? "the operators of '\(path)'"))
        }
        self.window = window
        self.path = path
        self.keys = keys
        self.shape = shape
        state = shape == .line ? .line : .value(depth: 0)
        place = window.start
    }

    /// The member's name, where elements are the members of an object.
    var memberKey: String? {
        if case .members(let key)? = frames.last { key } else { nil }
    }

    /// How many containers are open around the element.
    var depth: Int { frames.count }

    /// The path of the element.
    var steps: [JSONPathStep] {
        if shape == .line { return [] }
        return frames.map { frame in
            switch frame {
            case .search(_, _, let key), .members(let key): .key(key)
            case .through(_, let index), .elements(let index): .index(index)
            }
        }
    }

    /// The start of the next element; nil at the end of a sound text.
    ///
    /// - Throws: `MappingError` for a broken text and for one without a collection at the path; a source's own errors.
    mutating func next(_ reader: inout PlanReader) throws -> Bytes? {
        while true {
            switch state {
            case .done: return nil
            case .line:
                place = try token(place, &reader)
                if window.isAtEnd(place) {
                    state = .done
                    return nil
                }
                return begin(&reader)
            case .value(let depth):
                place = try token(place, &reader)
                depthReached = max(depthReached, depth)
                if let start = try collection(depth, &reader) { return start }
            case .firstElement:
                place = try token(place, &reader)
                if place.pointee == .closeBracket { close() } else { state = .element }
            case .element:
                place = try token(place, &reader)
                switch frames.popLast() {
                case .through(let depth, let index)?:
                    frames.append(.through(depth: depth, index: index + 1))
                    state = .value(depth: depth)
                case .elements(let index)?:
                    frames.append(.elements(index: index + 1))
                    state = .afterValue
                    if place.isNull { place += 4 } else { return begin(&reader) }
                default: state = .done
                }
            case .firstMember:
                place = try token(place, &reader)
                if place.pointee == .closeBrace { close() } else { state = .member }
            case .member:
                if try member(&reader) { return begin(&reader) }
            case .afterValue: try afterValue(&reader)
            }
        }
    }

    /// Goes on behind an element.
    mutating func didRead(to end: Bytes) { place = end }

    /// Reads more of the text behind the element that begins at a place; its new address.
    mutating func slide(keeping start: Bytes) throws -> Bytes {
        place = try window.slide(keeping: start)
        return place
    }

    /// Past the rest of a line, to go on with the next one; what stood on it.
    mutating func skipLine() throws -> [UInt8] {
        while true {
            var end = place
            while end < window.end, end.pointee != 0x0A { end += 1 }
            if end < window.end || window.isComplete {
                let line = Array(place.buffer(end - place))
                place = end
                state = .line
                return line
            }
            place = try window.slide(keeping: place)
        }
    }

    // MARK: Steps

    private mutating func begin(_ reader: inout PlanReader) -> Bytes {
        index += 1
        if shape == .line { state = .afterValue }
        reader.reset(depth: frames.count)
        return place
    }

    /// At the value that a part of the path leads to.
    private mutating func collection(_ depth: Int, _ reader: inout PlanReader) throws -> Bytes? {
        state = .afterValue
        guard depth == keys.count else {
            switch place.pointee {
            case .openBrace:
                frames.append(.search(depth: depth, isFound: false, key: ""))
                state = .firstMember
                place += 1
            case .openBracket:
                frames.append(.through(depth: depth, index: -1))
                state = .firstElement
                place += 1
            default: place = try skip(place, &reader)
            }
            return nil
        }
        isFound = true
        switch place.pointee {
        case .openBracket where shape == .element:
            frames.append(.elements(index: -1))
            state = .firstElement
            place += 1
        case .openBrace where shape == .member:
            frames.append(.members(key: ""))
            state = .firstMember
            place += 1
        default:
            guard place.isNull else { return begin(&reader) }
            place = try skip(place, &reader)
        }
        return nil
    }

    /// At a member's key; whether its value is an element.
    private mutating func member(_ reader: inout PlanReader) throws -> Bool {
        place = try token(place, &reader)
        guard place.pointee == .quote else { throw broken(at: place, "a key") }
        place = try whole(place, &reader)
        guard case (.string(let start, let count), let end)? = reader.scalar(place) else {
            throw broken(at: place, "a key")
        }
        let key = makeString(start, count)
        let colon = try token(end, &reader)
        guard colon.pointee == .colon else { throw broken(at: colon, "a colon") }
        place = try token(colon + 1, &reader)
        switch frames.popLast() {
        case .members?:
            frames.append(.members(key: key))
            state = .afterValue
            return true
        case .search(let depth, let isFound, _)?:
            if depth == depthReached, keysSeen.count < 100 { keysSeen.append(key) }
            let isNext = key == keys[depth]
            frames.append(.search(depth: depth, isFound: isFound || isNext, key: key))
            if isNext {
                keysSeen.removeAll()
                state = .value(depth: depth + 1)
            } else {
                place = try skip(place, &reader)
                state = .afterValue
            }
            return false
        default: throw broken(at: place, "a value")
        }
    }

    private mutating func afterValue(_ reader: inout PlanReader) throws {
        if shape == .line { return try afterLine(&reader) }
        place = try token(place, &reader)
        guard let frame = frames.last else {
            guard window.isAtEnd(place) else { throw broken(at: place, "the end of the text") }
            state = .done
            if !isFound { throw MappingError(notFound) }
            return
        }
        let isObject =
            switch frame {
            case .search, .members: true
            case .through, .elements: false
            }
        if place.pointee == .comma {
            place = try token(place + 1, &reader)
            state = isObject ? .member : .element
        } else if place.pointee == (isObject ? .closeBrace : .closeBracket) {
            close()
        } else {
            throw broken(at: place, isObject ? "a comma or '}'" : "a comma or ']'")
        }
    }

    private mutating func afterLine(_ reader: inout PlanReader) throws {
        while true {
            while place.pointee == 0x20 || place.pointee == 0x09 || place.pointee == 0x0D { place += 1 }
            guard window.isAtEnd(place), !window.isComplete else { break }
            place = try window.slide(keeping: place)
        }
        guard place.pointee == 0x0A || window.isAtEnd(place) else { throw broken(at: place, "the end of the line") }
        state = .line
    }

    private mutating func close() {
        frames.removeLast()
        place += 1
        state = .afterValue
    }

    // MARK: Tokens

    /// The next token, read on where the window ends before it.
    private mutating func token(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        var place = reader.token(start)
        while window.isAtEnd(place), !window.isComplete {
            place = reader.token(try window.slide(keeping: place))
        }
        return place
    }

    /// Makes sure that a string or number is in the window as a whole; its address.
    private mutating func whole(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
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
    private mutating func skip(_ start: Bytes, _ reader: inout PlanReader) throws -> Bytes {
        reader.reset(depth: frames.count)
        if let end = reader.skip(start), window.isComplete || !window.isAtEnd(end) { return end }
        return try skipByTokens(start, &reader, depth: frames.count)
    }

    private mutating func skipByTokens(_ start: Bytes, _ reader: inout PlanReader, depth: Int) throws -> Bytes {
        let isObject = start.pointee == .openBrace
        guard isObject || start.pointee == .openBracket else {
            reader.reset(depth: depth)
            let start = try whole(start, &reader)
            return reader.skip(start) ?? start
        }
        guard depth < reader.maximumDepth else { throw broken(at: start, "at most \(reader.maximumDepth) levels") }
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
    mutating func unexpected(at start: Bytes, _ expected: String = "a JSON value") -> MappingIssue {
        let rest = window.bytes(from: start, to: window.end)
        return MappingIssue(
            kind: .syntax, path: steps.text, position: position(of: start), expected: expected,
            found: DocumentWalker(rest, mayContinue: !window.isComplete).description(at: 0))
    }

    private mutating func broken(at start: Bytes, _ expected: String) -> MappingError {
        MappingError(
            definiteIssue(at: start).flatMap { expected == "a value" ? $0 : nil } ?? unexpected(at: start, expected))
    }

    private var notFound: MappingIssue {
        let wanted = depthReached < keys.count ? keys[depthReached] : ""
        let seen = keysSeen.isEmpty ? "nothing there" : "the keys \(keysSeen.prefix(12).joined(separator: ", "))"
        return MappingIssue(
            kind: .notFound, path: "$", position: TextPosition(), expected: "elements at '\(path)'", found: seen,
            suggestions: nearestNames(to: wanted, among: keysSeen))
    }
}
