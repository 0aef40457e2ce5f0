/// Row numbers by identity, for identities of one integer; open addressing in one block of memory.
///
/// Safe: the map owns the block until `deinit`, every entry is initialized, and indexes are masked to its size.
@safe final class IdentityMap {
    /// The maximum memory of all maps in a store.
    final class Budget {
        fileprivate var entries: Int

        init(bytes: Int) { entries = bytes / MemoryLayout<Entry>.stride }
    }

    /// Whether every row of the entity is in the map, so that a missing entry means that there is no row.
    private(set) var isComplete: Bool

    fileprivate struct Entry {
        var key: Int64
        /// 0 marks a free entry, because it is not a valid row number.
        var row: Int64
    }

    private var entries: UnsafeMutableBufferPointer<Entry>
    private(set) var count = 0
    private let budget: Budget

    init(budget: Budget, isComplete: Bool) {
        self.budget = budget
        self.isComplete = isComplete
        unsafe entries = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        unsafe entries.deallocate()
    }

    /// Returns the row with an identity; `nil` if it is not in the map.
    subscript(key: Int64) -> Int64? {
        guard size > 0 else { return nil }
        let entry = self[at: place(of: key)]
        return entry.row == 0 ? nil : entry.row
    }

    /// Adds a row if there is space for it.
    func insert(_ key: Int64, row: Int64) {
        if count * 4 >= size * 3, !grow() {
            isComplete = false
            return
        }
        let place = place(of: key)
        if self[at: place].row == 0 { count += 1 }
        self[at: place] = Entry(key: key, row: row)
    }

    /// Returns the entries whose rows meet a condition.
    func filter(_ isIncluded: (Int64) -> Bool) -> IdentityMap {
        let map = IdentityMap(budget: budget, isComplete: false)
        for index in 0..<size where self[at: index].row != 0 && isIncluded(self[at: index].row) {
            map.insert(self[at: index].key, row: self[at: index].row)
        }
        return map
    }

    private var size: Int { unsafe entries.count }

    private subscript(at place: Int) -> Entry {
        @inline(__always) get { unsafe entries[place] }
        @inline(__always) set { unsafe entries[place] = newValue }
    }

    /// Returns the entry of a key, or the free one for it.
    private func place(of key: Int64) -> Int {
        let mask = size - 1
        // Fibonacci hashing: consecutive keys are distributed over the table, whose size is a power of two.
        let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: hash >> 32) & mask
        while self[at: place].row != 0, self[at: place].key != key { place = (place + 1) & mask }
        return place
    }

    private func grow() -> Bool {
        let old = unsafe entries
        let size = max(64, old.count * 2)
        guard size - old.count <= budget.entries else { return false }
        budget.entries -= size - old.count
        unsafe entries = .allocate(capacity: size)
        unsafe entries.initialize(repeating: Entry(key: 0, row: 0))
        for index in old.indices {
            let entry = unsafe old[index]
            if entry.row != 0 { self[at: place(of: entry.key)] = entry }
        }
        unsafe old.deallocate()
        return true
    }
}
