/// Memory for bytes that grows and is kept for reuse; whoever makes one frees it.
struct ByteBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 256) {
        self.capacity = capacity
        start = .allocate(capacity: capacity + Bytes.padding)
    }

    func free() { start.deallocate() }

    /// The bytes as a text that may be scanned; valid until the next change.
    var text: Bytes {
        (start + count).initialize(repeating: 0, count: Bytes.padding)
        return Bytes(start)
    }

    mutating func removeAll() { count = 0 }

    mutating func truncate(to count: Int) { self.count = count }

    @inline(__always) mutating func reserve(_ more: Int) {
        if count &+ more > capacity { grow(more) }
    }

    @inline(never) private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Bytes.padding)
        larger.initialize(from: start, count: count)
        start.deallocate()
        start = larger
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

    /// Appends the lowest bytes of a word, at most eight.
    @inline(__always) mutating func append(_ word: UInt64, _ size: Int) {
        reserve(8)
        UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= size
    }

    /// Appends what a closure writes: as many bytes as it answers, at most those that were asked for.
    @inline(__always) mutating func append(upTo most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(most)
        count &+= write(start + count)
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        reserve(bytes.count)
        for byte in bytes { append(byte) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        append(first.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
