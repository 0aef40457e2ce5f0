/// Row numbers by identity, for identities of one integer; open addressing in one block of memory.
///
/// Safe: the block is the map's own until `deinit`, every entry is initialized, and places are masked to its size.
@safe final class IdentityMap {
    /// What all maps of a store may take together.
    final class Budget {
        fileprivate var entries: Int

        init(bytes: Int) { entries = bytes / MemoryLayout<Entry>.stride }
    }

    /// Whether every row of the entity is in the map, so that a miss says that there is none.
    private(set) var isComplete: Bool

    fileprivate struct Entry {
        var key: Int64
        /// 0 marks a free entry: no row has this number.
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

    /// The row with an identity; nil if the map does not know one.
    subscript(key: Int64) -> Int64? {
        guard size > 0 else { return nil }
        let entry = self[at: place(of: key)]
        return entry.row == 0 ? nil : entry.row
    }

    /// Remembers a row if there is room for it.
    func insert(_ key: Int64, row: Int64) {
        if count * 4 >= size * 3, !grow() {
            isComplete = false
            return
        }
        let place = place(of: key)
        if self[at: place].row == 0 { count += 1 }
        self[at: place] = Entry(key: key, row: row)
    }

    /// The entries whose rows meet a condition.
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

    /// The entry of a key, or the free one where it belongs.
    private func place(of key: Int64) -> Int {
        let mask = size - 1
        // Fibonacci hashing: neighbouring keys are spread over the table, whose size is a power of two.
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
