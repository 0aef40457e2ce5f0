/// The values computed for the paths of sources; each is computed once.
struct ComputedValues {
    /// A value that was computed from an object, or assembled from its text.
    typealias Value = Result<MadeValue?, OperatorMismatch>

    /// The values by the numbers of paths; `nil` for a value that is not known yet.
    var frames: FrameTable<Value>
    /// The values computed from the surroundings of the element.
    private var outer: [Int: (steps: ArraySlice<JSONPathStep>, value: Value)] = [:]

    init(pathCount: Int) { frames = FrameTable(width: pathCount) }

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

/// A row of values for each frame that needs one.
struct FrameTable<Value> {
    private var values: [Value?] = []
    /// The number of values in a row.
    let width: Int

    init(width: Int) { self.width = width }

    /// A value in the row of a frame.
    subscript(number: Int, of frame: Int) -> Value? {
        get { values[frame * width + number] }
        set { values[frame * width + number] = newValue }
    }

    /// Adds or empties the row of a frame.
    mutating func clear(_ frame: Int) {
        let first = frame * width
        let missing = first + width - values.count
        if missing > 0 { values += repeatElement(nil, count: missing) }
        for index in first..<first + width { values[index] = nil }
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
