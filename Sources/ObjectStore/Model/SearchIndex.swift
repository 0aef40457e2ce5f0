import ObjectMapping

/// The full-text index of an entity: a table of FTS5 that triggers of the file keep up to date for all writers.
///
/// The table contains the texts, so that rows which other programs replace without firing triggers cannot damage it.
package struct SearchIndex: Sendable {
    /// The quoted name of the table.
    let table: String
    private let entity: EntityDescription
    /// The quoted columns, in the order of the attributes.
    private let columns: [String]

    /// The name of the entity.
    var name: String { entity.name }
    /// The names of the searchable attributes.
    var attributes: [String] { entity.attributes.filter(\.isSearchable).map(\.name) }
    /// The part of a statement that searches.
    var match: String { "\(table) MATCH " }

    /// The ends of the names of tables: no table of FTS5 behind them ends like this.
    private static let suffix = "_search"
    private static let triggerPrefix = StatementAuthorizer.searchTriggerPrefix
    /// The names of columns that FTS5 reserves.
    static let reservedNames: Set = ["rank", "rowid"]

    /// - Returns: `nil` for an entity without searchable attributes.
    package init?(of entity: EntityDescription) {
        columns = entity.attributes.filter(\.isSearchable).map { Schema.quoted($0.name) }
        guard !columns.isEmpty else { return nil }
        self.entity = entity
        table = Schema.quoted("_mappingkit_\(entity.name)\(Self.suffix)")
    }

    // MARK: Statements

    /// The statement that creates the table.
    private var creation: String {
        "CREATE VIRTUAL TABLE \(table) USING fts5(\(columns.joined(separator: ", ")), "
            + "tokenize = 'unicode61 remove_diacritics 2')"
    }

    /// The statement that adds all rows of the entity.
    private var filling: String {
        let names = columns.joined(separator: ", ")
        return "INSERT INTO \(table)(rowid, \(names)) "
            + "SELECT \"_id\", \(names) FROM \(Schema.quoted(entity.name)) ORDER BY \"_id\""
    }

    private var triggers: [String] {
        let names = columns.joined(separator: ", ")
        let values = columns.map { "new.\($0)" }.joined(separator: ", ")
        let insertion = "INSERT OR REPLACE INTO \(table)(rowid, \(names)) VALUES(new.\"_id\", \(values));"
        let deletion = "DELETE FROM \(table) WHERE rowid = old.\"_id\";"
        let isChanged = (["\"_id\""] + columns).map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
        return [
            trigger("insert", "INSERT", insertion), trigger("delete", "DELETE", deletion),
            trigger(
                "update", "UPDATE OF \((["\"_id\""] + columns).joined(separator: ", "))", "\(deletion) \(insertion)",
                when: isChanged),
        ]
    }

    private func triggerName(_ name: String) -> String {
        Schema.quoted("\(Self.triggerPrefix)\(name)_\(entity.name)")
    }

    private func trigger(_ name: String, _ event: String, _ statements: String, when condition: String? = nil) -> String
    {
        "CREATE TRIGGER \(triggerName(name)) AFTER \(event) "
            + "ON \(Schema.quoted(entity.name)) \(condition.map { "WHEN \($0) " } ?? "")BEGIN \(statements) END"
    }

    /// Creates the table with all rows of the entity, and the triggers.
    ///
    /// - Parameter isFinal: Whether few changes are expected, so that the index is compacted.
    func create(in database: SQLiteDatabase, isFinal: Bool = false) throws(StoreError) {
        try database.execute(creation)
        try database.execute(filling)
        if isFinal { try database.execute("INSERT INTO \(table)(\(table)) VALUES('optimize')") }
        for trigger in triggers { try database.execute(trigger) }
    }

    // MARK: Large changes

    /// Removes the triggers, before many rows are written one at a time: FTS5 writes to the file after each statement.
    func removeTriggers(in database: SQLiteDatabase) throws(StoreError) {
        for name in ["insert", "delete", "update"] {
            try database.execute("DROP TRIGGER IF EXISTS \(triggerName(name))")
        }
    }

    /// Indexes rows that were written without triggers, and creates the triggers.
    ///
    /// - Parameters:
    ///   - inserted: Ranges of new rows.
    ///   - others: Rows that were updated or deleted, as a JSON array; `nil` for any rows.
    func resume(
        in database: SQLiteDatabase, inserted: [ClosedRange<Int64>], others: StoredValue?
    ) throws(StoreError) {
        guard let others else {
            try database.execute("DROP TABLE \(table)")
            return try create(in: database)
        }
        let names = columns.joined(separator: ", ")
        let insertion =
            "INSERT OR REPLACE INTO \(table)(rowid, \(names)) SELECT \"_id\", \(names) FROM "
            + "\(Schema.quoted(entity.name)) WHERE \"_id\" "
        for range in inserted {
            try database.run(
                insertion + "BETWEEN ? AND ? ORDER BY \"_id\"",
                [.integer(range.lowerBound), .integer(range.upperBound)])
        }
        let isListed = "IN (SELECT value FROM json_each(?))"
        try database.run("DELETE FROM \(table) WHERE rowid \(isListed)", [others])
        try database.run(insertion + isListed, [others])
        for trigger in triggers { try database.execute(trigger) }
    }

    /// Returns the statements of the search indexes of a model.
    private static func statements(of indexes: [SearchIndex]) -> [String] {
        indexes.flatMap { [$0.creation] + $0.triggers }
    }

    // MARK: Files

    /// Returns the search indexes of a model.
    static func all(of model: ObjectModel) -> [SearchIndex] { model.entities.compactMap { SearchIndex(of: $0) } }

    /// Whether a file has exactly the search indexes of a model.
    static func isCurrent(in database: SQLiteDatabase, _ model: ObjectModel) throws(StoreError) -> Bool {
        Set(try existing(in: database).map(\.sql)) == Set(statements(of: all(of: model)))
    }

    /// Removes the search indexes that a model does not have, and adds missing ones.
    ///
    /// - Parameter intact: The entities whose indexes lack only their triggers. Defaults to none.
    static func update(
        in database: SQLiteDatabase, to model: ObjectModel, intact: Set<String> = []
    ) throws(StoreError) {
        let existing = try existing(in: database)
        let texts = Set(existing.map(\.sql))
        var (kept, suspended, missing): ([SearchIndex], [SearchIndex], [SearchIndex]) = ([], [], [])
        for index in all(of: model) {
            if texts.isSuperset(of: statements(of: [index])) {
                kept.append(index)
            } else if intact.contains(index.entity.name), texts.contains(index.creation) {
                suspended.append(index)
            } else {
                missing.append(index)
            }
        }
        let current = Set(statements(of: kept) + suspended.map(\.creation))
        for object in existing where !current.contains(object.sql) { try database.execute(object.removal) }
        for trigger in suspended.flatMap(\.triggers) { try database.execute(trigger) }
        for index in missing { try index.create(in: database) }
    }

    /// Removes the triggers of all search indexes before tables are changed, and the indexes except those of some entities.
    ///
    /// - Returns: The entities whose indexes were complete and remain, without triggers.
    static func suspend(
        in database: SQLiteDatabase, _ model: ObjectModel, keeping entities: Set<String>
    ) throws(StoreError) -> Set<String> {
        let existing = try existing(in: database)
        let texts = Set(existing.map(\.sql))
        let kept = all(of: model).filter { index in
            entities.contains(index.entity.name) && texts.isSuperset(of: statements(of: [index]))
        }
        let tables = Set(kept.map(\.creation))
        for object in existing where !tables.contains(object.sql) { try database.execute(object.removal) }
        return Set(kept.map(\.entity.name))
    }

    /// Removes all search indexes, for a large import.
    static func removeAll(in database: SQLiteDatabase) throws(StoreError) {
        for object in try existing(in: database) { try database.execute(object.removal) }
    }

    /// Returns the tables and triggers of search indexes, triggers first.
    private static func existing(
        in database: SQLiteDatabase
    ) throws(StoreError) -> [(sql: String, removal: String)] {
        try database.prepare(
            """
            SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND \
            (type = 'trigger' AND substr(name, 1, \(triggerPrefix.utf8.count)) = '\(triggerPrefix)' OR type = 'table' \
            AND substr(name, 1, 12) = '_mappingkit_' AND substr(name, -\(suffix.utf8.count)) = '\(suffix)') \
            ORDER BY type DESC, name
            """
        ).rows([]).compactMap { row in
            guard let type = row[0].text, let name = row[1].text, let sql = row[2].text else { return nil }
            return (sql, "DROP \(type) \(Schema.quoted(name))")
        }
    }

    /// Returns the names of the columns of the table in a file; an empty array if it does not exist.
    func columns(in database: SQLiteDatabase) throws(StoreError) -> [String] {
        try database.prepare("SELECT name FROM pragma_table_info(?)").rows([
            .text("_mappingkit_\(entity.name)\(Self.suffix)")
        ]).compactMap(\.first?.text)
    }

    // MARK: Searches

    /// Returns the expression of FTS5 for one of its columns; `nil` if the attribute is not searchable.
    func expression(_ text: String, in attribute: String?) -> String? {
        guard let attribute else { return text }
        let column = Schema.quoted(attribute)
        return columns.contains(column) ? "\(column) : (\(text))" : nil
    }
}

extension ModelValidator {
    /// Only texts are searchable, under names that FTS5 accepts.
    mutating func checkSearch(of entity: EntityDescription) {
        for attribute in entity.attributes where attribute.isSearchable {
            let place: [JSONPathStep] = [.key(entity.name), .key("attributes"), .key(attribute.name)]
            if attribute.type != AttributeType(.string) {
                report(place, "an attribute of type \(attribute.type) cannot be searchable; only strings are")
            }
            if SearchIndex.reservedNames.contains(attribute.name.lowercased()) {
                report(place, "'\(attribute.name)' cannot be searchable, because FTS5 reserves this name")
            }
        }
    }
}
