/// Where the members of objects stand that sources look up.
struct ContextMembers {
    /// The keys of those members; their numbers are the offsets of the entries.
    private let keys: UnsafeMutablePointer<Node>?
    let count: Int
    /// Bit `n`: one of the keys has `n` bytes, 63 or more for the last bit.
    private let keyLengths: UInt64
    /// For each frame that was searched.
    private var places: [UnsafeRawBufferPointer?] = []

    init(_ keys: UnsafeMutablePointer<Node>?) {
        self.keys = keys
        count = keys?.pointee.count ?? 0
        keyLengths = (0..<count).reduce(0) { bits, index in
            bits | 1 << UInt64(min(63, keys?.pointee.keys[index].count ?? 0))
        }
    }

    /// The number of the member with a key; nil if no source looks it up.
    @inline(__always) func number(of key: Bytes, _ count: Int) -> Int? {
        guard let keys, keyLengths & (1 << UInt64(min(63, count))) != 0 else { return nil }
        let index = keys.pointee.find(key, count)
        return index < 0 ? nil : keys.pointee.entries[index].offset
    }

    /// The text of a member's value in a frame that was searched; nil if it is absent.
    subscript(number: Int, of frame: Int) -> UnsafeRawBufferPointer? {
        get { places[frame * count + number] }
        set { places[frame * count + number] = newValue }
    }

    /// Forgets where the members of a frame stand, which is searched then.
    mutating func forget(_ frame: Int) {
        let first = frame * count
        let missing = first + count - places.count
        if missing > 0 { places += repeatElement(nil, count: missing) }
        for index in first..<first + count { places[index] = nil }
    }
}
