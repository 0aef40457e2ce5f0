/// The part of a text that is in memory, always followed by padding, so that scanners need no bounds checks.
///
/// A text in memory is read where it lies, but for its last bytes: tokens from `fence` on stand in a padded copy, the
/// tail. A text from a source slides through a buffer that holds at least one whole element.
final class Window {
    // Exclusivity unchecked: a window belongs to one thread and no access outlasts a call; the checks cost every token.
    /// The first byte in memory.
    @safe @exclusivity(unchecked) private(set) var start: Bytes
    /// Behind the last byte in memory.
    @safe @exclusivity(unchecked) private(set) var end: Bytes
    /// Whether nothing follows what is in memory.
    @safe @exclusivity(unchecked) private(set) var isComplete: Bool
    /// Whether the whole text stays in memory, from its beginning to its end.
    let isWholeText: Bool
    /// The place of `start` in the whole text.
    @safe @exclusivity(unchecked) private(set) var position = TextPosition()
    /// A token that begins here or behind is read from the tail instead; the byte here is a quote, which ends every token.
    let fence: Bytes
    private let tail: Bytes
    private let owned: Ref<UInt8>?
    @safe @exclusivity(unchecked) private var buffer: Ref<UInt8>?
    @safe @exclusivity(unchecked) private var capacity = 0
    /// A text without end, or one that forgot a quote, must not take all memory.
    private let largestCapacity: Int
    /// Bytes of the largest element that is allowed.
    let elementLimit: Int
    @safe @exclusivity(unchecked) private var source: (any ByteSource)?

    /// Behind every place; only the address 0 is no pointer.
    static var noFence: Bytes { Bytes.behindAll }
    private static var longestTail: Int { 4096 }

    /// A text in memory, which must stay there as long as the window.
    ///
    /// - Parameter inOnePiece: Whether all of it is copied, for one who looks for the ends of its lines.
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

    /// A text that is read bit by bit.
    ///
    /// - Parameters:
    ///   - capacity: Bytes in memory, as long as every element fits.
    ///   - elementLimit: Bytes of the largest element that is allowed; the memory grows as far as that.
    convenience init(source: some ByteSource, capacity: Int, elementLimit: Int = 512 << 20) throws {
        self.init(capacity: capacity, elementLimit: elementLimit)
        self.source = source
        try fill(from: 0)
        skipByteOrderMark()
    }

    /// A text that is given bit by bit, by `append` and `finish`: nothing is in memory yet.
    init(capacity: Int, elementLimit: Int) {
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

    /// The same place in the tail.
    @inline(never) func relocated(_ place: Bytes) -> Bytes { tail + (place - fence) }

    /// Bytes between the text's beginning and a place, wherever that stands.
    func offset(_ place: Bytes) -> Int { position.offset + distance(place) }

    /// Whether a place is at or behind the last byte in memory.
    @inline(__always) func isAtEnd(_ place: Bytes) -> Bool { distance(place) >= end - start }

    /// What is in memory.
    var bytes: ByteView { start.raw(end - start) }

    /// What stands between two places; one stretch even where the second stands in the tail.
    func bytes(from first: Bytes, to last: Bytes) -> ByteView {
        (start + distance(first)).raw(distance(last) - distance(first))
    }

    /// Drops what stands before a place and reads on; the place's new address.
    ///
    /// Call it only when the window is not complete.
    ///
    /// - Throws: `WindowFailure`, or what the source throws.
    func slide(keeping place: Bytes) throws -> Bytes {
        guard source != nil else { throw WindowFailure.starved }
        let kept = end - place
        let isFull = place == start && kept == capacity
        drop(before: place)
        if isFull { try grow(kept) }
        try fill(from: kept)
        return start
    }

    // MARK: A text that is given bit by bit

    /// Appends as many bytes as there is room for, where need be in place of what stands before a place.
    ///
    /// - Parameter place: From here on the text is kept; its new address afterwards.
    /// - Returns: How many bytes were appended, at least one.
    func append(_ bytes: ByteView, keeping place: inout Bytes) throws(WindowFailure) -> Int {
        guard let memory = buffer else { return 0 }
        if end - Bytes(memory) + bytes.count > capacity {
            let kept = end - place
            drop(before: place)
            place = start
            // With half of the memory free, no byte is moved more than once for another that comes.
            let isCramped = kept > capacity / 2 && kept + bytes.count > capacity && capacity < largestCapacity
            if isCramped || kept == capacity { try grow(kept) }
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

    /// Says that nothing follows.
    func finish() { isComplete = true }

    /// Whether the first bytes, which tell the encoding, are in memory.
    var knowsBeginning: Bool {
        let count = end - start
        // Two characters of ASCII begin no other encoding than UTF-8, and no byte order mark.
        return isComplete || count >= 4 || (count >= 2 && 1..<0x80 ~= start[0] && 1..<0x80 ~= start[1])
    }

    /// RFC 8259 lets a reader ignore a byte order mark.
    func skipByteOrderMark() {
        position.offset = TextPosition.lengthOfByteOrderMark(in: bytes)
        start += position.offset
    }

    // MARK: Memory

    private func drop(before place: Bytes) {
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

    /// Bytes in memory before a place, wherever that stands.
    func distance(_ place: Bytes) -> Int {
        guard fence != Window.noFence, place < start || place > end else { return place - start }
        return (fence - start) + (place - tail)
    }

    private func fill(from kept: Int) throws {
        guard let memory = buffer else { return }
        var count = kept
        // The window stays sound even where the source fails.
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

    /// Where the tail of a text in memory begins: at a quote that is not escaped, with the padding still in the text.
    private static func split(_ text: ByteView) -> Int? {
        guard text.count > 4 * longestTail else { return nil }
        let last = text.count - Bytes.padding
        return (last - longestTail..<last).last { text[$0] == .quote && text[$0 - 1] != .backslash }
    }
}

/// Why a window has no more of its text.
enum WindowFailure: Error {
    /// The text is given bit by bit, and more of it must be given first.
    case starved
    /// What must be kept fills all the memory that there may be.
    case full
}
