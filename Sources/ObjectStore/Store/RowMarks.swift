/// The highest row number that each table ever had, so that numbers are not reused.
///
/// Stored in `_mappingkit` when rows are deleted; without deletions the highest row is in the table itself.
enum RowMarks {
    static let query = #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#

    static func key(of entity: String) -> String { "rows.\(entity)" }

    /// Records that a row number was used.
    static func raise(to row: Int64, for entity: String, _ connection: StoreConnection) throws(StoreError) {
        try connection.run(
            #"INSERT INTO "_mappingkit"("key", "value") VALUES(?, ?) ON CONFLICT("key") DO UPDATE "#
                + #"SET "value" = max("value", excluded."value")"#,
            [.text(key(of: entity)), .integer(row)])
    }
}

extension StoreConnection {
    /// Returns the number after the highest one that a table ever had.
    func firstFreeRow(of entity: StoredEntity) throws(StoreError) -> Int64 {
        let last = try integer("SELECT max(\"_id\") FROM \(entity.table)") ?? 0
        let mark = try integer(RowMarks.query, [.text(RowMarks.key(of: entity.name))]) ?? 0
        return max(last, mark) + 1
    }
}
