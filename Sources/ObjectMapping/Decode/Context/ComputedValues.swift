/// The values computed for the paths of sources, so that each is computed once.
struct ComputedValues {
    /// What was computed of an object, or put together of its text.
    typealias Value = Result<MadeValue?, OperatorMismatch>

    /// A row for each frame that has one; nil for a value that is not known yet.
    private var rows: [Value?] = []
    private let pathCount: Int
    /// Those computed of what appears around the element.
    private var outer: [Int: (steps: ArraySlice<JSONPathStep>, value: Value)] = [:]

    init(pathCount: Int) { self.pathCount = pathCount }

    /// The value for a path in a frame that has a row.
    subscript(path: ContextPath, frame: Int) -> Value? {
        get { rows[frame * pathCount + path.number] }
        set { rows[frame * pathCount + path.number] = newValue }
    }

    /// Gives a frame an empty row.
    mutating func clear(_ frame: Int) {
        let first = frame * pathCount
        let missing = first + pathCount - rows.count
        if missing > 0 { rows += repeatElement(nil, count: missing) }
        for index in first..<first + pathCount { rows[index] = nil }
    }

    /// The value for a path in the object that steps lead to; computed by a closure unless it is known.
    mutating func value(
        for path: ContextPath, at steps: ArraySlice<JSONPathStep>, _ compute: () -> Value?
    ) throws(OperatorMismatch) -> ContextValue? {
        if let known = outer[path.number], known.steps == steps { return try known.value.get().map { .made($0) } }
        guard let value = compute() else { return nil }
        outer[path.number] = (steps, value)
        return try value.get().map { .made($0) }
    }
}

/// Parses objects whose text is being read, and counts how much of it was looked at again.
struct TreeParser {
    /// Bytes of the element that were looked at again, so that they never are many more than those that were read.
    private var count = 0
    /// Whether a value was broken: then a value that seems absent may only follow the mistake.
    private(set) var isBroken = false
    private let maximumDepth: Int

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// Begins the next element.
    mutating func reset() { (count, isBroken) = (0, false) }

    /// Parses the value at the start of some bytes.
    mutating func parse(_ bytes: ByteView) -> JSON? {
        let parsed = TokenTape.readFirst(in: bytes, maximumDepth: maximumDepth)
        add(parsed?.count)
        return parsed?.tape.value(at: TokenTape.root)
    }

    /// Adds bytes that were looked at again; nil if they are broken.
    mutating func add(_ more: Int?) {
        if let more { count += more } else { isBroken = true }
    }

    /// Whether more bytes were looked at than twice those that were read.
    func exceeds(_ read: Int) -> Bool { count > 2 * read + (1 << 12) }
}
