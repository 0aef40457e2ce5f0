import ObjectMapping

/// The indexes, triggers and tables of a file before it is migrated.
struct FileSchema {
    struct Index: Hashable {
        let name: String
        let table: String
        let sql: String

        var isUnique: Bool { sql.hasPrefix("CREATE UNIQUE") }
    }

    /// The indexes of this package.
    private(set) var indexes: [Index] = []
    /// The tables of this package that only some files have.
    private(set) var tables: Set<String> = []
    /// The columns with a default in the schema, as table and column.
    private(set) var defaults: Set<[String]> = []

    init(of database: SQLiteDatabase) throws(StoreError) {
        let rows = try database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema").rows([])
        for row in rows {
            guard let type = row[0].text, let name = row[1].text, let table = row[2].text, let sql = row[3].text else {
                continue
            }
            if type == "table" { tables.insert(name) }
            if type == "index", name.hasPrefix("_mappingkit_") {
                indexes.append(Index(name: name, table: table, sql: sql))
            }
            if type == "table", sql.contains(" DEFAULT ") {
                let columns = "SELECT name FROM pragma_table_info(?) WHERE dflt_value IS NOT NULL"
                for column in try database.prepare(columns).rows([.text(name)]) {
                    defaults.insert([name, column[0].text ?? ""])
                }
            }
        }
    }

    /// Replaces the indexes with those of a model, as after a migration.
    mutating func setIndexes(of model: ObjectModel) {
        indexes = Self.statements(of: model).map { sql in
            let names = sql.split(separator: "\"", omittingEmptySubsequences: false)
            return Index(name: String(names[1]), table: names.count > 3 ? String(names[3]) : "", sql: sql)
        }
    }

    /// The statements that create all indexes of a model, as SQLite stores them.
    static func statements(of model: ObjectModel) -> [String] {
        let schema = Schema(model)
        let all =
            model.entities.compactMap { schema.identityIndex(of: $0) } + schema.relationshipIndexes
            + [Schema.pendingRowIndex] + schema.attributeIndexes
        return all.map { $0.replacing("IF NOT EXISTS ", with: "") }
    }

    /// Returns the indexes that do not suit a model, and the statements that create the missing ones.
    ///
    /// - Parameters:
    ///   - stored: The model of the file.
    ///   - tables: The tables whose indexes are created again.
    func changes(
        from stored: ObjectModel, to model: ObjectModel, rebuilding tables: Set<String>
    ) -> (dropped: [String], added: [String]) {
        let expected = Self.statements(of: model)
        let (wanted, declared) = (Set(expected), Set(Self.statements(of: stored)))
        let kept = Set(indexes.filter { wanted.contains($0.sql) && !tables.contains($0.table) }.map(\.sql))
        let dropped = indexes.filter { index in
            guard !kept.contains(index.sql) else { return false }
            // Indexes over other columns only take time.
            return index.isUnique || declared.contains(index.sql) || tables.contains(index.table)
                || expected.contains { $0.contains("INDEX \(Schema.quoted(index.name)) ON ") }
        }
        return (dropped.map(\.name), expected.filter { !kept.contains($0) })
    }
}
