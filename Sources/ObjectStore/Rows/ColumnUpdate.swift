/// The statements that compare and update a set of columns in one row.
///
/// A class, because it is read for every row.
final class ColumnUpdate {
    let set: ColumnSet
    /// The columns in ascending order; their values are the first arguments, followed by the row.
    let columns: [Int]
    /// The defaults of these columns other than NULL, which follow the row in the arguments of the comparison.
    let defaults: [StoredValue]
    /// Selects a number for each column if one of them differs; 0: equal, 1: a value replaces null, 2: another value.
    let comparison: SQLiteStatement
    let update: SQLiteStatement

    /// - Parameters:
    ///   - name: The quoted name of the table.
    ///   - column: Returns the quoted name of a column, and its default unless that is NULL.
    init(
        of set: ColumnSet, in database: SQLiteDatabase, table name: String,
        _ column: (Int) -> (name: String, defaultValue: StoredValue?)
    ) throws(StoreError) {
        self.set = set
        columns = set.columns
        let described = columns.map(column)
        defaults = described.compactMap(\.defaultValue)
        let row = "\"_id\" = ?\(described.count + 1)"
        var parameter = described.count + 1
        let changes = described.enumerated().map { index, column in "\(column.name) IS NOT ?\(index + 1)" }
        let differences = zip(described, changes).map { column, change in
            var isOther = "\(column.name) IS NOT NULL"
            if column.defaultValue != nil {
                parameter += 1
                isOther += " AND \(column.name) IS NOT ?\(parameter)"
            }
            return "(\(change)) * (1 + (\(isOther)))"
        }
        let assignments = described.enumerated().map { "\($1.name) = ?\($0 + 1)" }
        comparison = try database.prepare(
            "SELECT \(differences.joined(separator: ", ")) FROM \(name) WHERE \(row) "
                + "AND (\(changes.joined(separator: " OR ")))")
        update = try database.prepare("UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE \(row)")
    }
}
