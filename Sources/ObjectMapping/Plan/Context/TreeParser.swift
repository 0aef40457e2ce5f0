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
