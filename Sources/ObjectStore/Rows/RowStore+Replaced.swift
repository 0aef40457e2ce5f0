import ObjectMapping

/// Deletes nested objects without an identity that were replaced in their parent, to which no other object refers.
extension RowStore {
    /// Records the targets of a parent before they are replaced.
    func noteReplaced(by relationship: Int, of row: Int64, in table: EntityTable) throws(StoreError) {
        guard table.plan.roles[relationship].isOwning else { return }
        if !hasReplaced {
            hasReplaced = true
            try database.execute(
                """
                CREATE TEMP TABLE "_mappingkit_replaced"("entity" INTEGER, "row" INTEGER, \
                PRIMARY KEY("entity", "row")) WITHOUT ROWID
                """)
        }
        let statement = try connection.cached(noting(relationship, of: table, where: "= ?"))
        try statement.bind(row, at: 1)
        try statement.run()
    }

    /// Deletes the recorded rows, and rows to which only they refer.
    ///
    /// Objects of an entity that also occurs separately are kept: they are not only a part of their parent.
    func removeReplaced() throws(StoreError) {
        guard hasReplaced else { return }
        while let entity = try database.value(#"SELECT min("entity") FROM "_mappingkit_replaced""#)?.integer {
            let table = tables[Int(entity)]
            let replaced = #"IN (SELECT "row" FROM "_mappingkit_replaced" WHERE "entity" = \#(entity))"#
            if !table.hasTopLevelRows {
                for relationship in table.plan.roles.indices where table.plan.roles[relationship].isOwning {
                    try database.execute(noting(relationship, of: table, where: replaced))
                }
                for reference in references(to: table.entity) {
                    try database.execute(reference.removal(where: replaced))
                }
                try database.execute("DELETE FROM \(table.entity.table) WHERE \"_id\" \(replaced)")
                table.didRemove(database.changes)
                try database.run(
                    #"DELETE FROM "_mappingkit_pending" WHERE "entity" = ? AND "row" \#(replaced)"#,
                    [.text(table.entity.name)])
            }
            try database.execute(#"DELETE FROM "_mappingkit_replaced" WHERE "entity" = \#(entity)"#)
        }
        try database.execute(#"DROP TABLE "_mappingkit_replaced""#)
    }

    /// Returns the statement that records the targets of rows, selected by a condition on their number.
    private func noting(_ relationship: Int, of table: EntityTable, where condition: String) -> String {
        let destination = table.entity.relationships[relationship].destination
        let (column, source, owner) = place(of: relationship, in: table)
        return #"INSERT OR IGNORE INTO "_mappingkit_replaced" SELECT \#(destination), \#(column) FROM \#(source) "#
            + "WHERE \(owner) \(condition) AND \(column) IS NOT NULL"
    }
}
