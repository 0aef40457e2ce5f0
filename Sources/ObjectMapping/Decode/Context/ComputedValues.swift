/// The values computed for the paths of sources; each is computed once.
struct ComputedValues {
    /// A value that was computed from an object, or assembled from its text.
    typealias Value = Result<MadeValue?, OperatorMismatch>

    /// One row per frame that has one; `nil` for a value that is not known yet.
    private var rows: [Value?] = []
    private let pathCount: Int
    /// The values computed from the surroundings of the element.
    private var outer: [Int: (steps: ArraySlice<JSONPathStep>, value: Value)] = [:]

    init(pathCount: Int) { self.pathCount = pathCount }

    /// The value for a path in a frame with a row.
    subscript(path: ContextPath, frame: Int) -> Value? {
        get { rows[frame * pathCount + path.number] }
        set { rows[frame * pathCount + path.number] = newValue }
    }

    /// Adds an empty row for a frame.
    mutating func clear(_ frame: Int) {
        let first = frame * pathCount
        let missing = first + pathCount - rows.count
        if missing > 0 { rows += repeatElement(nil, count: missing) }
        for index in first..<first + pathCount { rows[index] = nil }
    }

    /// Returns the value for a path in the object at steps; computed with a closure unless it is known.
    mutating func value(
        for path: ContextPath, at steps: ArraySlice<JSONPathStep>, _ compute: () -> Value?
    ) throws(OperatorMismatch) -> ContextValue? {
        if let known = outer[path.number], known.steps == steps { return try known.value.get().map { .made($0) } }
        guard let value = compute() else { return nil }
        outer[path.number] = (steps, value)
        return try value.get().map { .made($0) }
    }
}

/// Parses objects whose text is being read, and counts the bytes that were read again.
struct TreeParser {
    /// The bytes of the element that were read again, which is limited.
    private var count = 0
    /// Whether a value was invalid: then an absent value can be a consequence.
    private(set) var isBroken = false
    private let maximumDepth: Int

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// Starts the next element.
    mutating func reset() { (count, isBroken) = (0, false) }

    /// Parses the value at the start of bytes.
    mutating func parse(_ bytes: ByteView) -> JSON? {
        let parsed = TokenTape.readFirst(in: bytes, maximumDepth: maximumDepth)
        add(parsed?.count)
        return parsed?.tape.value(at: TokenTape.root)
    }

    /// Adds bytes that were read again; `nil` if they are invalid.
    mutating func add(_ more: Int?) {
        if let more { count += more } else { isBroken = true }
    }

    /// Whether more than twice the bytes were read again.
    func exceeds(_ read: Int) -> Bool { count > 2 * read + (1 << 12) }
}
