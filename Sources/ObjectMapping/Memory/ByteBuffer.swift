/// A growing buffer of bytes for reuse; allocated with the first byte, freed with the buffer.
struct ByteBuffer: ~Copyable {
    private(set) var start: Ref<UInt8>
    private(set) var count = 0
    private var capacity = 0

    private static let empty = ConstantText("")

    init() { start = ByteBuffer.empty.text.mutable }

    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity + Bytes.padding)
    }

    deinit { if capacity > 0 { start.deallocate() } }

    /// The bytes as a padded text; valid until the next change.
    var text: Bytes {
        if capacity == 0 { return Bytes(start) }
        (start + count).initialize(repeating: 0, count: Bytes.padding)
        return Bytes(start)
    }

    mutating func removeAll() { count = 0 }

    mutating func truncate(to count: Int) { self.count = count }

    @inline(__always) mutating func reserve(_ more: Int) { if count &+ more > capacity { grow(more) } }

    @inline(never) private mutating func grow(_ more: Int) {
        let larger = max(256, capacity * 2, count + more)
        let size = larger + Bytes.padding
        start = capacity > 0 ? start.grown(count, to: size) : .allocate(capacity: size)
        capacity = larger
    }

    @inline(__always) mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count &+= 1
    }

    @inline(__always) mutating func append(_ bytes: Bytes, _ size: Int) {
        reserve(size)
        (start + count).initialize(from: bytes, count: size)
        count &+= size
    }

    /// Appends the lowest bytes of a word, up to eight.
    @inline(__always) mutating func append(_ word: UInt64, _ size: Int) {
        reserve(8)
        (start + count).store(word)
        count &+= size
    }

    /// Appends what a closure writes; the closure returns the number of bytes, up to the requested maximum.
    @inline(__always) mutating func append(upTo most: Int, _ write: (Ref<UInt8>) -> Int) {
        reserve(most)
        count &+= write(start + count)
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        reserve(bytes.count)
        for byte in bytes { append(byte) }
    }

    mutating func append(_ bytes: ByteView) {
        guard let first = Bytes(bytes) else { return }
        append(first, bytes.count)
    }

    /// Appends a valid JSON text without whitespace between its tokens.
    mutating func append(withoutBlanks json: ByteView) {
        let first = count
        append(json)
        var place = text + first
        let end = text + count
        count = first
        while true {
            place = skipWhitespace(place)
            var next = place
            while next.pointee > 0x20, next.pointee != .quote { next += 1 }
            if next.pointee == .quote { next = skipString(next + 1) ?? end }
            if next == place { return }
            (start + count).update(from: place, count: next - place)
            count += next - place
            place = next
        }
    }
}

/// A padded text in separate memory, which is never freed.
struct ConstantText: @unchecked Sendable {  // immutable once it is written
    let text: Bytes

    init(_ string: StaticString) {
        text = unsafe Bytes(.padded(Bytes(string.utf8Start).raw(string.utf8CodeUnitCount)))
    }
}
