/// The statements that compare and update a set of columns in one row.
///
/// A class, because it is read for every row.
final class ColumnUpdate {
    /// The columns in ascending order; their values are the first arguments, followed by the row.
    let columns: [Int]
    /// The defaults of these columns other than NULL, which follow the row in the arguments of the comparison.
    let defaults: [StoredValue]
    let update: SQLiteStatement
    private let compared: String
    private var comparison: SQLiteStatement?

    init(of set: ColumnSet, _ plan: TablePlan, _ connection: StoreConnection) throws(StoreError) {
        columns = set.columns
        let names = columns.map { plan.columns[$0] }
        let values = columns.map { $0 < plan.defaults.count ? plan.defaults[$0].flatMap { $0.isNull ? nil : $0 } : nil }
        defaults = values.compactMap(\.self)
        update = try connection.cached(plan.entity.update(of: names))
        var parameter = names.count + 1
        let changes = names.enumerated().map { "\($1) IS NOT ?\($0 + 1)" }
        let differences = names.indices.map { index in
            var isOther = "\(names[index]) IS NOT NULL"
            if values[index] != nil {
                parameter += 1
                isOther += " AND \(names[index]) IS NOT ?\(parameter)"
            }
            return "(\(changes[index])) * (1 + (\(isOther)))"
        }
        compared =
            "SELECT \(differences.joined(separator: ", ")) FROM \(plan.entity.table) WHERE \"_id\" = ?\(names.count + 1) "
            + "AND (\(changes.joined(separator: " OR ")))"
    }

    /// Selects a number for each column if one of them differs; 0: equal, 1: a value replaces null, 2: another value.
    func comparison(_ connection: StoreConnection) throws(StoreError) -> SQLiteStatement {
        let statement = if let comparison { comparison } else { try connection.cached(compared) }
        comparison = statement
        return statement
    }
}

/// The statements for sets of columns, some of which are reused for most rows.
struct ColumnStatements {
    private var known: [ColumnSet: ColumnUpdate] = [:]
    /// The last used ones: most elements have the same attributes.
    private var last: (set: ColumnSet, statements: ColumnUpdate)?
    /// Limits the number of statements if elements contain varying attributes.
    private static var maximum: Int { 32 }

    mutating func statements(
        for set: ColumnSet, _ prepare: () throws(StoreError) -> ColumnUpdate
    ) throws(StoreError) -> ColumnUpdate {
        if let last, last.set == set { return last.statements }
        let statements = if let statements = known[set] { statements } else { try prepare() }
        if known.count >= Self.maximum { known.removeAll() }
        known[set] = statements
        last = (set, statements)
        return statements
    }
}
