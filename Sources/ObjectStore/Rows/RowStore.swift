package import ObjectMapping

/// Fills a database file with the rows of elements, in one transaction without a journal.
///
/// Nothing can be rolled back: only valid elements are passed, and the file of a failed build is deleted. `finish()`
/// completes the file.
package final class RowStore: StoredEntities {
    let connection: StoreConnection
    let schema: Schema
    let entities: [StoredEntity]
    let tables: [EntityTable]
    var identity: StoreIdentity { .none }
    var keepsUnsent: Bool { false }
    let isUpdating: Bool

    // Exclusivity unchecked: one thread fills the store and no access outlasts a call; the checks took a tenth of the time.
    /// The rows of the current element, by index.
    @safe @exclusivity(unchecked) var numbers = RowNumbers()
    /// In the current element, the next position in the list of a parent (upper half) and relationship (lower half).
    @safe @exclusivity(unchecked) var positions: [UInt64: Int64] = [:]
    /// The rows of the last element that replaced values of earlier rows of the build with the same identity.
    @safe @exclusivity(unchecked) package internal(set) var conflicts: [MergeConflict] = []
    /// The columns of relationships, by table and name, that are already searched while rows are written.
    var searchedColumns: Set<[String]> = []
    /// Whether nested objects were recorded that were replaced.
    var hasReplaced = false

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
        connection = StoreConnection(
            try SQLiteDatabase(
                path: path, mode: updating ? .readWrite : .create, isShared: false, shouldStop: shouldStop))
        schema = Schema(model)
        isUpdating = updating
        entities = model.entities.indices.map { StoredEntity($0, of: model, in: model) }
        tables = entities.map { [connection, entities] entity in
            EntityTable(entity, of: entities, connection, usesLookups: updating || !blind.contains(entity.index))
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
            try dropUniqueIndexes()
            try SearchIndex.removeAll(in: database)
            for table in tables { try table.continueAfterExistingRows() }
        } else {
            try create()
        }
        makeMaps(within: mapSize)
    }

    /// Writes the rows of one element.
    package func insert(_ element: ElementRows) throws(StoreError) {
        if !conflicts.isEmpty { conflicts.removeAll() }
        if !positions.isEmpty { positions.removeAll(keepingCapacity: true) }
        try numbers.assign(to: element, in: tables, isCached: true)
        for index in element.rows.indices where element.rows[index].entity >= 0 {
            try write(index, of: element)
        }
    }

    var database: SQLiteDatabase { connection.database }

    /// Closes the file.
    func close() {
        for table in tables { table.dropStatements() }
        connection.close()
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
        for table in tables {
            table.index.next = 1
            guard table.index.usesLookups, let index = schema.identityIndex(of: table.entity.description) else {
                continue
            }
            try database.execute(index)
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
        let targets = Set(tables.flatMap { $0.plan.keyed.filter { $0.directKeys.count == 1 }.map(\.destination) })
        for (index, table) in tables.enumerated() where table.index.hasIntegerIdentity {
            guard table.index.usesLookups || targets.contains(index) else { continue }
            table.index.map = IdentityMap(budget: budget, isComplete: !isUpdating)
        }
    }
}
