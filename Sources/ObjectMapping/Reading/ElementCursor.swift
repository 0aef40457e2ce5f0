/// Finds the elements of a collection in a text, one after the other, while a window slides over it.
///
/// The collection stands at a key path; arrays on the way are gone through. What lies beside the way is checked and
/// passed over, token by token where it does not fit the window, so that memory stays bounded.
struct ElementCursor {
    enum Frame {
        /// An object in which a key of the path is looked for.
        case search(depth: Int, key: String, isFound: Bool)
        /// An array whose elements continue the path.
        case through(depth: Int, index: Int)
        case elements
        case members(key: String)
        /// An object or array beside the way that does not fit the window.
        case passedObject(key: String)
        case passedArray(index: Int)
    }

    // A step that lacks text can be taken again: it changes nothing before all of its text is there.
    private enum State {
        case value(depth: Int), passedValue, firstElement, element, elementValue, firstMember, member, afterValue
        case line, done
    }

    /// Numbers of elements.
    struct Progress {
        var index = 0
        var elementIndex = 0
    }

    let window: Window
    let keys: [String]
    let shape: ElementShape
    private let acceptsNull: Bool
    private(set) var frames: [Frame] = []
    /// The element's number in the collection that is open.
    private(set) var elementIndex = -1
    /// Whether elements of a list are being read, not members, nor a list on the way.
    private(set) var isInElements = false
    /// Bytes before that list in the text.
    private(set) var listOffset = 0
    private var state: State
    /// From here on the text is needed; the start of the element, until it is read.
    var place: Bytes
    private var isFound = false
    /// A null where the collection was expected; another branch of an array on the way may have one all the same.
    private var nullFound: MappingIssue?
    /// Keys seen where the path ended, for the message.
    private(set) var keysSeen: [String] = []
    private(set) var depthReached = 0
    /// Bytes of the line at `place`, without its line feed; while that is looked for, those among which it is not.
    private(set) var lineLength = 0
    /// The end of the window, when last a value beside the way turned out to go on behind it.
    private var passedEnd = -1
    let maximumDepth: Int
    let path: JSONKeyPath
    /// Elements found so far, less one.
    private(set) var index = -1
    /// A place whose position is known.
    var mark = TextPosition()

    /// - Parameter acceptsNull: whether null in place of the collection stands for an empty one, or is an issue.
    init(
        window: Window, path: JSONKeyPath, shape: ElementShape, acceptsNull: Bool,
        maximumDepth: Int = MappingLimits.usualDepth
    ) throws(MappingError) {
        guard let keys = path.plainKeys, path.mistake == nil else {
            throw MappingError(
                path.issue
                    ?? MappingIssue(
                        kind: .mapping, path: "$", expected: "keys joined by dots",
                        found: "operators in the key path '\(path)'"))
        }
        self.window = window
        self.path = path
        self.keys = keys
        self.shape = shape
        self.acceptsNull = acceptsNull
        self.maximumDepth = maximumDepth
        state = shape == .line ? .line : .value(depth: 0)
        place = window.start
        if let encoding = DocumentWalker(window.bytes, origin: window.position).foreignEncoding {
            throw MappingError(
                MappingIssue(kind: .syntax, path: "$", position: TextPosition(), expected: "UTF-8", found: encoding))
        }
    }

    /// The member's name, where elements are the members of an object.
    var memberKey: String? {
        if case .members(let key)? = frames.last { key } else { nil }
    }

    /// How many containers are open around the element.
    var depth: Int { frames.count }

    /// Goes on with the element, or the member's key, at a place of the collection that is open; elements count from there.
    mutating func resume(at place: Bytes) {
        self.place = place
        lineLength = 0
        (index, elementIndex) = (-1, -1)
        state = shape == .line ? .line : shape == .member ? .member : .element
    }

    /// How many elements were begun, and how many array elements with the nulls among them.
    var progress: Progress { Progress(index: index, elementIndex: elementIndex) }

    /// Counts on from those of another cursor, which went before in the collection that this one was in at the start.
    mutating func advance(by other: Progress, isSameCollection: Bool) {
        index += other.index
        if isSameCollection { elementIndex += other.elementIndex }
    }

