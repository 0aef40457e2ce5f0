/// A hash table of integers, the keys of most objects: a session looks up one for each object.
///
/// `Dictionary` hashes an integer with SipHash, which takes longer than the rest of a lookup. This table mixes both
/// halves of the product with a random number, like wyhash, so that a payload cannot be crafted to collide.
struct IntegerTable {
    private struct Slot {
        var number: Int64 = 0
        var index = -1
    }

    /// Open addressing; at most half of the slots are used.
    private var slots = [Slot](repeating: Slot(), count: 8)
    private var count = 0
    private let multiplier = UInt64.random(in: 1 << 63 ... .max) | 1

    /// Returns the index of an integer; `nil` if it was not added.
    func index(of number: Int64) -> Int? {
        let index = slots[slot(of: number)].index
        return index < 0 ? nil : index
    }

    /// Returns the index of an integer, which is added if it is new.
    ///
    /// - Complexity: O(1) on average.
    mutating func index(of number: Int64, adding index: Int) -> Int {
        let slot = slot(of: number)
        if slots[slot].index >= 0 { return slots[slot].index }
        slots[slot] = Slot(number: number, index: index)
        count &+= 1
        if count &* 2 > slots.count { grow() }
        return index
    }

    /// Returns the slot of an integer, or the empty slot for it.
    @inline(__always) private func slot(of number: Int64) -> Int {
        let product = UInt64(bitPattern: number).multipliedFullWidth(by: multiplier)
        var slot = Int(truncatingIfNeeded: product.high ^ product.low) & (slots.count &- 1)
        while slots[slot].index >= 0, slots[slot].number != number { slot = (slot &+ 1) & (slots.count &- 1) }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for entry in old where entry.index >= 0 { slots[slot(of: entry.number)] = entry }
    }
}
