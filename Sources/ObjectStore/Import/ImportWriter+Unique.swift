import ObjectMapping

/// Unique values that move from one row to another within a batch.
extension ImportWriter {
    /// A row that lost unique values to another one.
    struct ReleasedRow {
        let entity: StoredEntity
        let row: Int64
        /// The values by attribute, without those that were written since.
        var values: [String: StoredValue]
        /// The error if the row still has these values at the end of the batch.
        let error: StoreError
        /// The place of the element that has the same values; `nil` while it is written.
        var place: ImportPlace?
    }

    /// The rows that lost unique values in a batch, with their places by row.
    struct ReleasedRows {
        var rows: [ReleasedRow] = []
        fileprivate var places: [ChangeSet.RowID: [Int]] = [:]
    }

    /// Writes a row; if others have its unique values, they lose these until their own elements were read.
    ///
    /// - Parameter row: The row that is updated; `nil` for a new one.
    func writingUnique<Result>(
        _ row: Int64?, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable,
        _ write: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        while true {
            do throws(StoreError) {
                return try write()
            } catch {
                let error = notUnique(error, row, slots, of: element, table)
                guard try release(error, in: table.entity) else { throw error }
            }
        }
    }

    /// Sets the values of a violation to null in the row that has them.
    ///
    /// - Returns: Whether there is such a row.
    private func release(_ error: StoreError, in entity: StoredEntity) throws(StoreError) -> Bool {
        // A skipped element must not depend on the elements after it.
        guard !skipsInvalidElements, let violation = error.violation,
            violation.attributes != entity.description.identity, !violation.values.contains(.null),
            let row = try connection.integer(entity.lookup(matching: violation.attributes), violation.values)
        else { return false }
        let columns = violation.attributes.map { "\(Schema.quoted($0)) = NULL" }.joined(separator: ", ")
        try connection.run("UPDATE \(entity.table) SET \(columns) WHERE \"_id\" = ?", [.integer(row)])
        let values = zip(violation.attributes, violation.values)
        released.places[ChangeSet.RowID(entity: entity.index, row: row), default: []].append(released.rows.count)
        released.rows.append(
            ReleasedRow(
                entity: entity, row: row, values: Dictionary(values, uniquingKeysWith: { first, _ in first }),
                error: error))
        return true
    }

    /// Forgets the released values of a row that an element states.
    ///
    /// - Returns: Whether there were any, so that the row has changed, also if the element states null.
    func forgetReleased(of row: Int64, _ slots: RowSlots, _ table: ImportTable) -> Bool {
        var isForgotten = false
        for index in released.places[ChangeSet.RowID(entity: table.entity.index, row: row)] ?? [] {
            for column in table.rules.columns where !slots[column.slot].isAbsent {
                let name = table.entity.description.attributes[column.attribute].name
                if released.rows[index].values.removeValue(forKey: name) != nil { isForgotten = true }
            }
        }
        return isForgotten
    }

    /// Restores the values that no element has replaced, at the end of a batch.
    ///
    /// - Returns: The first row whose values another row has now; `nil` if all were restored.
    func restoreReleased() throws(StoreError) -> ReleasedRow? {
        for row in released.rows where !row.values.isEmpty {
            let columns = row.values.keys.sorted()
            let assignments = columns.map { "\(Schema.quoted($0)) = ?" }.joined(separator: ", ")
            do {
                try connection.run(
                    "UPDATE \(row.entity.table) SET \(assignments) WHERE \"_id\" = ?",
                    columns.map { row.values[$0] ?? .null } + [.integer(row.row)])
            } catch  where error.kind == .constraint {
                return row
            }
        }
        released = ReleasedRows()
        return nil
    }

    /// Returns the error for values that another row has.
    ///
    /// - Parameter row: The row that is updated; `nil` for a new one.
    private func notUnique(
        _ error: StoreError, _ row: Int64?, _ slots: RowSlots, of element: ElementRows, _ table: ImportTable
    ) -> StoreError {
        let (entity, call) = (table.entity, "cannot import an object of '\(table.entity.name)'")
        return entity.uniqueViolation(error, call) { (property) throws(StoreError) in
            let position = table.rules.columns.firstIndex { .attribute($0.attribute) == property }
            let slot = position.map { slots[table.rules.columns[$0].slot] }
            if let position, let slot, !slot.isAbsent {
                let value = element.value(of: slot)
                return value.isNull ? table.plan.classDefaults?.replacingNull[position] : value
            }
            if let row {
                let sql = "SELECT \(entity.column(of: property)) FROM \(entity.table) WHERE \"_id\" = ?"
                return try connection.cached(sql).rows([.integer(row)]).first?.first
            }
            guard case .attribute(let index) = property else { return nil }
            return entity.description.attributes[index].storedDefault
        }
    }
}
