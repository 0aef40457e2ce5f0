import ObjectMapping

/// Finds the rows of a table by their identity, and numbers new rows.
///
/// Rows are found in memory, among the rows of the current element, and in the file.
final class RowIndex {
    let entity: StoredEntity
    /// Whether an identity can be repeated, so that rows are looked up before they are written.
    let usesLookups: Bool
    /// Whether the identity is a single integer.
    let hasIntegerIdentity: Bool
    private let connection: StoreConnection

    // Exclusivity unchecked: one thread writes and no access outlasts a call; the checks took a tenth of the time.
    /// A cache of row numbers by identity, for identities of one integer.
    @safe @exclusivity(unchecked) var map: IdentityMap?
    /// The number of rows of the table in the current element.
    @safe @exclusivity(unchecked) var occurrences = 0
    /// The number of the next row; `nil` until the first one is numbered.
    @safe @exclusivity(unchecked) var next: Int64?
    /// The rows of the current element, while it contains several of the table.
    @safe @exclusivity(unchecked) private var rowsOfElement: [ElementIdentity: Int64] = [:]
    @safe @exclusivity(unchecked) private var lookup: SQLiteStatement?

    init(_ entity: StoredEntity, _ connection: StoreConnection, usesLookups: Bool = true) {
        self.entity = entity
        self.connection = connection
        self.usesLookups = usesLookups && !entity.identity.isEmpty
        let types = entity.identity.map { entity.description.attributes[$0].type }
        hasIntegerIdentity = types == [AttributeType(.integer)]
    }

    /// Returns the number of the next new row.
    func nextRow() throws(StoreError) -> Int64 {
        if let next { return next }
        let row = try connection.firstFreeRow(of: entity)
        next = row
        return row
    }

    /// Returns the number of a row that will be inserted.
    func takeRow() throws(StoreError) -> Int64 {
        let row = try nextRow()
        next = row + 1
        return row
    }

    func dropStatements() { lookup = nil }

    // MARK: Identities

    /// Returns the row with the identity in these slots; `nil` if it is new.
    func row(_ slots: RowSlots, _ identity: [Int], of element: ElementRows) throws(StoreError) -> Int64? {
        guard usesLookups, !identity.isEmpty else { return nil }
        let integer = map == nil ? nil : slots[identity[0]].knownInteger
        if let map, let integer {
            if let row = map[integer] { return row }
            if map.isComplete { return nil }
        }
        if occurrences > 1 {
            guard let key = ElementIdentity(slots, identity, of: element) else { return nil }
            if let row = rowsOfElement[key] { return row }
        }
        guard let row = try storedRow(slots, identity, of: element) else { return nil }
        if let integer { map?.insert(integer, row: row) }
        return row
    }

    /// Returns the row whose identity is in these slots of a row of any table; `nil` if it is unknown.
    func target(_ slots: RowSlots, _ keys: [Int], of element: ElementRows) throws(StoreError) -> Int64? {
        let integer = map == nil ? nil : slots[keys[0]].knownInteger
        // Many rows have the same targets.
        if let integer, let row = map?[integer] { return row }
        let row = try storedRow(slots, keys, of: element)
        if let integer, let row { map?.insert(integer, row: row) }
        return row
    }

    /// Makes a new row known.
    ///
    /// - Parameter isCached: Whether later elements find it in memory.
    func add(
        _ row: Int64, _ slots: RowSlots, _ identity: [Int], of element: ElementRows, isCached: Bool
    ) throws(StoreError) {
        if isCached, let map, let key = slots[identity[0]].knownInteger {
            guard usesLookups || map[key] == nil else { throw .repeatedIdentity(in: entity) }
            map.insert(key, row: row)
        }
        if usesLookups, occurrences > 1, let key = ElementIdentity(slots, identity, of: element) {
            rowsOfElement[key] = row
        }
    }

    /// Forgets the rows of the element.
    func endElement() {
        occurrences = 0
        if !rowsOfElement.isEmpty { rowsOfElement.removeAll(keepingCapacity: true) }
    }

    private func storedRow(
        _ slots: RowSlots, _ identity: [Int], of element: ElementRows
    ) throws(StoreError) -> Int64? {
        let statement = if let lookup { lookup } else { try connection.cached(entity.statements.lookup) }
        lookup = statement
        for (position, slot) in identity.enumerated() {
            try statement.bind(slots[slot], of: element, at: position + 1)
        }
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.integer(at: 0)
    }
}

extension StoreError {
    static func repeatedIdentity(in entity: StoredEntity) -> StoreError {
        StoreError(
            .constraint, "duplicate identity in '\(entity.name)'", entity: entity.name, needsLookups: true)
    }
}
