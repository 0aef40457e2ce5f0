/// What a decoder remembers of an object's keys while its members are asked for one after the other.
struct KeyLookup {
    /// The key behind the member that was found last: most types ask in the order of the text.
    var next: Int
    /// A bit a key before `next`, by a weak hash: a key whose bit is not set does not stand there.
    var passed: UInt64 = 0
    /// Whether it is known that no key stands twice.
    var areUnique = false
    /// How many keys were looked at in vain.
    var effort = 0
    /// Places of the values by converted keys, or by keys that were looked for in vain too often.
    var index: [ExactText: Int]?

    init(first: Int) { next = first }

    @inline(__always) mutating func reset(first: Int) {
        next = first
        passed = 0
        areUnique = false
        effort = 0
        if index != nil { index = nil }
    }

    /// The bit of a key's text; the first, middle and last byte tell most apart.
    @inline(__always) static func bit(_ start: Bytes, _ count: Int) -> UInt64 {
        if count == 0 { return 1 }
        let hash =
            UInt64(start[0]) &* 31 ^ UInt64(start[count / 2]) &* 17 ^ UInt64(start[count - 1]) ^ UInt64(count) &* 7
        return 1 &<< (hash & 63)
    }
}
