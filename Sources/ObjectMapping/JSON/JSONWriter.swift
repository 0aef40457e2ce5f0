/// Writes JSON text into one growing buffer, token by token.
///
/// An object is opened by nothing: each member comes with the comma before it, and the first one's is overwritten by
/// the brace when the object is closed. Arrays work likewise.
struct JSONWriter: ~Copyable {
    var buffer: ByteBuffer
    /// How many arrays and objects are open.
    private(set) var depth = 0
    let maximumDepth: Int
    /// Something nests deeper: nothing more is written into what is open.
    private(set) var isTooDeep = false

    init(capacity: Int = 512, maximumDepth: Int = .max) {
        buffer = ByteBuffer(capacity: capacity)
        self.maximumDepth = maximumDepth
    }

    /// How many bytes were written.
    var count: Int { buffer.count }

    // MARK: Containers

    /// Whether one more array or object may be opened; `close` ends it.
    @inline(__always) mutating func open() -> Bool {
        if depth >= maximumDepth || isTooDeep {
            isTooDeep = true
            return false
        }
        depth &+= 1
        return true
    }

    /// Writes nothing more into what is open.
    mutating func stop() { isTooDeep = true }

    /// Ends what was opened without brackets of its own.
    @inline(__always) mutating func leave() { depth &-= 1 }

    /// Ends the object whose first member begins at a place.
    @inline(__always) mutating func closeObject(from start: Int) {
        leave()
        encloseObject(from: start)
    }

    /// Makes an object of the members that begin at a place.
    @inline(__always) mutating func encloseObject(from start: Int) { close(from: start, .openBrace, .closeBrace) }

    /// Ends the array whose first element's comma stands at a place.
    @inline(__always) mutating func closeArray(from start: Int) {
        leave()
        close(from: start, .openBracket, .closeBracket)
    }

    @inline(__always) private mutating func close(from start: Int, _ open: UInt8, _ close: UInt8) {
        if count == start { buffer.append(open) } else { buffer.start[start] = open }
        buffer.append(close)
    }

    /// What stands between elements.
    @inline(__always) mutating func comma() { buffer.append(.comma) }

    // MARK: Keys

    /// A member's key as `OutputKey` keeps it: comma, quotes and colon included.
    @inline(__always) mutating func key(_ bytes: Bytes, _ size: Int) {
        buffer.append(upTo: size &+ 16) { target in
            // Most keys are short, and the bytes behind them may be read and written over.
            target.store(bytes.word)
            (target + 8).store((bytes + 8).word)
            if size > 16 { (target + 16).initialize(from: bytes + 16, count: size &- 16) }
            return size
        }
    }

    /// A member's key that is known only now.
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

    /// A text that is JSON already.
    mutating func raw(_ text: String) { buffer.append(text.utf8) }

    /// Forgets what was written behind a place.
    @inline(__always) mutating func truncate(to count: Int) { buffer.truncate(to: count) }

    /// Sorts what was written in pieces by their bytes.
    ///
    /// - Parameter starts: Where each piece begins, in ascending order; the last one ends where the text does.
    mutating func sort(_ starts: [Int]) {
        guard let first = starts.first, starts.count > 1 else { return }
        let copy = Array((buffer.start + first).view(count - first))
        let pieces = zip(starts, starts.dropFirst() + [count]).map { copy[$0 - first..<$1 - first] }
        truncate(to: first)
        for piece in pieces.sorted(by: { $0.lexicographicallyPrecedes($1) }) { buffer.append(piece) }
    }

    // MARK: The result

    /// What was written from a place on.
    func text(from start: Int) -> String {
        String(decoding: (buffer.start + start).view(count - start), as: UTF8.self)
    }

    var text: String { text(from: 0) }

    func withBytes<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        try body(buffer.start.view(count))
    }

    var data: Data { Data(buffer.start.view(count)) }
}
