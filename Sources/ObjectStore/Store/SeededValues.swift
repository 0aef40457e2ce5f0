import ObjectMapping

/// The values of seeded rows before their first change, for a later merge with a new version of the seed.
///
/// Triggers of the file keep them in `_mappingkit_base` for any change of a row: by saves, imports, bulk changes, SQL,
/// and other programs. A row of this table has the name of a table, the number of the row that was
/// changed or deleted, and its values, in the order of the columns in the metadata. For a table of links, it has the number
/// of the owner and the rows of its targets: a JSON array in their order.
struct SeededValues {
    struct Table {
        let name: String
        var columns: [String]
        /// The last seeded row: numbers are not used again, so that greater ones are those of other rows.
        var lastRow: Int64
        let isLinks: Bool

        fileprivate var metadata: StoredValue {
            let names = JSON.array(columns.map { .string($0) })
            return .text(JSON.object(["columns": names, "rows": .integer(lastRow)]).text)
        }
    }

    static let table = #""_mappingkit_base""#
    private static let keyPrefix = "base."

    var tables: [Table] = []
    /// Whether a row is one of the user: it has no values, although its number is not greater than that of the last seeded row.
    static let isOwn = "\"isOwn\""
    /// The value of a column that is not known.
    ///
    /// A step of a migration would have changed it in a deleted row. During a migration, that of a row which exists is the
    /// value of the row afterwards, because the user has not changed it.
    static let unknown = StoredValue.blob(Array("_mappingkit_unknown".utf8))

    // MARK: Files

    /// Begins to keep the values of all rows in a copy of a seed.
    static func begin(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) {
        // The seed may have been a file in use.
        try SeededValues(of: database)?.end(in: database)
        var values = SeededValues()
        var lastRows: [String: Int64] = [:]
        for entity in model.entities {
            lastRows[entity.name] = try database.integer("SELECT max(\"_id\") FROM \(Schema.quoted(entity.name))")
        }
        values.note(model, lastRows)
        let columns = values.columns(upTo: values.tables.map(\.columns.count).max() ?? 0).joined()
        try database.execute(
            #"CREATE TABLE \#(table)("table" TEXT, "row" INTEGER\#(columns), PRIMARY KEY("row", "table")) WITHOUT ROWID"#
        )
        try values.addTriggers(to: database)
    }

    private init() {}

    /// Reads which values a file keeps; `nil` if it keeps none.
    init?(of database: SQLiteDatabase) throws(StoreError) {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = '_mappingkit_base'"
        guard try database.integer(sql) > 0 else { return nil }
        let metadata = #"SELECT substr("key", 6), "value" FROM "_mappingkit" WHERE "key" LIKE 'base.%' ORDER BY "key""#
        for row in try database.prepare(metadata).rows([]) {
            guard let name = row[0].text, let json = row[1].text.flatMap({ try? JSON($0) }) else { continue }
            let columns = json["columns"].array?.compactMap(\.string) ?? []
            let isLinks =
                try database.integer("SELECT count(*) FROM pragma_table_info(?) WHERE name = '_id'", [.text(name)]) == 0
            tables.append(
                Table(name: name, columns: columns, lastRow: json["rows"].int64 ?? 0, isLinks: isLinks))
        }
    }

    /// Returns what is kept of a table of rows or links; `nil` if the seed had no rows.
    func table(named name: String) -> Table? { tables.first { $0.name == name } }

    /// Prepares the table for rows of the user among those of an upgraded seed.
    static func supportOwnRows(in database: SQLiteDatabase) throws(StoreError) {
        let sql = "SELECT count(*) FROM pragma_table_info('_mappingkit_base') WHERE name = 'isOwn'"
        guard try database.integer(sql) == 0 else { return }
        try database.execute("ALTER TABLE \(table) ADD COLUMN \(isOwn) INTEGER")
    }

