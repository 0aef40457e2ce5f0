import Synchronization

/// The objects of one entity in a context by row, without retaining them.
///
/// Objects can be released on any thread: their deinitializers take the lock to remove them, so that an address in the
/// table refers to an object whose memory is valid while the lock is held.
final class ObjectRegistry: Sendable {
    /// A hash table of pages: eight consecutive rows, which are often used together.
    private struct Table {
        /// The row of each page divided by eight.
        private var pages = ContiguousArray(repeating: Self.unused, count: 16)
        /// Eight per page.
        private var addresses = ContiguousArray(repeating: ObjectAddress.null, count: 16 * 8)
        private var usedPages = 0
        /// The index of the last used page.
        private var last = 0
        /// The number of objects.
        private(set) var count = 0

        private static let unused = Int64.min

        subscript(row: Int64) -> ObjectAddress {
            mutating get { addresses[place(of: row >> 3) * 8 + Int(row & 7)] }
            set { _ = replace(row, by: newValue) { _ in true } }
        }

        /// Sets the address of a row if its current address meets a condition.
        ///
        /// - Returns: The earlier address.
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

        /// Returns the index of a page, or the free index for it.
        private mutating func place(of page: Int64) -> Int {
            if pages[last] == page { return last }
            // Fibonacci hashing of groups of 16 pages: the upper bits of the product depend on all bits of the group, and
            // neighbors remain neighbors, because rows are often used in order.
            let hash = UInt64(bitPattern: page >> 4) &* 0x9E37_79B9_7F4A_7C15
            let group = Int(truncatingIfNeeded: hash >> UInt64(UInt64(pages.count).leadingZeroBitCount + 1))
            var place = (group &+ Int(page & 15)) & (pages.count - 1)
            while pages[place] != Self.unused, pages[place] != page { place = (place + 1) & (pages.count - 1) }
            last = place
            return place
        }

        /// Removes the pages without objects, and reserves space for as many again.
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

        /// The rows of the objects.
        var rows: [Int64] {
            addresses.indices.filter { addresses[$0] != .null }.map { pages[$0 >> 3] << 3 | Int64($0 & 7) }
        }
    }

    private let table = Mutex(Table())
    /// The offsets of the to-many relationships in an object.
    let lists: [Int]
    /// Is notified of added and removed objects; `nil` for nobody.
    let use: ObjectsInUse?

    init(lists: [Int], use: ObjectsInUse? = nil) { (self.lists, self.use) = (lists, use) }

    /// The rows of objects in memory.
    var rows: [Int64] { table.withLock { $0.rows } }

    /// Returns the object of a row, if the program references it.
    subscript(row: Int64) -> ManagedObject? {
        table.withLock { $0[row].object.map(Carried.init) }?.object
    }

    /// Transfers an object out of the lock to the context that requests it.
    private struct Carried: @unchecked Sendable {
        // Unchecked: guarded by the isolation of the context to which the object belongs.
        let object: ManagedObject
    }

    /// Whether the program references no object.
    var isEmpty: Bool { table.withLock { $0.count == 0 } }

    /// Adds the object of a row, unless the row has one.
    ///
    /// - Returns: The existing object of the row.
    @discardableResult func add(_ object: ManagedObject, _ row: Int64) -> ManagedObject? {
        let address = ObjectAddress(object)
        defer { use?.didChange() }
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
        // The existing object may be in its deinitializer.
        if !isMoved { add(object, new) }
        use?.didChange()
    }

    func remove(_ row: Int64) {
        table.withLock { $0[row] = .null }
        use?.didChange()
    }

    /// Removes an object in its deinitializer, unless its row has another object already.
    func removeReleased(_ object: ManagedObject, _ row: Int64) {
        let address = ObjectAddress(object)
        table.withLock { _ = $0.replace(row, by: .null) { $0 == address } }
        use?.didChange()
    }

    func removeAll() {
        table.withLock { $0 = Table() }
        use?.didChange()
    }

    /// The objects that the program references.
    var objects: [ManagedObject] {
        table.withLock { $0.living.compactMap { $0.object.map(Carried.init) } }.map(\.object)
    }
}

/// The rows of objects that were fetched together: reads for one of them include all.
final class FetchBatch {
    /// The maximum number of rows per query for relationships.
    static let size = 1000

    private(set) var rows: [Int64] = []

    /// Collects objects that are read consecutively; a single object has no batch.
    struct Maker {
        /// The first object of the batch, until there are others.
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

        /// Assigns the rows to the last added objects.
        mutating func end() {
            batch?.rows = rows
            (rows, batch, first) = ([], nil, nil)
        }
    }
}
