import Synchronization

/// The objects of one entity in a context by their rows, which it does not keep alive.
///
/// Objects are released on any thread: their deinitializers take the lock to remove them, so that an address in the table
/// is that of an object whose memory is valid as long as the lock is held.
final class ObjectRegistry: Sendable {
    /// A hash table of pages: eight rows in a sequence, which are often used together.
    private struct Table {
        /// The row of each page divided by eight.
        private var pages = ContiguousArray(repeating: Self.unused, count: 16)
        /// Eight for each page.
        private var addresses = ContiguousArray(repeating: ObjectAddress.null, count: 16 * 8)
        private var usedPages = 0
        /// The place of the page that was used last.
        private var last = 0
        /// How many objects there are.
        private(set) var count = 0

        private static let unused = Int64.min

        subscript(row: Int64) -> ObjectAddress {
            mutating get { addresses[place(of: row >> 3) * 8 + Int(row & 7)] }
            set { _ = replace(row, by: newValue) { _ in true } }
        }

        /// Sets the address of a row if the one that it has meets a condition.
        ///
        /// - Returns: The one that it had.
        mutating func replace(
            _ row: Int64, by new: ObjectAddress, if condition: (ObjectAddress) -> Bool
        ) -> ObjectAddress {
            let page = place(of: row >> 3)
            let index = page * 8 + Int(row & 7)
            let old = addresses[index]
            guard condition(old) else { return old }
            addresses[index] = new
            count += (new == .null ? 0 : 1) - (old == .null ? 0 : 1)
            guard new != .null, pages[page] == Self.unused else { return old }
            pages[page] = row >> 3
            usedPages += 1
            if usedPages * 2 > pages.count { rebuild() }
            return old
        }

        /// The place of a page, or the free one where it belongs.
        private mutating func place(of page: Int64) -> Int {
            if pages[last] == page { return last }
            // Fibonacci hashing: the upper bits of the product depend on all bits of the page.
            let hash = UInt64(bitPattern: page) &* 0x9E37_79B9_7F4A_7C15
            var place = Int(truncatingIfNeeded: hash >> UInt64(pages.count.leadingZeroBitCount + 1))
            while pages[place] != Self.unused, pages[place] != page { place = (place + 1) & (pages.count - 1) }
            last = place
            return place
        }

        /// Forgets the pages without objects, and makes room for as many again.
        private mutating func rebuild() {
            let old = (pages: pages, addresses: addresses)
            let living = old.pages.indices.filter { page in
                old.pages[page] != Self.unused && old.addresses[(page * 8)..<(page * 8 + 8)].contains { $0 != .null }
            }
            var capacity = 16
            while capacity < living.count * 4 { capacity *= 2 }
            pages = ContiguousArray(repeating: Self.unused, count: capacity)
            addresses = ContiguousArray(repeating: .null, count: capacity * 8)
            usedPages = living.count
            last = 0
            for page in living {
                let new = place(of: old.pages[page])
                pages[new] = old.pages[page]
                for index in 0..<8 { addresses[new * 8 + index] = old.addresses[page * 8 + index] }
            }
        }

        var living: [ObjectAddress] { addresses.filter { $0 != .null } }
    }

    private let table = Mutex(Table())

    /// The object of a row, if the program holds it.
    subscript(row: Int64) -> ManagedObject? {
        table.withLock { $0[row].object.map(Carried.init) }?.object
    }

    /// Carries an object out of the lock to the context that asks for it.
    private struct Carried: @unchecked Sendable {
        // guarded by the isolation of the context, to which the object belongs
        let object: ManagedObject
    }

    /// Whether the program holds no object.
    var isEmpty: Bool { table.withLock { $0.count == 0 } }

    /// Adds the object of a row, unless the row has one.
    ///
    /// - Returns: The object that the row has already.
    @discardableResult func add(_ object: ManagedObject, _ row: Int64) -> ManagedObject? {
        let address = ObjectAddress(object)
        return table.withLock { table -> Carried? in
            let known = table.replace(row, by: address) { $0 == .null }
            guard known != .null else { return nil }
            if let object = known.object { return Carried(object: object) }
            table[row] = address
            return nil
        }?.object
    }

    /// Moves an object to a row, unless the row has an object.
    func move(_ object: ManagedObject, from old: Int64, to new: Int64) {
        let address = ObjectAddress(object)
        let isMoved = table.withLock { table in
            table[old] = .null
            return table.replace(new, by: address) { $0 == .null } == .null
        }
        // The one that the row has may be being released.
        if !isMoved { add(object, new) }
    }

    func remove(_ row: Int64) { table.withLock { $0[row] = .null } }

    /// Removes an object that is being released, unless its row has another object already.
    func removeReleased(_ object: ManagedObject, _ row: Int64) {
        let address = ObjectAddress(object)
        table.withLock { _ = $0.replace(row, by: .null) { $0 == address } }
    }

    func removeAll() { table.withLock { $0 = Table() } }

    /// The objects that the program holds.
    var objects: [ManagedObject] {
        table.withLock { $0.living.compactMap { $0.object.map(Carried.init) } }.map(\.object)
    }
}

/// The rows of objects that were fetched together: what one of them needs is read for all.
final class FetchBatch {
    /// How many rows one query reads relationships for.
    static let size = 1000

    private(set) var rows: [Int64] = []

    /// Makes batches of objects that are read one after another; one object alone has none.
    struct Maker {
        /// The first object of the batch, before there are others.
        private var first: ManagedObject?
        private var rows: [Int64] = []
        private var batch: FetchBatch?

        mutating func add(_ object: ManagedObject) {
            if rows.count == FetchBatch.size { end() }
            if rows.isEmpty {
                guard let other = first.take() else {
                    first = object
                    return
                }
                batch = FetchBatch()
                other.batch = batch
                rows = [other.row]
            }
            rows.append(object.row)
            object.batch = batch
        }

        /// Gives the rows to the objects that were added last.
        mutating func end() {
            batch?.rows = rows
            (rows, batch, first) = ([], nil, nil)
        }
    }
}
