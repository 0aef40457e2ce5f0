/// The part of a text that is in memory, always followed by padding, so that scanners need no bounds checks.
///
/// A text in memory is not copied, except for its last bytes: tokens from `fence` on are in a padded copy, the tail. A
/// text from a source slides through a buffer that contains at least one complete element.
final class Window {
    // Exclusivity unchecked: a window belongs to one thread and no access outlasts a call; the checks cost every token.
    /// The first byte in memory.
    @safe @exclusivity(unchecked) private(set) var start: Bytes
    /// The end of the bytes in memory.
    @safe @exclusivity(unchecked) private(set) var end: Bytes
    /// Whether the text ends with the bytes in memory.
    @safe @exclusivity(unchecked) private(set) var isComplete: Bool
    /// Whether the whole text is in memory during the lifetime of the window.
    let isWholeText: Bool
    /// The position of `start` in the whole text.
    @safe @exclusivity(unchecked) private(set) var position = TextPosition()
    /// Tokens that start at or after this place are read from the tail; the byte here is a quote, which ends every
    /// token.
    let fence: Bytes
    private let tail: Bytes
    private let owned: Ref<UInt8>?
    @safe @exclusivity(unchecked) private var buffer: Ref<UInt8>?
    @safe @exclusivity(unchecked) private var capacity = 0
    /// The maximum size of the buffer, which limits an endless text or a missing quote.
    private let largestCapacity: Int
    /// The maximum length of an element in bytes.
    let elementLimit: Int
    @safe @exclusivity(unchecked) private var source: (any ByteSource)?

    /// A place after all others; only the address 0 is not a pointer.
    static var noFence: Bytes { Bytes.behindAll }
    private static var longestTail: Int { 4096 }

    /// Creates a window over a text in memory, which must outlive it.
    ///
    /// - Parameter inOnePiece: Whether the whole text is copied, for a search for the ends of lines.
    init(_ bytes: ByteView, inOnePiece: Bool = false) {
        isComplete = true
        isWholeText = true
        (largestCapacity, elementLimit) = (0, .max)
        let split = inOnePiece ? nil : Window.split(bytes)
        let copy = Ref.padded(bytes.dropFirst(split ?? 0))
        let first = split.flatMap { _ in Bytes(bytes) } ?? Bytes(copy)
        owned = copy
        tail = Bytes(copy)
        fence = split.map { first + $0 } ?? Window.noFence
        start = first
        end = first + bytes.count
        skipByteOrderMark()
    }

    /// Creates a window over a text that is read incrementally.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes in memory, if all elements fit.
    ///   - elementLimit: The maximum length of an element in bytes, up to which the memory grows.
    convenience init(source: some ByteSource, capacity: Int, elementLimit: Int = 512 << 20) throws {
        self.init(capacity: capacity, elementLimit: elementLimit)
        self.source = source
        try fill(from: 0)
        skipByteOrderMark()
    }

    /// Creates a window over a text that is passed in pieces, with `append` and `finish`.
    ///
    /// - Parameter position: The position of the first byte.
    init(capacity: Int, elementLimit: Int, position: TextPosition = TextPosition()) {
        self.position = position
        let memory = Ref.padded(.empty, capacity: capacity)
        isWholeText = false
        self.capacity = capacity
        self.elementLimit = elementLimit
        largestCapacity = max(capacity, elementLimit)
        buffer = memory
        owned = nil
        fence = Window.noFence
        tail = Bytes(memory)
        start = tail
        end = tail
        isComplete = false
    }

    deinit {
        owned?.deallocate()
        buffer?.deallocate()
    }

    /// Returns the same place in the tail.
    @inline(never) func relocated(_ place: Bytes) -> Bytes { tail + (place - fence) }

    /// Returns the offset of a place in the text.
    func offset(_ place: Bytes) -> Int { position.offset + distance(place) }

    /// Whether a place is at or after the end of the bytes in memory.
    @inline(__always) func isAtEnd(_ place: Bytes) -> Bool { distance(place) >= end - start }

    /// The bytes in memory.
    var bytes: ByteView { start.raw(end - start) }

    /// Returns the contiguous bytes between two places, of which the second can be in the tail.
    func bytes(from first: Bytes, to last: Bytes) -> ByteView {
        (start + distance(first)).raw(distance(last) - distance(first))
    }

