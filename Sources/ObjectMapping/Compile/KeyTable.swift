/// A hash table of an object's keys, in memory of the plan.
struct KeyTable {
    private let keys: Ref<KeyText>
    let count: Int
    /// Open addressing from a key's hash to its index + 1.
    private let slots: Ref<UInt16>
    private let mask: Int

    /// Returns the number of slots for a number of keys, a power of two.
    static func slotCount(for count: Int) -> Int {
        if count == 0 { return 1 }
        var slotCount = 4
        while slotCount < count * 2 { slotCount *= 2 }
        return slotCount
    }

    /// - Parameter slots: Memory for the required number of slots.
    init(_ keys: Ref<KeyText>, _ count: Int, slots: Ref<UInt16>) {
        let slotCount = KeyTable.slotCount(for: count)
        self.keys = keys
        self.count = count
        self.slots = slots
        mask = slotCount - 1
        slots.initialize(repeating: 0, count: slotCount)
        for index in 0..<count {
            var place = firstSlot(keys[index].bytes, keys[index].count)
            while slots[place] != 0 { place = (place + 1) & mask }
            slots[place] = UInt16(truncatingIfNeeded: index + 1)
        }
    }

    subscript(index: Int) -> KeyText { keys[index] }

    /// Returns the index of a key; -1 if it is unknown.
    @inline(__always) func find(_ bytes: Bytes, _ count: Int) -> Int {
        var place = firstSlot(bytes, count)
        while slots[place] != 0 {
            let index = Int(slots[place]) &- 1
            if keys[index].count == count, keys[index].bytes.isSame(as: bytes, count) { return index }
            place = (place &+ 1) & mask
        }
        return -1
    }

    @inline(__always) private func firstSlot(_ bytes: Bytes, _ count: Int) -> Int {
        Int(truncatingIfNeeded: KeyTable.hash(bytes, count)) & mask
    }

    /// Returns a hash of 32 bits; the bytes must be followed by padding.
    @inline(__always) static func hash(_ bytes: Bytes, _ count: Int) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: count)
        if count >= 8 {
            hash ^= bytes.word ^ ((bytes + (count &- 8)).word &* 0x9E37_79B9_7F4A_7C15)
        } else {
            hash ^= bytes.word & ((1 &<< UInt64(count &* 8)) &- 1)
        }
        return (hash &* 0x9E37_79B9_7F4A_7C15) >> 32
    }
}
