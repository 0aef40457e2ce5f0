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

    private var tables: [Table] = []
    /// Whether a row is one of the user: it has no values, although its number is not greater than that of the last seeded row.
    static let isOwn = "\"isOwn\""

    // MARK: Files

    /// Begins to keep the values of all rows in a copy of a seed.
    static func begin(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) {
        // The seed may have been a file in use.
        try SeededValues(of: database)?.end(in: database)
        var values = SeededValues()
        for (position, entity) in model.entities.enumerated() {
            let last = try database.integer("SELECT max(\"_id\") FROM \(Schema.quoted(entity.name))")
            guard last > 0 else { continue }
            values.tables.append(
                Table(name: entity.name, columns: entity.columns, lastRow: last, isLinks: false))
            for relationship in entity.relationships.indices {
                let storage = model.storage(ofEntityAt: position, relationship: relationship)
                guard let links = storage.linkTable, links.isOwner else { continue }
                values.tables.append(Table(name: links.table, columns: ["target"], lastRow: last, isLinks: true))
            }
        }
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
        let known = tables.map(\.columns.count).max() ?? 0
        for (position, entity) in model.entities.enumerated() {
            guard let last = lastRows[entity.name], last > 0 else { continue }
            note(Table(name: entity.name, columns: entity.columns, lastRow: last, isLinks: false))
            for relationship in entity.relationships.indices {
                let storage = model.storage(ofEntityAt: position, relationship: relationship)
                guard let links = storage.linkTable, links.isOwner else { continue }
                note(Table(name: links.table, columns: ["target"], lastRow: last, isLinks: true))
            }
        }
        try addColumns(to: database, known: known)
        try addTriggers(to: database)
    }

    private mutating func note(_ table: Table) {
        guard let index = tables.firstIndex(where: { $0.name == table.name }) else { return tables.append(table) }
        tables[index].lastRow = table.lastRow
        tables[index].columns += table.columns.filter { !tables[index].columns.contains($0) }
    }

    private func addColumns(to database: SQLiteDatabase, known: Int) throws(StoreError) {
        for column in columns(upTo: tables.map(\.columns.count).max() ?? 0).dropFirst(known) {
            try database.execute("ALTER TABLE \(Self.table) ADD COLUMN\(column.dropFirst())")
        }
    }

    /// Adds the columns of a model that was extended, and the triggers, which were removed before.
    mutating func resume(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) {
        let values = "SELECT count(*) FROM pragma_table_info('_mappingkit_base') WHERE name GLOB 'v[0-9]*'"
        let known = Int(try database.integer(values))
        for (index, table) in tables.enumerated() where !table.isLinks {
            let names = model.entity(named: table.name)?.columns ?? []
            tables[index].columns += names.filter { !table.columns.contains($0) }
        }
        try addColumns(to: database, known: known)
        try addTriggers(to: database)
    }

    /// Follows the changes of a model, while the triggers are removed.
    mutating func migrate(by difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        let (stored, renamed, target) = (difference.stored, difference.renamed, difference.target)
        var names = Dictionary(
            zip(stored.entities, renamed.entities).map { ($0.name, $1.name) }, uniquingKeysWith: { first, _ in first })
        let links = zip(Schema(stored).joinTables, Schema(renamed).joinTables).map { ($0.name, $1.name) }
        for (old, new) in links { names[old] = new }
        let kept = Set(target.entities.map(\.name) + Schema(target).joinTables.map(\.name))
        try database.execute(#"DELETE FROM "_mappingkit" WHERE "key" LIKE 'base.%'"#)
        // A new name may be the old one of another table.
        for table in tables where (names[table.name] ?? table.name) != table.name {
            try rename(table.name, to: "_mappingkit \(table.name)", in: database)
        }
        var changed: [Table] = []
        for table in tables {
            let name = names[table.name] ?? table.name
            if name != table.name { try rename("_mappingkit \(table.name)", to: name, in: database) }
            guard kept.contains(name) else {
                try database.run("DELETE FROM \(Self.table) WHERE \"table\" = ?", [.text(name)])
                continue
            }
            changed.append(Table(name: name, columns: table.columns, lastRow: table.lastRow, isLinks: table.isLinks))
        }
        tables = changed
        for (index, table) in tables.enumerated() where !table.isLinks {
            guard let old = renamed.index(of: table.name), let new = target.entity(named: table.name) else { continue }
            let before = stored.entities[old].name
            tables[index].columns = table.columns.map { difference.renames.property($0, of: before) }
            try change(index, renamed.entities[old], new, in: database)
        }
    }

    private func rename(_ table: String, to name: String, in database: SQLiteDatabase) throws(StoreError) {
        try database.run("UPDATE \(Self.table) SET \"table\" = ? WHERE \"table\" = ?", [.text(name), .text(table)])
    }

    /// Removes columns, and converts values to other types.
    private mutating func change(
        _ index: Int, _ old: EntityDescription, _ new: EntityDescription, in database: SQLiteDatabase
    ) throws(StoreError) {
        let table = tables[index]
        var values: [String] = []
        var columns: [String] = []
        for (place, name) in table.columns.enumerated() where new.columns.contains(name) {
            columns.append(name)
            let (before, after) = (old.attribute(named: name)?.type, new.attribute(named: name)?.type)
            var value: String? = "\"v\(place + 1)\""
            if let before, let after, before != after {
                value = TypeWidening(from: before, to: after)?.expression("\"v\(place + 1)\"")
            } else if (before == nil) != (after == nil) {
                value = nil
            }
            values.append(value ?? "NULL")
        }
        values += (columns.count..<table.columns.count).map { _ in "NULL" }
        let assignments = values.enumerated().map { "\"v\($0 + 1)\" = \($1)" }
        guard columns != table.columns || assignments != (1...max(1, values.count)).map({ "\"v\($0)\" = \"v\($0)\"" })
        else { return }
        tables[index].columns = columns
        try database.run(
            "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) WHERE \"table\" = ?", [.text(table.name)])
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

    private func columns(upTo count: Int) -> [String] { (0..<count).map { ", \"v\($0 + 1)\"" } }

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

    private func insertion(_ table: Table) -> String {
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
                // An integer, because other programs may have written values that are not valid in JSON.
                + "(SELECT json_group_array(CAST(\"target\" AS INTEGER)) FROM (SELECT \"target\" FROM \(name) "
                + "WHERE \"owner\" = \(side).\"owner\" ORDER BY \"position\", \"target\")) "
                + "WHERE \(side).\"owner\" BETWEEN 1 AND \(table.lastRow) AND NOT EXISTS(SELECT 1 FROM \(Self.table) "
                + "WHERE \"row\" = \(side).\"owner\" AND \"table\" = \(Self.literal(table.name)));"
        }
        return "CREATE TRIGGER \(event.name(of: table.name)) BEFORE \(event.rawValue.uppercased()) ON \(name) "
            + "BEGIN \(statements.joined(separator: " ")) END"
    }

    private static func literal(_ name: String) -> String { "'\(name.replacing("'", with: "''"))'" }
}