    /// Removes the bytes before a place and reads more; returns the place's new address.
    ///
    /// It is called only if the window is not complete.
    ///
    /// - Throws: `WindowFailure`, or an error of the source.
    func slide(keeping place: Bytes) throws -> Bytes {
        guard source != nil else { throw WindowFailure.needsText }
        let kept = end - place
        let isFull = place == start && kept == capacity
        try drop(before: place)
        if isFull { try grow(kept) }
        try fill(from: kept)
        return start
    }

    // MARK: Text in pieces

    /// Appends the bytes that fit, replacing bytes before a place if necessary.
    ///
    /// - Parameter place: The start of the bytes to keep; changed to its new address.
    /// - Returns: The number of appended bytes, at least one.
    func append(_ bytes: ByteView, keeping place: inout Bytes) throws(WindowFailure) -> Int {
        guard let memory = buffer else { return 0 }
        if end - Bytes(memory) + bytes.count > capacity {
            let kept = end - place
            try drop(before: place)
            place = start
            // With half of the memory free, each byte is moved at most once per new byte.
            let needsSpace = kept > capacity / 2 && kept + bytes.count > capacity && capacity < largestCapacity
            if needsSpace || kept == capacity { try grow(kept) }
            place = start
        }
        guard let memory = buffer else { return 0 }
        let used = end - Bytes(memory)
        let count = min(bytes.count, capacity - used)
        if let first = Bytes(bytes) { (memory + used).initialize(from: first, count: count) }
        (memory + used + count).initialize(repeating: 0, count: Bytes.padding)
        end += count
        return count
    }

    /// Ends the text.
    func finish() { isComplete = true }

    /// Whether the first bytes, which determine the encoding, are in memory.
    var hasBeginning: Bool {
        let count = end - start
        // Two ASCII characters exclude other encodings than UTF-8, and a byte order mark.
        return isComplete || count >= 4 || (count >= 2 && 1..<0x80 ~= start[0] && 1..<0x80 ~= start[1])
    }

    /// RFC 8259 allows readers to ignore a byte order mark.
    func skipByteOrderMark() {
        position.offset = TextPosition.lengthOfByteOrderMark(in: bytes)
        start += position.offset
    }

    // MARK: Memory

    private func drop(before place: Bytes) throws(WindowFailure) {
        // All offsets must fit into `Int`, which has 32 bits on some watches, also after the memory was doubled.
        guard position.offset + (place - start) <= .max - 2 * capacity else { throw .tooLong }
        position.advance(over: bytes, from: 0, to: place - start)
        guard let buffer else { return }
        let kept = end - place
        buffer.update(from: place, count: kept)
        start = Bytes(buffer)
        end = start + kept
    }

    /// Doubles the memory.
    private func grow(_ kept: Int) throws(WindowFailure) {
        guard capacity < largestCapacity else { throw .full }
        capacity = min(capacity * 2, largestCapacity)
        let larger = Ref.padded(start.raw(kept), capacity: capacity)
        buffer?.deallocate()
        buffer = larger
        start = Bytes(larger)
        end = start + kept
    }

    /// Returns the number of bytes in memory before a place.
    func distance(_ place: Bytes) -> Int {
        guard fence != Window.noFence, place < start || place > end else { return place - start }
        return (fence - start) + (place - tail)
    }

    private func fill(from kept: Int) throws {
        guard let memory = buffer else { return }
        var count = kept
        // The window stays valid if the source fails.
        defer {
            (memory + count).initialize(repeating: 0, count: Bytes.padding)
            start = Bytes(memory)
            end = start + count
        }
        while count < capacity, !isComplete {
            let more = try source?.read(into: MutableByteView(memory + count, capacity - count))
            if let more, more > 0 { count += more } else { isComplete = true }
        }
    }

    /// Returns the start of the tail of a text in memory: at a quote that is not escaped, with the padding still in the
    /// text.
    private static func split(_ text: ByteView) -> Int? {
        guard text.count > 512 else { return nil }
        let last = text.count - Bytes.padding
        return (max(1, last - longestTail)..<last).last { text[$0] == .quote && text[$0 - 1] != .backslash }
    }
}

/// The reason why a window cannot provide more text.
enum WindowFailure: Error {
    /// The text is passed in pieces, and the next piece is required.
    case needsText
    /// The bytes to keep fill the maximum memory.
    case full
    /// The offsets of the next bytes do not fit into `Int`.
    case tooLong
}
