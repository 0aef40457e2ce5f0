/// Writes JSON text into one growing buffer, token by token.
///
/// Opening an object writes nothing: each member starts with a comma, and the first comma is overwritten with the brace
/// when the object is closed. Arrays work the same way.
struct JSONWriter: ~Copyable {
    var buffer: ByteBuffer
    /// The number of open arrays and objects.
    private(set) var depth = 0
    let maximumDepth: Int
    /// Whether the nesting was exceeded: nothing more is written into the open containers.
    private(set) var isTooDeep = false

    init(capacity: Int = 512, maximumDepth: Int = .max) {
        buffer = ByteBuffer(capacity: capacity)
        self.maximumDepth = maximumDepth
    }

    /// The number of written bytes.
    var count: Int { buffer.count }

    // MARK: Containers

    /// Opens an array or object, to be ended by `close`; returns false if it is nested too deeply.
    @inline(__always) mutating func open() -> Bool {
        if depth >= maximumDepth || isTooDeep {
            isTooDeep = true
            return false
        }
        depth &+= 1
        return true
    }

    /// Stops writing into the open containers.
    mutating func stop() { isTooDeep = true }

    /// Ends a container that has no brackets.
    @inline(__always) mutating func leave() { depth &-= 1 }

    /// Ends the object whose first member starts at an offset.
    @inline(__always) mutating func closeObject(from start: Int) {
        leave()
        encloseObject(from: start)
    }

    /// Encloses the members that start at an offset in an object.
    @inline(__always) mutating func encloseObject(from start: Int) { close(from: start, .openBrace, .closeBrace) }

    /// Ends the array whose first element's comma is at an offset.
    @inline(__always) mutating func closeArray(from start: Int) {
        leave()
        close(from: start, .openBracket, .closeBracket)
    }

    @inline(__always) private mutating func close(from start: Int, _ open: UInt8, _ close: UInt8) {
        if count == start { buffer.append(open) } else { buffer.start[start] = open }
        buffer.append(close)
    }

    /// Writes the separator of elements.
    @inline(__always) mutating func comma() { buffer.append(.comma) }

    // MARK: Keys

    /// Writes a member's key as stored by `OutputKey`, including comma, quotes and colon.
    @inline(__always) mutating func key(_ bytes: Bytes, _ size: Int) {
        buffer.append(upTo: size &+ 16) { target in
            // Most keys are short, and bytes after them can be read and overwritten.
            target.store(bytes.word)
            (target + 8).store((bytes + 8).word)
            if size > 16 { (target + 16).initialize(from: bytes + 16, count: size &- 16) }
            return size
        }
    }

    /// Writes a member's key that is not known in advance.
    mutating func key(_ text: String) {
        comma()
        string(text)
        buffer.append(.colon)
    }

    // MARK: Values

    @inline(__always) mutating func null() { buffer.append(0x6C6C_756E, 4) }

    @inline(__always) mutating func bool(_ value: Bool) {
        if value { buffer.append(0x6575_7274, 4) } else { buffer.append(0x65_736C_6166, 5) }
    }

    /// Writes JSON text.
    mutating func raw(_ text: String) { buffer.append(text.utf8) }

    /// Removes what was written after an offset.
    @inline(__always) mutating func truncate(to count: Int) { buffer.truncate(to: count) }

    /// Sorts written pieces by their bytes.
    ///
    /// - Parameter starts: The offset of each piece, in ascending order; the last piece ends at the end of the text.
    mutating func sort(_ starts: [Int]) {
        guard let first = starts.first, starts.count > 1 else { return }
        let copy = Array((buffer.start + first).view(count - first))
        let pieces = zip(starts, starts.dropFirst() + [count]).map { copy[$0 - first..<$1 - first] }
        truncate(to: first)
        for piece in pieces.sorted(by: { $0.lexicographicallyPrecedes($1) }) { buffer.append(piece) }
    }

    // MARK: Result

    /// Returns what was written from an offset.
    func text(from start: Int) -> String {
        String(decoding: (buffer.start + start).view(count - start), as: UTF8.self)
    }

    var text: String { text(from: 0) }

    func withBytes<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try body(buffer.start.view(count))
    }

    var data: Data { Data(buffer.start.view(count)) }
}
