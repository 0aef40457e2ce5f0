/// The order in which one decode has seen the keys of a node, to guess the next one; never shared between decodes.
struct KeyMemory {
    struct Learned {
        var key: KeyText
        /// Index of the node's entry, -1 for a key that nobody maps.
        var entry: Int
        /// The key that came after it last time, -1 for none.
        var next: Int
    }

    private static var limit: Int { 128 }
    /// Longer keys are not guessed: a guess may read as far as its key is long.
    static var longestKey: Int { 48 }

    private(set) var learned: UnsafeMutablePointer<Learned>?
    private var count = 0
    private var capacity = 0
    /// The key that came first last time, -1 for none.
    var first = -1
    /// How many objects were read.
    var visits = 0

    mutating func free() {
        for index in 0..<count { learned?[index].key.bytes.deallocate() }
        learned?.deallocate()
    }

    /// The index of a key among those learned, learning it where there is room; -1 for none.
    mutating func index(of bytes: Bytes, _ size: Int, entry: Int) -> Int {
        guard size <= KeyMemory.longestKey else { return -1 }
        let key = KeyText(bytes, size)
        if let learned {
            for index in 0..<count {
                let known = learned[index].key
                if known.head == key.head, known.count == size, memcmp(known.bytes, bytes, size) == 0 { return index }
            }
        }
        guard count < KeyMemory.limit else { return -1 }
        if count == capacity { grow() }
        guard let learned else { return -1 }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 16)
        copy.initialize(repeating: 0, count: size + 16)
        copy.update(from: bytes, count: size)
        (learned + count).initialize(to: Learned(key: KeyText(Bytes(copy), size), entry: entry, next: -1))
        count += 1
        return count - 1
    }

    private mutating func grow() {
        capacity = max(16, capacity * 2)
        let larger = UnsafeMutablePointer<Learned>.allocate(capacity: capacity)
        if let learned {
            larger.moveInitialize(from: learned, count: count)
            learned.deallocate()
        }
        learned = larger
    }
}
