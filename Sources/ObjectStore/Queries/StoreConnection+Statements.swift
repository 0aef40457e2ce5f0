extension StoredEntity {
    /// The table of the entity and those of its links.
    fileprivate var tables: [String] { [table] + relationships.compactMap { $0.linkTable?.name } }
}

extension StoreConnection {
    /// Runs a statement of a user that changes rows, in one transaction.
    ///
    /// - Returns: The number of changed rows, and the entities whose tables the statement changes.
    func change(
        _ sql: String, _ arguments: [StoredValue], in store: ManagedObjectStore
    ) throws(StoreError) -> (count: Int, entities: [Int]) {
        let entities = store.entities
        let tables = Set(try cached(sql, as: .changesRows).changedTables.map(Schema.quoted))
        let changed = entities.filter { !tables.isDisjoint(with: $0.tables) }
        // Without effect inside a transaction.
        try run("PRAGMA foreign_keys = ON")
        defer { try? run("PRAGMA foreign_keys = OFF") }
        let count = try transaction { () throws(StoreError) in
            let written = changed.filter { tables.contains($0.table) }
            let last = try written.map { entity throws(StoreError) in try database.lastRow(of: entity.name) }
            do throws(StoreError) {
                try run(sql, arguments)
            } catch {
                guard error.isForeignKeyViolation else { throw error }
                throw try missingTargets(error, after: sql, arguments, tables, entities) ?? error
            }
            let count = database.changes
            for (entity, last) in zip(written, last) { try database.renumberRows(of: entity.name, after: last) }
            if count > 0 { try expireResponses(in: store) { CommitChanges(ofAll: changed.map(\.index)) } }
            return count
        }
        return (count, changed.map(\.index))
    }

    /// Returns an error with the first relationship that a statement leaves without targets.
    private func missingTargets(
        _ error: StoreError, after sql: String, _ arguments: [StoredValue], _ tables: Set<String>,
        _ entities: [StoredEntity]
    ) throws(StoreError) -> StoreError? {
        // The statement is run again and checked afterwards; the transaction is rolled back.
        try run("PRAGMA defer_foreign_keys = ON")
        try run(sql, arguments)
        let missing = try database.prepare("PRAGMA foreign_key_check").rows([]).filter { row in
            [row[0], row[2]].contains { tables.contains(Schema.quoted($0.text ?? "")) }
        }
        guard let first = missing.first, let table = first[0].text, let target = first[2].text else { return nil }
        let count = missing.count { $0[0] == first[0] && $0[3] == first[3] }
        let keys = try database.prepare("PRAGMA foreign_key_list(\(Schema.quoted(table)))").rows([])
        let column = keys.first { $0[0] == first[3] }?[3].text ?? ""
        let owner = entities.first { $0.tables.contains(Schema.quoted(table)) }
        let relationship = owner?.relationships.first {
            $0.column == Schema.quoted(column) || $0.linkTable?.name == Schema.quoted(table)
        }
        let name = owner.map { "\($0.name).\(relationship?.name ?? column)" } ?? "\(table).\(column)"
        return StoreError(
            .constraint,
            "the statement would leave \(count) \(count == 1 ? "reference" : "references") of '\(name)' to rows of "
                + "'\(target)' that do not exist; nothing was changed",
            advice: "change or delete the rows that refer to them first, or use delete(_:) of a context, which handles "
                + "relationships",
            code: error.code, sql: sql, entity: owner?.name ?? table)
    }
}