    /// Keeps the values of an upgraded seed, after the triggers were removed.
    ///
    /// - Parameter lastRows: The last row of each entity, by name.
    mutating func renew(
        in database: SQLiteDatabase, _ model: ObjectModel, lastRows: [String: Int64]
    ) throws(StoreError) {
        note(model, lastRows)
        try addColumns(to: database)
        try addTriggers(to: database)
    }

    /// Adds what is kept of a model with the last seeded rows of its entities, by name.
    private mutating func note(_ model: ObjectModel, _ lastRows: [String: Int64]) {
        for (position, entity) in model.entities.enumerated() {
            guard let last = lastRows[entity.name], last > 0 else { continue }
            note(Table(name: entity.name, columns: entity.columns, lastRow: last, isLinks: false))
            for relationship in entity.relationships.indices {
                let storage = model.storage(ofEntityAt: position, relationship: relationship)
                guard let links = storage.linkTable, links.isOwner else { continue }
                note(Table(name: links.table, columns: ["target"], lastRow: last, isLinks: true))
            }
        }
    }

    private mutating func note(_ table: Table) {
        guard let index = tables.firstIndex(where: { $0.name == table.name }) else { return tables.append(table) }
        tables[index].lastRow = table.lastRow
        tables[index].columns += table.columns.filter { !tables[index].columns.contains($0) }
    }

    /// Adds the columns for the values of all tables.
    func addColumns(to database: SQLiteDatabase) throws(StoreError) {
        let values = "SELECT count(*) FROM pragma_table_info('_mappingkit_base') WHERE name GLOB 'v[0-9]*'"
        let known = Int(try database.integer(values))
        for column in columns(upTo: tables.map(\.columns.count).max() ?? 0).dropFirst(known) {
            try database.execute("ALTER TABLE \(Self.table) ADD COLUMN\(column.dropFirst())")
        }
    }

    /// Adds the triggers again, which were removed before.
    func resume(in database: SQLiteDatabase) throws(StoreError) { try addTriggers(to: database) }

    /// Adds the columns and lists of a model to which the file was changed, and keeps what the user has not changed.
    ///
    /// - Parameter changed: The columns that steps have changed, by entity.
    mutating func follow(
        _ model: ObjectModel, changed: [String: Set<String>], in database: SQLiteDatabase
    ) throws(StoreError) {
        let known = tables
        note(model, Dictionary(known.filter { !$0.isLinks }.map { ($0.name, $0.lastRow) }) { first, _ in first })
        try addColumns(to: database)
        for table in known where !table.isLinks {
            guard let entity = model.entity(named: table.name) else { continue }
            try fill(entity, from: table.columns.count, changed: changed[entity.name] ?? [], in: database)
        }
    }

    /// Keeps the values of added columns and of columns that the user has not changed.
    ///
    /// They are those of the rows. Deleted rows have the defaults of added columns.
    private func fill(
        _ entity: EntityDescription, from first: Int, changed: Set<String>, in database: SQLiteDatabase
    ) throws(StoreError) {
        guard let columns = table(named: entity.name)?.columns, !columns.isEmpty else { return }
        let row =
            "FROM \(Schema.quoted(entity.name)) AS \"_mappingkit_row\" "
            + "WHERE \"_mappingkit_row\".\"_id\" = \(Self.table).\"row\""
        let assignments = columns.enumerated().map { position, name in
            let value = "\"v\(position + 1)\""
            let isAdded = position >= first
            let former = isAdded ? (entity.attribute(named: name)?.storedDefault ?? .null).description : value
            return "\(value) = CASE WHEN EXISTS (SELECT 1 \(row)) THEN "
                + (isAdded ? "" : "CASE WHEN \(value) IS NOT \(Self.unknown) THEN \(value) ELSE ")
                + "(SELECT \"_mappingkit_row\".\(Schema.quoted(name)) \(row))\(isAdded ? "" : " END") "
                + "ELSE \(changed.contains(name) ? Self.unknown.description : former) END"
        }
        try database.run(
            "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) WHERE \"table\" = ?",
            [.text(entity.name)])
    }

