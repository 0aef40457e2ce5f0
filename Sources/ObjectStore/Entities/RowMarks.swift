/// The highest row number that each table ever had, so that numbers are not reused.
///
/// Stored in `_mappingkit` when rows are deleted; without deletions the highest row is in the table itself.
enum RowMarks {
    static let query = #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#

    /// Records that a row number was used.
    static let raising =
        #"INSERT INTO "_mappingkit"("key", "value") VALUES(?, ?) ON CONFLICT("key") DO UPDATE "#
        + #"SET "value" = max("value", excluded."value")"#

    /// The highest number of a row that other rows can follow.
    static let maximum = Int64.max / 2 - 1

    static func key(of entity: String) -> String { "rows.\(entity)" }

    /// Returns the number after the last one.
    ///
    /// - Throws: `StoreError` of kind `corrupt` if another program has used up the numbers.
    static func next(after last: Int64, in table: String) throws(StoreError) -> Int64 {
        guard last <= maximum else {
            throw StoreError(
                .corrupt, "cannot add rows to '\(table)': its last row has the number \(last)",
                advice: "build the file again, or give that row a smaller number", entity: table)
        }
        // Other programs may have written rows with negative numbers.
        return max(last, 0) + 1
    }

    /// Rejects row numbers that other programs have written: those of new objects are negative, and 0 is no object.
    @inline(__always) static func check(_ row: Int64, in entity: String) throws(StoreError) {
        if row <= 0 { throw invalid(row, in: entity) }
    }

    private static func invalid(_ row: Int64, in entity: String) -> StoreError {
        StoreError(
            .corrupt, "cannot read row \(row) of '\(entity)': row numbers must be positive",
            advice: "give the row a number above 0", entity: entity)
    }

    /// Records that a row number was used.
    static func raise(to row: Int64, for entity: String, _ connection: StoreConnection) throws(StoreError) {
        try connection.run(raising, [.text(key(of: entity)), .integer(row)])
    }
}

extension StoreConnection {
    /// Returns the number after the highest one that a table ever had.
    func firstFreeRow(of entity: StoredEntity) throws(StoreError) -> Int64 {
        let last = try integer(entity.statements.lastRow) ?? 0
        let mark = try integer(RowMarks.query, entity.statements.rowMark) ?? 0
        return try RowMarks.next(after: max(last, mark), in: entity.name)
    }
}

extension SQLiteDatabase {
    /// Returns the last row of a table; 0 without rows.
    func lastRow(of table: String) throws(StoreError) -> Int64 {
        try integer("SELECT max(\"_id\") FROM \(Schema.quoted(table))")
    }

    /// Does not use the numbers of deleted rows again after a statement of a user: new rows with such numbers are moved
    /// behind all others, and `last_insert_rowid()` follows.
    ///
    /// - Parameter last: The last row before the statement.
    func renumberRows(of table: String, after last: Int64) throws(StoreError) {
        let key = StoredValue.text(RowMarks.key(of: table))
        let end = try lastRow(of: table)
        if end < last { return try run(RowMarks.raising, [key, .integer(last)]) }
        let mark = try integer(RowMarks.query, [key])
        guard end > last, mark > last else { return }
        let name = Schema.quoted(table)
        // SQLite has counted from the last row on; a number that the statement has chosen remains.
        let chosen = try integer(
            """
            SELECT coalesce(min("_id"), \(Int64.max)) FROM (SELECT "_id", row_number() OVER (ORDER BY "_id") AS "number" \
            FROM \(name) WHERE "_id" > \(last)) WHERE "_id" > \(last) + "number"
            """)
        let shift = try RowMarks.next(after: max(end, mark), in: table) - 1 - last
        let inserted = lastInsertedRow
        try run(
            "UPDATE \(name) SET \"_id\" = \"_id\" + \(shift) WHERE \"_id\" > \(last) AND \"_id\" <= \(mark) "
                + "AND \"_id\" < \(chosen)")
        guard inserted > last, inserted <= mark, inserted < chosen else { return }
        try execute(
            """
            CREATE TABLE temp."_mappingkit_last"("_id" INTEGER PRIMARY KEY);
            INSERT INTO temp."_mappingkit_last" VALUES(\(inserted + shift));
            DROP TABLE temp."_mappingkit_last"
            """)
    }
}
