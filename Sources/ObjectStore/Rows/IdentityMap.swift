/// Row numbers by identity, for entities identified by one integer; open addressing in one block of memory.
final class IdentityMap {
    /// What all maps of a store may take together.
    final class Budget {
        fileprivate var entries: Int

        init(bytes: Int) { entries = bytes / MemoryLayout<Entry>.stride }
    }

    /// Whether every row of the entity is in the map, so that a miss says that there is none.
    private(set) var isComplete: Bool

    fileprivate struct Entry {
        var key: Int64
        /// 0 marks a free entry: rows count from 1.
        var row: Int64
    }

    private var entries: UnsafeMutableBufferPointer<Entry>
    private var count = 0
    private let budget: Budget

    init(budget: Budget, isComplete: Bool) {
        self.budget = budget
        self.isComplete = isComplete
        entries = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        entries.deallocate()
    }

    /// The row with an identity; nil if the map does not know one.
    subscript(key: Int64) -> Int64? {
        guard !entries.isEmpty else { return nil }
        let entry = entries[place(of: key)]
        return entry.row == 0 ? nil : entry.row
    }

    /// Remembers a row if there is room for it.
    func insert(_ key: Int64, row: Int64) {
        if count * 4 >= entries.count * 3, !grow() {
            isComplete = false
            return
        }
        let place = place(of: key)
        if entries[place].row == 0 { count += 1 }
        entries[place] = Entry(key: key, row: row)
    }

    /// The entry of a key, or the free one where it belongs.
    private func place(of key: Int64) -> Int {
        let mask = entries.count - 1
        // Fibonacci hashing: neighbouring keys are spread over the table, whose size is a power of two.
        let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: hash >> 32) & mask
        while entries[place].row != 0, entries[place].key != key { place = (place + 1) & mask }
        return place
    }

    private func grow() -> Bool {
        let old = entries
        let size = max(1024, old.count * 2)
        guard size - old.count <= budget.entries else { return false }
        budget.entries -= size - old.count
        entries = .allocate(capacity: size)
        entries.initialize(repeating: Entry(key: 0, row: 0))
        for entry in old where entry.row != 0 { entries[place(of: entry.key)] = entry }
        old.deallocate()
        return true
    }
}