    /// The start of the next element; nil at the end of a sound text.
    ///
    /// - Throws: `MappingError` for a broken text and for one without a collection at the path; a source's own errors.
    mutating func next(_ reader: inout PlanReader) throws -> Bytes? {
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
                depthReached = max(depthReached, depth)
                if let start = try collection(depth, &reader) { return start }
            case .passedValue:
                try advance(&reader)
                try pass(&reader)
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
            case .elementValue: if try !skipNull(&reader) { return begin(&reader) }
            case .firstMember:
                try advance(&reader)
                if place.pointee == .closeBrace { close() } else { state = .member }
            case .member: if try member(&reader) { return begin(&reader) }
            case .afterValue: try afterValue(&reader)
            }
        }
    }

    /// Goes on behind an element.
    mutating func didRead(to end: Bytes) {
        place = end
        lineLength = 0
    }

    /// Reads more of the text behind the element that begins at a place; its new address.
    mutating func slide(keeping start: Bytes) throws -> Bytes {
        place = try more(keeping: start)
        return place
    }

    /// Takes in more of a text that is given bit by bit; how many of the bytes there was room for.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(MappingError) -> Int {
        do throws(WindowFailure) {
            return try window.append(bytes, keeping: &place)
        } catch {
            throw MappingError(tooLarge)
        }
    }

    /// Past a line that is broken, to go on with the next one; what stood on it.
    mutating func skipLine() -> [UInt8] {
        let line = place.buffer(lineLength)
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

    /// At the value that a part of the path leads to.
    private mutating func collection(_ depth: Int, _ reader: inout PlanReader) throws -> Bytes? {
        guard depth == keys.count else {
            switch place.pointee {
            case .openBrace: try open(.search(depth: depth, key: "", isFound: false), .firstMember, &reader)
            case .openBracket: try open(.through(depth: depth, index: -1), .firstElement, &reader)
            default:
                // Null on the way is null at its end.
                if try !skipNullCollection(&reader) { try pass(&reader) }
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
            isFound = true
            return begin(&reader)
        }
        isFound = true
        return nil
    }

    /// Enters an object or array.
    private mutating func open(_ frame: Frame, _ first: State, _ reader: inout PlanReader) throws {
        guard frames.count < reader.maximumDepth else { throw broken(at: place, "a value") }
        frames.append(frame)
        state = first
        place += 1
    }

    /// Past a null where the collection is expected, if there is one.
    private mutating func skipNullCollection(_ reader: inout PlanReader) throws -> Bool {
        let start = position(of: place)
        guard try skipNull(&reader) else { return false }
        isFound = isFound || acceptsNull
        if !isFound, nullFound == nil {
            nullFound = MappingIssue(
                kind: .notFound, path: steps.text, position: start, expected: expectation, found: "null")
        }
        return true
    }

    /// Past a null, if there is one.
    private mutating func skipNull(_ reader: inout PlanReader) throws -> Bool {
        guard place.pointee == UInt8(ascii: "n") else { return false }
        place = try whole(place, &reader)
        guard place.isNull else { return false }
        place += 4
        state = .afterValue
        return true
    }

    /// At a member's key; whether its value is an element.
    private mutating func member(_ reader: inout PlanReader) throws -> Bool {
        try advance(&reader)
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
            return true
        case .passedObject?:
            frames.append(.passedObject(key: key))
            state = .passedValue
            return false
        case .search(let depth, _, let isFound)?:
            if depth == depthReached, keysSeen.count < 100 { keysSeen.append(key) }
            let isNext = ExactText(text: key) == ExactText(text: keys[depth])
            frames.append(.search(depth: depth, key: key, isFound: isFound || isNext))
            if isFound, isNext {
                // The elements of the first one are given away already, so the last one cannot win.
                throw MappingError(
                    MappingIssue(
                        kind: .manyElements, path: steps.text, position: position(of: place),
                        expected: "the key '\(key)' once, as it leads to '\(path)'", found: "this key again"))
            }
            if isNext {
                keysSeen.removeAll()
                state = .value(depth: depth + 1)
            } else {
                state = .passedValue
            }
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
        guard let frame = frames.last else {
            guard window.isAtEnd(place) else { throw broken(at: place, "the end of the text") }
            state = .done
            if !isFound { throw MappingError(nullFound ?? notFound) }
            return
        }
        let isObject =
            switch frame {
            case .search, .members, .passedObject: true
            case .through, .elements, .passedArray: false
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

    /// Makes sure that a line is in the window as a whole.
    private mutating func findEndOfLine() throws {
        while true {
            let searched = lineLength
            let rest = window.end - place - searched
            if let newline = memchr(place + searched, 0x0A, rest) {
                lineLength = UnsafeRawPointer(newline) - UnsafeRawPointer(place)
                return
            }
            lineLength = window.end - place
            if window.isComplete { return }
            place = try more(keeping: place)
        }
    }

    /// At the next element of an array that holds no elements of the collection.
    private mutating func nextIndex() {
        switch frames.popLast() {
        case .through(let depth, let index)?:
            frames.append(.through(depth: depth, index: index + 1))
            state = .value(depth: depth)
        case .passedArray(let index)?:
            frames.append(.passedArray(index: index + 1))
            state = .passedValue
        default: state = .done
        }
    }

    /// Past a value beside the way, or into it where it goes on behind the window; everything in it is checked.
    private mutating func pass(_ reader: inout PlanReader) throws {
        let first = place.pointee
        let isContainer = first == .openBrace || first == .openBracket
        // What holds a value that goes on behind the window is read token by token, and need not be tried.
        if !isContainer || passedEnd != window.offset(window.end) {
            reader.reset(depth: frames.count)
            if let end = reader.skip(place), window.isComplete || !window.isAtEnd(end) {
                place = end
                state = .afterValue
                return
            }
            guard !window.isComplete else { throw broken(at: place, "a value") }
        }
        guard isContainer else {
            reader.reset(depth: frames.count)
            place = try whole(place, &reader)
            place = reader.skip(place) ?? place
            state = .afterValue
            return
        }
        passedEnd = window.offset(window.end)
        if first == .openBrace {
            try open(.passedObject(key: ""), .firstMember, &reader)
        } else {
            try open(.passedArray(index: -1), .firstElement, &reader)
        }
    }

    private mutating func close() {
        frames.removeLast()
        isInElements = false
        place += 1
        state = .afterValue
    }
}
