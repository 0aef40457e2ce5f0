import Synchronization

/// The objects of one entity in a context by their rows, which it does not keep alive.
///
/// Objects are released on any thread: their deinitializers take the lock to remove them, so that an address in the table
/// is that of an object whose memory is valid as long as the lock is held.
final class ObjectRegistry: Sendable {
    private struct Entry {
        /// 0 for an entry that was never used.
        var row: Int64 = 0
        var address: ObjectAddress?
    }

    private struct Table {
        var entries = ContiguousArray(repeating: Entry(), count: 16)
        /// Entries that were used, also those whose objects are gone.
        var used = 0

        /// The entry of a row, or the free one where it belongs.
        func index(of row: Int64) -> Int {
            let mask = entries.count - 1
            // Fibonacci hashing: runs of rows are spread evenly.
            let hash = UInt64(bitPattern: row) &* 0x9E37_79B9_7F4A_7C15
            var index = Int(truncatingIfNeeded: hash >> UInt64(entries.count.leadingZeroBitCount + 1))
            while entries[index].row != 0, entries[index].row != row { index = (index + 1) & mask }
            return index
        }

        mutating func set(_ address: ObjectAddress?, for row: Int64) {
            let index = index(of: row)
            if entries[index].row == 0 {
                guard address != nil else { return }
                entries[index].row = row
                used += 1
            }
            entries[index].address = address
            if used * 2 > entries.count { rebuild() }
        }

        /// Forgets the rows of objects that are gone, and makes room for as many again.
        private mutating func rebuild() {
            let living = entries.filter { $0.address != nil }
            var capacity = 16
            while capacity < living.count * 4 { capacity *= 2 }
            entries = ContiguousArray(repeating: Entry(), count: capacity)
            used = living.count
            for entry in living { entries[index(of: entry.row)] = entry }
        }
    }

    private let table = Mutex(Table())

    /// The object of a row, if the program holds it.
    subscript(row: Int64) -> ManagedObject? {
        table.withLock { table in table.entries[table.index(of: row)].address.flatMap(\.object).map(Carried.init) }?
            .object
    }

    /// Carries an object out of the lock to the context that asks for it.
    private struct Carried: @unchecked Sendable {
        // guarded by the isolation of the context, to which the object belongs
        let object: ManagedObject
    }

    func add(_ object: ManagedObject, _ row: Int64) {
        let address = ObjectAddress(object)
        table.withLock { $0.set(address, for: row) }
    }

    func remove(_ row: Int64) { table.withLock { $0.set(nil, for: row) } }

    /// Removes an object that is being released, unless its row has another object already.
    func removeReleased(_ object: ManagedObject, _ row: Int64) {
        let address = ObjectAddress(object)
        table.withLock { table in
            let index = table.index(of: row)
            if table.entries[index].address == address { table.entries[index].address = nil }
        }
    }

    func removeAll() { table.withLock { $0 = Table() } }

    /// The objects that the program holds.
    var objects: [ManagedObject] {
        table.withLock { $0.entries.compactMap { $0.address?.object.map(Carried.init) } }.map(\.object)
    }
}

/// The rows of objects that were fetched together: what one of them needs is read for all.
final class FetchBatch {
    /// How many rows one query reads relationships for.
    static let size = 1000

    let entity: Int
    let rows: [Int64]

    init(entity: Int, rows: [Int64]) {
        self.entity = entity
        self.rows = rows
    }
}
