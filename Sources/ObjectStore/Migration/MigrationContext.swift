import ObjectMapping

/// The tables of a file while a ``MigrationStep`` changes them.
///
/// Tables and columns have the names of the new model. Attributes and relationships that are removed still have their
/// columns, and entities their tables: `_mappingkit_old_NAME` if a new table has the name. If an attribute gets another
/// type, the old values are in the column `_mappingkit_old_NAME`.
public final class MigrationContext {
    private let database: SQLiteDatabase
    private let columns: [String: [String]]
    private let checks: MigrationChecks
    private var isEnded = false

    /// - Parameter columns: The columns of each table.
    init(_ database: SQLiteDatabase, columns: [String: [String]], _ checks: MigrationChecks) {
        self.database = database
        self.columns = columns
        self.checks = checks
    }

    /// Makes later calls fail: the transaction is not that of the step any more.
    func end() { isEnded = true }

    private func check() throws(StoreError) {
        guard isEnded else { return }
        throw StoreError(.misuse, "the step of the migration has ended", advice: "use the context in the step only")
    }

    /// Returns the rows of a statement that reads.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - arguments: The values of its parameters. Defaults to none.
    public func rows(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> [SeedRow] {
        try check()
        let statement = try database.prepare(sql, as: .reads)
        return try statement.rows(arguments).map { SeedRow(columns: statement.columnNames, values: $0) }
    }

    /// Runs a statement that inserts, updates or deletes rows.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - arguments: The values of its parameters. Defaults to none.
    /// - Returns: The number of changed rows.
    @discardableResult
    public func write(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> Int {
        try check()
        let statement = try database.prepare(sql, as: .changesRows)
        let tables = statement.changedTables.filter { columns[$0] != nil }.sorted()
        for table in tables {
            // Rows that are inserted can replace others.
            try checks.willChange(table, statement.updatedColumns[table] ?? Set(columns[table] ?? []))
        }
        let last = try tables.map { table throws(StoreError) in try database.lastRow(of: table) }
        try statement.bind(arguments)
        try changing(tables) { () throws(StoreError) in try statement.run() }
        let count = database.changes
        for (table, last) in zip(tables, last) { try database.renumberRows(of: table, after: last) }
        return count
    }

    /// Calls a closure that changes tables, and names the values that make it fail because they are equal.
    private func changing(_ tables: [String], _ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            guard error.kind == .constraint else { throw error }
            for entity in tables.compactMap(checks.entity) {
                for names in [entity.identity] + entity.uniqueSets
                where Set(error.message.components(of: entity.name)) == Set(names) {
                    throw try duplicate(of: names, entity, error, body)
                }
            }
            throw error
        }
    }

    /// Returns the error for values of a failed change: it is made again without the index, and undone.
    private func duplicate(
        of names: [String], _ entity: EntityDescription, _ error: StoreError, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) -> StoreError {
        try database.execute("SAVEPOINT \"duplicate\"")
        defer { try? database.execute("ROLLBACK TO \"duplicate\"; RELEASE \"duplicate\"") }
        let indexes = try database.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql LIKE 'CREATE UNIQUE %'"
        ).rows([.text(entity.name)])
        for name in indexes.compactMap(\.[0].text) { try database.execute("DROP INDEX \(Schema.quoted(name))") }
        do throws(StoreError) { try body() } catch { return error }
        guard let violation = try DuplicateValues.violation(of: names, entity, in: database) else { return error }
        return StoreError(
            .constraint, violation.text, code: error.code, sql: error.sql, entity: entity.name, violation: violation)
    }

    /// Changes all rows of an entity, in constant memory.
    ///
    /// Rows that `body` inserts are not visited.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - body: Receives each row; what it sets is written.
    /// - Throws: `StoreError`, of kind `unknownEntity` for an unknown table, `misuse` for an unknown column; the errors of
    ///   `body`.
    public func update(_ entity: String, _ body: (inout MigrationRow) throws -> Void) throws {
        try check()
        guard let columns = columns[entity] else {
            let nearest = nearestNames(to: entity, among: Array(columns.keys)).first
            throw StoreError(
                .unknownEntity, "unknown entity '\(entity)'", advice: nearest.map { "did you mean '\($0)'?" },
                entity: entity)
        }
        try checks.willChange(entity, [])
        let (table, end) = (Schema.quoted(entity), try database.lastRow(of: entity))
        let names = ([MigrationRow.row] + columns).map(Schema.quoted).joined(separator: ", ")
        let selection = try database.prepare(
            "SELECT \(names) FROM \(table) WHERE \"_id\" > ? AND \"_id\" <= \(end) ORDER BY \"_id\" LIMIT 500")
        var last = Int64.min
        while true {
            let rows = try selection.rows([.integer(last)])
            for values in rows {
                guard let id = values[0].integer else { continue }
                last = id
                var row = MigrationRow(id: id, columns: columns, values: Array(values.dropFirst()))
                let result = Result { try body(&row) }
                // Before the errors of a body that has read null.
                if let unknown = row.unknownColumn {
                    let nearest = nearestNames(to: unknown, among: columns).first
                    throw StoreError(
                        .misuse, "'\(entity)' has no column '\(unknown)'",
                        advice: nearest.map { "did you mean '\($0)'?" }, entity: entity)
                }
                try result.get()
                guard !row.changes.isEmpty else { continue }
                let changes = row.changes.sorted { $0.key < $1.key }
                try checks.willChange(entity, Set(changes.map { columns[$0.key] }))
                let assignments = changes.map { "\(Schema.quoted(columns[$0.key])) = ?" }.joined(separator: ", ")
                try changing([entity]) { () throws(StoreError) in
                    try database.run(
                        "UPDATE \(table) SET \(assignments) WHERE \"_id\" = ?", changes.map(\.value) + [.integer(id)])
                }
            }
            if rows.isEmpty { return }
        }
    }
}

extension String {
    /// The columns of a table in SQLite's message about a unique index, such as `UNIQUE constraint failed: A.b, A.c`.
    fileprivate func components(of table: String) -> [String] {
        guard let start = firstRange(of: ": ")?.upperBound else { return [] }
        return self[start...].split(separator: ", \(table).").enumerated().map { index, part in
            String(index == 0 && part.hasPrefix("\(table).") ? part.dropFirst(table.count + 1) : part)
        }
    }
}

/// A row of an entity that a ``MigrationStep`` changes.
public struct MigrationRow {
    static let row = "_id"

    /// The number of the row.
    public let id: Int64
    private let columns: [String]
    private let values: [StoredValue]
    /// The new values by column.
    private(set) var changes: [Int: StoredValue] = [:]
    private let unknown = UnknownColumn()

    /// The first column that was used and does not exist.
    var unknownColumn: String? { unknown.name }

    /// Noted by reads, which do not change the row.
    private final class UnknownColumn {
        var name: String?
    }

    init(id: Int64, columns: [String], values: [StoredValue]) {
        self.id = id
        self.columns = columns
        self.values = values
    }

    /// The value of a column; one that does not exist makes the step fail.
    public subscript(column: String) -> StoredValue {
        get { index(of: column).map { changes[$0] ?? values[$0] } ?? .null }
        set {
            if let index = index(of: column) { changes[index] = newValue }
        }
    }

    /// Returns the value of an attribute before its type changed.
    public func old(_ attribute: String) -> StoredValue { self[MigrationStatements.oldPrefix + attribute] }

    private func index(of column: String) -> Int? {
        let index = columns.firstIndex(of: column)
        if index == nil { unknown.name = unknown.name ?? column }
        return index
    }
}
