/// A row of a query result: its column names and values, in column order.
public struct SeedRow: Sendable, Hashable {
    /// The names of the columns.
    public let columns: [String]
    /// The values, in the order of the columns.
    public let values: [StoredValue]

    init(columns: [String], values: [StoredValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value in the column with a name; `nil` if there is no such column.
    public subscript(column: String) -> StoredValue? {
        columns.firstIndex(of: column).map { values[$0] }
    }
}
