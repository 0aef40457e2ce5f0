/// A statement of a migration.
struct MigrationStatement: Sendable {
    let sql: String
    let arguments: [StoredValue]
    /// The table whose rows it visits; `nil` if it takes no time.
    let table: String?

    init(_ sql: String, _ arguments: [StoredValue] = [], visiting table: String? = nil) {
        self.sql = sql
        self.arguments = arguments
        self.table = table
    }

    /// The statement with literals instead of parameters.
    var text: String {
        let parts = sql.split(separator: "?", omittingEmptySubsequences: false)
        guard !arguments.isEmpty, parts.count == arguments.count + 1 else { return sql }
        return zip(parts, arguments).map { "\($0)\($1)" }.joined() + (parts.last ?? "")
    }
}
