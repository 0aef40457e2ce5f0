/// The search indexes of a file while many rows are written one at a time.
///
/// FTS5 writes to the file after each statement of a transaction that fires its triggers. Without them, the rows are
/// indexed together at the end.
struct SuspendedSearch {
    private let database: SQLiteDatabase
    /// By the index of the entity.
    private let indexes: [Int: SearchIndex]

    /// The number of rows from which suspending the indexes is faster.
    static let manyRows = 100

    /// Removes the triggers of entities in a transaction.
    ///
    /// - Parameter entities: The entities of which many rows are written; others keep their triggers.
    /// - Returns: `nil` without searchable attributes.
    init?(of entities: some Sequence<StoredEntity>, in database: SQLiteDatabase) throws(StoreError) {
        var found: [Int: SearchIndex] = [:]
        for entity in entities { found[entity.index] = SearchIndex(of: entity.description) }
        indexes = found
        guard !indexes.isEmpty else { return nil }
        self.database = database
        for index in indexes.values { try index.removeTriggers(in: database) }
    }

    /// Indexes what was written, and creates the triggers again.
    func resume(_ written: CommitChanges) throws(StoreError) {
        for (entity, index) in indexes {
            let rows = written.rows[entity] ?? CommitChanges.Rows()
            let others = rows.updated + rows.deleted
            try index.resume(
                in: database, inserted: rows.inserted, others: written.isAll(entity) ? nil : .rows(others[...]))
        }
    }
}
