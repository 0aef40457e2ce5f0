package import ObjectMapping

/// Fills a database file with the rows of elements, in one transaction without a journal.
///
/// Nothing can be rolled back: only valid elements are passed, and the file of a failed build is deleted. `finish()`
/// completes the file.
package final class RowStore {
    /// What is known about an element's row before it is written.
    struct ResolvedRow {
        /// The row's number in its table; 0 for a relationship that is null or empty.
        var number: Int64 = 0
        var isNew = false
        /// The indexes of the row's children and next sibling in the element; -1 for a row without them.
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var nextSibling: Int32 = -1
    }

    let database: SQLiteDatabase
    let schema: Schema
    let tables: [EntityTable]
    let isUpdating: Bool

    // Exclusivity unchecked: one thread fills the store and no access outlasts a call; the checks took a tenth of the time.
    /// The rows of the current element, by index; longer if an earlier element had more rows.
    @safe @exclusivity(unchecked) var resolved: [ResolvedRow] = []
    /// The next position in the list of a parent (upper half) and relationship (lower half).
    @safe @exclusivity(unchecked) var positions: [UInt64: Int64] = [:]
    /// The rows of the last element that replaced values of earlier rows of the build with the same identity.
    @safe @exclusivity(unchecked) package internal(set) var conflicts: [MergeConflict] = []
    /// The columns of relationships, by table and name, that are already searched while rows are written.
    var searchedColumns: Set<[String]> = []
    /// Whether nested objects were recorded that were replaced.
    var hasReplaced = false
    /// The statements for links, by text.
    private var statements: [String: SQLiteStatement] = [:]

    /// Creates the tables of a model in a new or empty file, or opens an existing file of the same model.
    ///
    /// - Parameters:
    ///   - blind: The indexes of entities with distinct identities. Their rows are written without lookups; if an
    ///     identity is repeated, an error whose `needsLookups` is true is thrown, at the latest by `finish()`, and the
    ///     build must be restarted.
    ///   - updating: Whether rows are merged into an existing file, which must be a copy.
    ///   - mapSize: The maximum memory of the maps from identities to rows in bytes; other rows are searched for in the
    ///     file.
    ///   - shouldStop: Called regularly while SQLite runs; true ends it with an error of kind `interrupted`.
    package init(
        at path: String, model: ObjectModel, blind: Set<Int> = [], updating: Bool = false,
        mapSize: Int = 4 << 20, shouldStop: (@Sendable () -> Bool)? = nil
    ) throws(StoreError) {
        // The file is not shared until it is complete.
        database = try SQLiteDatabase(
            path: path, mode: updating ? .readWrite : .create, isShared: false, shouldStop: shouldStop)
        schema = Schema(model)
        isUpdating = updating
        tables = model.entities.indices.map { [database] index in
            EntityTable(
                entityAt: index, of: model, in: database, usesLookups: updating || !blind.contains(index))
        }
        // Pages of 8 KB are written 10 % faster than those of 4 KB; larger ones are not faster. Pages in memory use up
        // to 2 MB (a negative size is in KB), and sorting uses the same amount.
        try database.execute(
            """
            PRAGMA page_size = 8192;
            PRAGMA encoding = 'UTF-8';
            PRAGMA auto_vacuum = NONE;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA cache_size = -2048;
            PRAGMA temp_store = FILE;
            PRAGMA foreign_keys = OFF;
            PRAGMA secure_delete = OFF;
            PRAGMA synchronous = OFF;
            """)
        if updating { try Self.check(database, at: path, holds: model) }
        try database.execute("PRAGMA journal_mode = OFF")
        if updating {
            try database.execute("BEGIN EXCLUSIVE")
            for table in tables { try table.continueAfterExistingRows() }
        } else {
            try create()
        }
        makeMaps(within: mapSize)
    }

    /// Writes the rows of one element.
    package func insert(_ element: ElementRows) throws(StoreError) {
        if !conflicts.isEmpty { conflicts.removeAll() }
        try resolve(element)
        for index in element.rows.indices where element.rows[index].entity >= 0 {
            try write(index, of: element)
        }
    }

    /// Closes the file.
    func close() {
        statements.removeAll()
        for table in tables { table.dropStatements() }
        database.close()
    }

    /// Returns a cached statement.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        return statement
    }

    // MARK: Opening

    private func create() throws(StoreError) {
        try database.execute(
            """
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = \(Schema.formatVersion);
            BEGIN EXCLUSIVE;
            """)
        for table in schema.tables { try database.execute(table) }
        for table in tables where table.usesLookups {
            if let index = schema.identityIndex(of: table.description) { try database.execute(index) }
        }
    }

    private static func check(
        _ database: SQLiteDatabase, at path: String, holds model: ObjectModel
    ) throws(StoreError) {
        try FileHeader.check(database, path: path)
        let hash = try database.value(#"SELECT "value" FROM "_mappingkit" WHERE "key" = 'hash'"#)
        guard hash != .text(model.hash) else { return }
        let stored = try FileHeader.model(of: database, path: path)
        throw StoreError(
            .modelMismatch, "the database has another model: \(model.difference(from: stored) ?? "its hash differs")",
            advice: "build it again instead of updating it")
    }

    /// Maps are used for entities whose identities are searched for: by keys, or because they can be repeated.
    private func makeMaps(within size: Int) {
        let budget = IdentityMap.Budget(bytes: size)
        let targets = Set(tables.flatMap { $0.wires.filter { $0.directKey != nil }.map(\.destination) })
        for (index, table) in tables.enumerated() where table.integerIdentity != nil {
            guard table.usesLookups || targets.contains(index) else { continue }
            table.map = IdentityMap(budget: budget, isComplete: !isUpdating)
        }
    }

    // MARK: First pass: a number for every row

    private func resolve(_ element: ElementRows) throws(StoreError) {
        let count = element.rows.count
        if resolved.count < count { resolved += repeatElement(ResolvedRow(), count: count - resolved.count) }
        if !positions.isEmpty { positions.removeAll(keepingCapacity: true) }
        if count > 1 {
            for row in element.rows where row.entity >= 0 { tables[Int(row.entity)].occurrences += 1 }
        }
        for (index, row) in element.rows.enumerated() {
            guard row.entity >= 0 else {
                resolved[index] = ResolvedRow()
                continue
            }
            let table = tables[Int(row.entity)]
            let slots = RowSlots(of: row, in: element)
            let known = try knownRow(in: table, slots, of: element)
            resolved[index] = ResolvedRow(number: known ?? table.nextRow, isNew: known == nil)
            if known == nil { try remember(table.takeRow(), in: table, slots, of: element) }
        }
        guard count > 1 else { return }
        linkTree(of: element)
        for row in element.rows where row.entity >= 0 {
            let table = tables[Int(row.entity)]
            table.occurrences = 0
            if !table.rowsOfElement.isEmpty { table.rowsOfElement.removeAll(keepingCapacity: true) }
        }
    }

    private func knownRow(
        in table: EntityTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) -> Int64? {
        guard table.usesLookups else { return nil }
        if let map = table.map, let attribute = table.integerIdentity, let key = slots[attribute].knownInteger {
            if let row = map[key] { return row }
            if map.isComplete { return nil }
        }
        if table.occurrences > 1 {
            guard let identity = ElementIdentity(slots, table.identity, of: element) else { return nil }
            if let row = table.rowsOfElement[identity] { return row }
        }
        guard let row = try table.existingRow(slots, of: element) else { return nil }
        if let attribute = table.integerIdentity { table.map?.insert(slots[attribute].integer, row: row) }
        return row
    }

    private func remember(
        _ row: Int64, in table: EntityTable, _ slots: RowSlots, of element: ElementRows
    ) throws(StoreError) {
        if let map = table.map, let attribute = table.integerIdentity, let key = slots[attribute].knownInteger {
            guard table.usesLookups || map[key] == nil else { throw .repeatedIdentity(in: table) }
            map.insert(key, row: row)
        }
        if table.usesLookups, table.occurrences > 1,
            let identity = ElementIdentity(slots, table.identity, of: element)
        {
            table.rowsOfElement[identity] = row
        }
    }

    private func linkTree(of element: ElementRows) {
        for (index, row) in element.rows.enumerated() where row.parent >= 0 {
            let parent = Int(row.parent)
            if resolved[parent].firstChild < 0 {
                resolved[parent].firstChild = Int32(index)
            } else {
                resolved[Int(resolved[parent].lastChild)].nextSibling = Int32(index)
            }
            resolved[parent].lastChild = Int32(index)
        }
    }
}

extension StoreError {
    static func repeatedIdentity(in table: EntityTable) -> StoreError {
        StoreError(
            .constraint, "duplicate identity in '\(table.description.name)'",
            entity: table.description.name, needsLookups: true)
    }
}
