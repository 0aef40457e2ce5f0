/// Finds the objects that may contain duplicate keys, with a hash table of the keys of one object at a time.
///
/// The hash is fast and can be attacked with collisions, which only mark an object for an exact check.
struct KeyFilter: ~Copyable {
    /// The number of an object in the upper half, and the hash of one of its keys in the lower half.
    private var table: Ref<UInt64>
    private var capacity = 64
    /// Entries with another number are empty.
    private var number: UInt64 = 0

    init() {
        table = .allocate(capacity: capacity)
        table.initialize(repeating: 0, count: capacity)
    }

    deinit { table.deallocate() }

    /// Whether two keys of an object may be equal.
    @inline(__always) mutating func mayRepeat(in tokens: Tokens, _ object: Int) -> Bool {
        let count = tokens.memberCount(object)
        if 2 &* count > capacity { grow(2 &* count) }
        number &+= 1
        let mask = capacity &- 1
        var collisions = 4 &* count
        var key = object &+ 2
        for _ in 0..<count {
            let token = tokens.token(key)
            // The same key can be escaped in several ways.
            if token.kind == .escapedString { return true }
            let entry = number &<< 32 | KeyFilter.hash(of: token, tokens)
            var slot = Int(truncatingIfNeeded: entry) & mask
            while table[slot] &>> 32 == number {
                collisions &-= 1
                if table[slot] == entry || collisions < 0 { return true }
                slot = (slot &+ 1) & mask
            }
            table[slot] = entry
            key = tokens.end(of: key &+ 1)
        }
        return false
    }

    /// Returns a hash of 32 bits of a key's length and of its first, middle and last eight bytes.
    @inline(__always) private static func hash(of key: Token, _ tokens: Tokens) -> UInt64 {
        let length = key.storedLength
        let start = tokens.text + (key.offset &+ 1)
        var hash = start.word
        if length < 8 {
            hash &= (1 &<< UInt64(length &* 8)) &- 1
        } else {
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ (start + (length &- 8)).word
            if length > 16 { hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ (start + (length / 2 &- 4)).word }
        }
        hash = (hash ^ UInt64(length)) &* 0xD6E8_FEB8_6659_FD93
        hash = (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
        return hash &>> 32
    }

    @inline(never) private mutating func grow(_ least: Int) {
        while capacity < least { capacity *= 2 }
        table.deallocate()
        table = .allocate(capacity: capacity)
        table.initialize(repeating: 0, count: capacity)
    }
}
