/// Bytes that are read instead of a value in the text: copies of other values, and computed values.
struct BorrowedText: ~Copyable {
    /// The bytes being read.
    struct Source {
        /// The bytes, followed by the end of the value or by padding.
        let text: Bytes
        /// The offset of the value that they replace.
        let offset: Int
        /// Whether they are a copy of that value, so that each byte corresponds to a place in the text.
        var isCopy = false
        /// The value that was copied, or the bytes themselves; `nil` if they are a part of the text.
        var original: TextPlace?
        /// The offset of the bytes in a computed text, whose parts are located afterwards; `nil` in any other text.
        var computedOffset: Int?

        /// The offset in the text that corresponds to a place in the bytes.
        func offset(_ place: Bytes) -> Int { isCopy ? offset + (place - text) : offset }
    }

    /// What is being read; nil for the text itself.
    private(set) var source: Source?
    /// The number of open sources: a relationship with itself over the same value would never end.
    private var depth = 0
    /// Whether a source was refused in the current element.
    private var isRefused = false
    /// Memory for copies; used by the innermost source.
    private var buffer = ByteBuffer()

    private static var mostDepth: Int { 32 }
    private static var largestBuffer: Int { 1 << 12 }

    /// Whether the text itself is being read.
    @inline(__always) var isEmpty: Bool { source == nil }

    /// Returns the offset of a place in a computed text; `nil` in any other text.
    func computedOffset(_ place: Bytes) -> Int? {
        source.flatMap { source in source.computedOffset.map { $0 + (place - source.text) } }
    }

    /// Whether a further source may be opened.
    ///
    /// One refusal per element is sufficient: each further relationship of this kind would be as deep.
    var mayNest: Bool { !isRefused && depth < BorrowedText.mostDepth }

    /// Refuses a source; returns whether it is the first one in the element.
    mutating func refuse() -> Bool {
        defer { isRefused = true }
        return !isRefused
    }

    /// Resets the refusal.
    mutating func reset() { isRefused = false }

    /// Opens a source; returns the previous one, to be passed to `close`.
    mutating func open(_ source: Source) -> Source? {
        defer { self.source = source }
        depth += 1
        return self.source
    }

    mutating func close(_ outer: Source?) {
        source = outer
        depth -= 1
    }

    /// Opens the current source again.
    mutating func reopen() { depth += 1 }

    /// Returns empty memory for a copy.
    mutating func takeBuffer() -> ByteBuffer {
        var taken = ByteBuffer()
        swap(&taken, &buffer)
        taken.removeAll()
        return taken
    }

    /// Keeps memory for the next copy, unless it is large.
    mutating func putBack(_ used: consuming ByteBuffer) {
        if used.count < BorrowedText.largestBuffer { buffer = used }
    }
}

extension PlanReader {
    /// Reads bytes instead of the value at an offset of the text; returns false for invalid JSON.
    ///
    /// - Parameters:
    ///   - isCopy: Whether they are a copy of that value.
    ///   - original: The value that was copied; `nil` for bytes that were created.
    ///   - computedOffset: Their offset in a computed text, whose parts are located afterwards.
    mutating func borrowing(
        _ bytes: ByteView, _ offset: Int, isCopy: Bool = false, of original: TextPlace? = nil,
        computedOffset: Int? = nil,
        _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bool {
        guard mayBorrow(offset) else { return true }
        // Taken out, because nested values can need a copy as well.
        var copy = borrowed.takeBuffer()
        copy.append(bytes)
        let text = copy.text
        let place = original ?? TextPlace(head: text, start: text, end: text + bytes.count)
        let end = borrowing(
            .init(text: text, offset: offset, isCopy: isCopy, original: place, computedOffset: computedOffset), read)
        borrowed.putBack(copy)
        return end != nil
    }

    /// Reads a value around the object instead of the value at an offset of the text.
    mutating func borrowing(_ value: ContextValue, _ offset: Int, _ read: (inout PlanReader, Bytes) -> Bytes?) -> Bool {
        guard case .made(let value) = value, !value.isBeingRead else { return borrowing(value.bytes, offset, read) }
        guard mayBorrow(offset) else { return true }
        value.isBeingRead = true
        defer { value.isBeingRead = false }
        let place = TextPlace(head: value.text, start: value.text, end: value.text + value.bytes.count)
        return borrowing(.init(text: value.text, offset: offset, original: place), read) != nil
    }

    @inline(__always) private mutating func borrowing<Result>(
        _ source: BorrowedText.Source, _ read: (inout PlanReader, Bytes) -> Result
    ) -> Result {
        let (fence, depth) = (fence, nesting.depth)
        let outer = borrowed.open(source)
        rewind(to: Window.noFence)
        let result = read(&self, source.text)
        borrowed.close(outer)
        rewind(to: fence)
        nesting.depth = depth
        return result
    }

    /// Whether further bytes may be read instead of others; the first refusal in an element is added to the findings.
    private mutating func mayBorrow(_ offset: Int) -> Bool {
        if borrowed.mayNest { return true }
        if borrowed.refuse() {
            findings.append(
                Finding(
                    kind: .mapping, offset: offset, rule: -1, expected: InfiniteRecursion.expected,
                    found: InfiniteRecursion.found))
        }
        return false
    }

    private static let null = ConstantText("null")

    /// Reads a null that is not in the text, to clear a property.
    mutating func readingNull<Result>(_ read: (inout PlanReader, Bytes) -> Result) -> Result {
        // An issue of a conversion that rejects null is located at the current value.
        let offset = borrowed.source.map { $0.offset($0.text) } ?? window.position.offset
        return borrowing(.init(text: PlanReader.null.text, offset: offset), read)
    }

    /// Reads a scalar elsewhere in the text by its entry, instead of the value at an offset; returns false for invalid
    /// JSON.
    mutating func scalar(
        lyingAt text: Bytes, _ offset: Int, _ entry: EntryRef, _ node: NodeRef?,
        _ base: Memory
    ) -> Bool {
        borrowing(.init(text: text, offset: offset)) { $0.field($1, entry, node, base) } != nil
    }

    /// Reads a value by another mapping; returns `nil` for infinite recursion, which is added to the findings.
    mutating func readingAgain<Result>(_ place: Bytes, _ read: (inout PlanReader) -> Result) -> Result? {
        // Objects are counted when they are borrowed; arrays are a level of the payload.
        guard place.pointee != .openBrace, place.pointee != .openBracket else { return read(&self) }
        guard mayBorrow(offset(place)) else { return nil }
        borrowed.reopen()
        let result = read(&self)
        borrowed.close(borrowed.source)
        return result
    }

    /// The location of a value: in the payload, if it or a copy of it is in the payload.
    func textPlace(_ place: Bytes) -> TextPlace {
        if let source = borrowed.source, let original = source.original {
            return TextPlace(head: original.head, start: original.start + (place - source.text), end: original.end)
        }
        return TextPlace(head: window.start, start: window.start + window.distance(place), end: window.end)
    }
}

/// The issue of mappings that contain themselves without a payload level in between.
enum InfiniteRecursion {
    static let expected = "a key or an array before the mapping contains itself"
    static let found = "an infinitely recursive mapping"
}