    /// Removes the triggers: a change of the schema is no change of rows.
    func suspend(in database: SQLiteDatabase) throws(StoreError) {
        for table in tables {
            for event in Event.allCases { try database.execute("DROP TRIGGER IF EXISTS \(event.name(of: table.name))") }
        }
    }

    private func end(in database: SQLiteDatabase) throws(StoreError) {
        try suspend(in: database)
        try database.execute(
            #"DROP TABLE \#(Self.table); DELETE FROM "_mappingkit" WHERE "key" LIKE 'base.%' OR "key" = 'seed.sha256'"#)
    }

    // MARK: Triggers

    private enum Event: String, CaseIterable {
        case update, delete, insert

        func name(of table: String) -> String {
            Schema.quoted("\(StatementAuthorizer.triggerPrefix)\(rawValue)_\(table)")
        }
    }

    func columns(upTo count: Int) -> [String] { (0..<count).map { ", \"v\($0 + 1)\"" } }

    private func addTriggers(to database: SQLiteDatabase) throws(StoreError) {
        for table in tables {
            for event in Event.allCases where table.isLinks || event != .insert {
                try database.execute(table.isLinks ? trigger(event, onLinks: table) : trigger(event, on: table))
            }
            try database.run(
                #"INSERT OR REPLACE INTO "_mappingkit"("key", "value") VALUES(?, ?)"#,
                [.text(Self.keyPrefix + table.name), table.metadata])
        }
    }

    func insertion(_ table: Table) -> String {
        "INSERT INTO \(Self.table)(\"table\", \"row\"\(columns(upTo: table.columns.count).joined())) "
    }

    private func trigger(_ event: Event, on table: Table) -> String {
        let values = [Self.literal(table.name)] + (["_id"] + table.columns).map { "old.\(Schema.quoted($0))" }
        // Not OR IGNORE, which that of the statement that fires the trigger replaces.
        return "CREATE TRIGGER \(event.name(of: table.name)) AFTER \(event.rawValue.uppercased()) "
            + "ON \(Schema.quoted(table.name)) WHEN old.\"_id\" BETWEEN 1 AND \(table.lastRow) "
            + "BEGIN \(insertion(table))VALUES(\(values.joined(separator: ", "))) ON CONFLICT DO NOTHING; END"
    }

    /// The trigger that keeps a whole list before the first change of one of its links.
    private func trigger(_ event: Event, onLinks table: Table) -> String {
        let name = Schema.quoted(table.name)
        let sides = event == .update ? ["old", "new"] : event == .insert ? ["new"] : ["old"]
        let statements = sides.map { side in
            "\(insertion(table))SELECT \(Self.literal(table.name)), \(side).\"owner\", "
                + "\(Self.list(of: "\(side).\"owner\"", in: name)) "
                + "WHERE \(side).\"owner\" BETWEEN 1 AND \(table.lastRow) AND NOT EXISTS(SELECT 1 FROM \(Self.table) "
                + "WHERE \"row\" = \(side).\"owner\" AND \"table\" = \(Self.literal(table.name)));"
        }
        return "CREATE TRIGGER \(event.name(of: table.name)) BEFORE \(event.rawValue.uppercased()) ON \(name) "
            + "BEGIN \(statements.joined(separator: " ")) END"
    }

    /// Returns the expression of the targets of an owner in a table of links.
    static func list(of owner: String, in table: String) -> String {
        // An integer, because other programs may have written values that are not valid in JSON.
        "(SELECT json_group_array(CAST(\"target\" AS INTEGER)) FROM (SELECT \"target\" FROM \(table) "
            + "WHERE \"owner\" = \(owner) ORDER BY \"position\", \"target\"))"
    }

    static func literal(_ name: String) -> String { "'\(name.replacing("'", with: "''"))'" }
}
