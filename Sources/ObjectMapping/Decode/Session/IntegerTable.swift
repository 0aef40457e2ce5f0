/// Indexes by integers, such as most keys of objects are: a session looks one up for each object.
///
/// `Dictionary` hashes an integer with SipHash, which takes longer than all the rest of a look-up. This table multiplies
/// it by a random number instead: by "A Reliable Randomized Algorithm for the Closest-Pair Problem" (Dietzfelbinger et
/// al., 1997) that spreads any set of integers, so that no payload can be made to collide.
struct IntegerTable {
    private struct Slot {
        var number: Int64 = 0
        var index = -1
    }

    /// Open addressing; at most half of the slots are in use.
    private var slots = [Slot](repeating: Slot(), count: 8)
    private var count = 0
    private var shift: UInt64 = 61
    private let multiplier = UInt64.random(in: 0 ... .max) | 1

    /// The index of an integer; nil for one that was not added.
    func index(of number: Int64) -> Int? {
        let index = slots[slot(of: number)].index
        return index < 0 ? nil : index
    }

    /// The index of an integer, which is added if it is new.
    ///
    /// - Complexity: O(1) on average.
    mutating func index(of number: Int64, adding index: Int) -> Int {
        let slot = slot(of: number)
        if slots[slot].index >= 0 { return slots[slot].index }
        slots[slot] = Slot(number: number, index: index)
        count += 1
        if count * 2 > slots.count { grow() }
        return index
    }

    /// The slot that holds an integer, or the one for it.
    private func slot(of number: Int64) -> Int {
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* multiplier) &>> shift)
        while slots[slot].index >= 0, slots[slot].number != number { slot = (slot &+ 1) & (slots.count &- 1) }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        shift -= 1
        for entry in old where entry.index >= 0 { slots[slot(of: entry.number)] = entry }
    }
}
