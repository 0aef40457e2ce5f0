import ObjectMapping

/// The kept values of a file whose model changes.
extension SeededValues {
    /// Marks what the user has not changed, before the tables are changed: steps can change it, which is no edit.
    func markUnchanged(in database: SQLiteDatabase) throws(StoreError) {
        for table in tables {
            let name = Schema.quoted(table.name)
            guard !table.isLinks else {
                try database.run(
                    "DELETE FROM \(Self.table) WHERE \"table\" = ? AND \"v1\" = \(Self.list(of: "\(Self.table).\"row\"", in: name))",
                    [.text(table.name)])
                continue
            }
            let assignments = table.columns.enumerated().map { position, column in
                let value = "\"v\(position + 1)\""
                return
                    "\(value) = CASE WHEN \(value) IS \"_mappingkit_row\".\(Schema.quoted(column)) THEN \(Self.unknown) "
                    + "ELSE \(value) END"
            }
            guard !assignments.isEmpty else { continue }
            try database.run(
                "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) FROM \(name) AS \"_mappingkit_row\" "
                    + "WHERE \"_mappingkit_row\".\"_id\" = \(Self.table).\"row\" AND \"table\" = ?",
                [.text(table.name)])
        }
    }

    /// Follows the changes of a model, while the triggers are removed.
    mutating func migrate(by difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        let (stored, renamed, target) = (difference.stored, difference.renamed, difference.target)
        var names = Dictionary(
            zip(stored.entities, renamed.entities).map { ($0.name, $1.name) }, uniquingKeysWith: { first, _ in first })
        let links = zip(Schema(stored).joinTables, Schema(renamed).joinTables).map { ($0.name, $1.name) }
        for (old, new) in links { names[old] = new }
        let (entities, lists) = (Set(target.entities.map(\.name)), Set(Schema(target).joinTables.map(\.name)))
        try database.execute(#"DELETE FROM "_mappingkit" WHERE "key" LIKE 'base.%'"#)
        var changed: [Table] = []
        for table in tables {
            let name = names[table.name] ?? table.name
            guard (table.isLinks ? lists : entities).contains(name) else {
                try database.run("DELETE FROM \(Self.table) WHERE \"table\" = ?", [.text(table.name)])
                continue
            }
            // A new name may be the old one of another table.
            if name != table.name { try rename(table.name, to: "_mappingkit \(name)", in: database) }
            changed.append(Table(name: name, columns: table.columns, lastRow: table.lastRow, isLinks: table.isLinks))
        }
        for table in changed { try rename("_mappingkit \(table.name)", to: table.name, in: database) }
        tables = changed
        for (index, table) in tables.enumerated() where !table.isLinks {
            guard let old = renamed.index(of: table.name), let new = target.entity(named: table.name) else { continue }
            let before = stored.entities[old].name
            tables[index].columns = table.columns.map { difference.renames.property($0, of: before) }
            try change(index, renamed.entities[old], new, in: database)
        }
        try resetLists(by: difference, in: database)
        try moveLinks(of: difference, in: database)
    }

    /// Replaces the original lists of relationships to another entity with empty ones: their objects are those of a step.
    private func resetLists(by difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        let new = Schema(difference.target).joinTables
        for old in Schema(difference.renamed).joinTables
        where new.contains(where: { $0.name == old.name && $0.sql != old.sql }) {
            try database.run("UPDATE \(Self.table) SET \"v1\" = '[]' WHERE \"table\" = ?", [.text(old.name)])
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
            } else if (before == nil) != (after == nil)
                || old.relationship(named: name)?.destination != new.relationship(named: name)?.destination
            {
                value = nil
            }
            // As in the rows.
            if let attribute = new.attribute(named: name), old.attribute(named: name)?.isOptional == true,
                attribute.replacesNull, !new.identity.contains(name), let known = value
            {
                value = "coalesce(\(known), \(attribute.storedDefault ?? .null))"
            }
            // An unknown value remains unknown.
            let stored = "\"v\(place + 1)\""
            values.append(
                value == stored
                    ? stored : "CASE WHEN \(stored) IS \(Self.unknown) THEN \(stored) ELSE \(value ?? "NULL") END")
        }
        values += (columns.count..<table.columns.count).map { _ in "NULL" }
        let assignments = values.enumerated().map { "\"v\($0 + 1)\" = \($1)" }
        guard columns != table.columns || assignments != (1...max(1, values.count)).map({ "\"v\($0)\" = \"v\($0)\"" })
        else { return }
        tables[index].columns = columns
        try database.run(
            "UPDATE \(Self.table) SET \(assignments.joined(separator: ", ")) WHERE \"table\" = ?", [.text(table.name)])
    }
}

// MARK: Links

/// The original links of seeded objects, while a migration stores them elsewhere.
extension SeededValues {
    private static func original(_ number: Int) -> String { "temp.\"_mappingkit_links_\(number)_original\"" }

    private static func current(_ number: Int) -> String { "temp.\"_mappingkit_links_\(number)_current\"" }

    /// Notes the original and the current links of relationships that are stored elsewhere afterwards, before the tables
    /// are changed.
    func noteLinks(of difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        let stored = difference.stored
        for (number, links) in difference.movedLinks.enumerated() {
            try Self.supportOwnRows(in: database)
            let original = links.query(in: stored) { name, columns in originalRows(of: name, columns, in: stored) }
            for (table, query) in [
                (Self.original(number), original), (Self.current(number), links.query(in: stored)),
            ] {
                try database.execute(
                    """
                    CREATE TABLE \(table)("source" INTEGER, "target" INTEGER, "position" INTEGER);
                    INSERT INTO \(table) \(query);
                    CREATE INDEX temp.\(table.dropFirst(5).dropLast())_source" ON \(table.dropFirst(5))("source")
                    """)
            }
            let entity = difference.target.entities[links.place.entity]
            guard !entity.relationships[links.place.relationship].isToMany,
                let name = difference.storedName(ofEntity: entity.name), let table = table(named: name)
            else { continue }
            // Changed relationships belong to changed rows afterwards.
            let row = #""_mappingkit_row"."_id""#
            let values = (["_id"] + table.columns).map { "\"_mappingkit_row\".\(Schema.quoted($0))" }
            try database.execute(
                """
                \(insertion(table))SELECT \(Self.literal(name)), \(values.joined(separator: ", ")) \
                FROM \(Schema.quoted(name)) AS "_mappingkit_row" WHERE \(row) BETWEEN 1 AND \(table.lastRow) \
                AND NOT \(Self.hasRecord(row, name)) AND \(Self.originalTarget(number, of: row)) IS NOT \
                (SELECT "target" FROM \(Self.current(number)) WHERE "source" = \(row))
                """)
        }
    }

    /// Returns the expression of the table with the original rows.
    private func originalRows(of name: String, _ columns: [String], in stored: ObjectModel) -> String {
        let names = columns.map(Schema.quoted).joined(separator: ", ")
        let (quoted, literal) = (Schema.quoted(name), Self.literal(name))
        guard let table = table(named: name) else { return "(SELECT \(names) FROM \(quoted) WHERE 0)" }
        guard table.isLinks else {
            let values = columns.map { column in
                column == "_id"
                    ? "\"row\""
                    : table.columns.firstIndex(of: column).map { "nullif(\"v\($0 + 1)\", \(Self.unknown))" } ?? "NULL"
            }
            return "(SELECT \(names) FROM \(quoted) WHERE \"_id\" BETWEEN 1 AND \(table.lastRow) "
                + "AND NOT \(Self.hasRecord("\(quoted).\"_id\"", name)) "
                + "UNION ALL SELECT \(values.joined(separator: ", ")) FROM \(Self.table) "
                + "WHERE \"table\" = \(literal) AND \(Self.isOwn) IS NULL)"
        }
        let owner = Schema(stored).derivedNames.first { $0.kind == "table" && $0.name == name }?.entity ?? ""
        return "(SELECT \(names) FROM \(quoted) WHERE \"owner\" BETWEEN 1 AND \(table.lastRow) "
            + "AND NOT \(Self.hasRecord("\(quoted).\"owner\"", name)) "
            + "AND NOT \(Self.hasRecord("\(quoted).\"owner\"", owner, isOwn: true)) "
            + "UNION ALL SELECT b.\"row\", j.value, j.key FROM \(Self.table) AS b, json_each(b.\"v1\") AS j "
            + "WHERE b.\"table\" = \(literal) AND NOT \(Self.hasRecord("b.\"row\"", owner, isOwn: true)))"
    }

    /// Returns the condition that a row has kept values, or that it is one of the user.
    static func hasRecord(_ row: String, _ table: String, isOwn: Bool = false) -> String {
        "EXISTS (SELECT 1 FROM \(Self.table) WHERE \"row\" = \(row) AND \"table\" = \(literal(table))"
            + "\(isOwn ? " AND \(Self.isOwn)" : ""))"
    }

    /// Returns the expression of the original target of a to-one relationship; of several, one that the user has removed.
    private static func originalTarget(_ number: Int, of row: String) -> String {
        "(SELECT o.\"target\" FROM \(original(number)) AS o WHERE o.\"source\" = \(row) ORDER BY EXISTS (SELECT 1 "
            + "FROM \(current(number)) AS c WHERE c.\"source\" = o.\"source\" AND c.\"target\" = o.\"target\"), "
            + "o.\"position\" LIMIT 1)"
    }

    /// Keeps the original links where the new model stores them.
    private mutating func moveLinks(of difference: ModelDifference, in database: SQLiteDatabase) throws(StoreError) {
        for (number, links) in difference.movedLinks.enumerated() {
            let entity = difference.target.entities[links.place.entity]
            let relationship = entity.relationships[links.place.relationship]
            let index = tables.firstIndex { $0.name == entity.name && !$0.isLinks }
            if relationship.isToMany, let list = difference.target.linkTable(at: links.place) {
                try keepLists(number, list.table, entity.name, index.map { tables[$0].lastRow }, in: database)
            } else if let index {
                if !tables[index].columns.contains(relationship.name) {
                    tables[index].columns.append(relationship.name)
                }
                try addColumns(to: database)
                let position = tables[index].columns.firstIndex(of: relationship.name) ?? 0
                let (name, row) = (Schema.quoted(entity.name), "\(Self.table).\"row\"")
                let original = Self.originalTarget(number, of: row)
                let isUnchanged =
                    "\(original) IS (SELECT \"target\" FROM \(Self.current(number)) WHERE \"source\" = \(row)) "
                    + "AND EXISTS (SELECT 1 FROM \(name) WHERE \(name).\"_id\" = \(row))"
                try database.run(
                    "UPDATE \(Self.table) SET \"v\(position + 1)\" = "
                        + "CASE WHEN \(isUnchanged) THEN \(Self.unknown) ELSE \(original) END "
                        + "WHERE \"table\" = ? AND \(Self.isOwn) IS NULL", [.text(entity.name)])
            }
            try database.execute("DROP TABLE \(Self.original(number)); DROP TABLE \(Self.current(number))")
        }
    }

    /// Keeps the original lists that differ from the current ones.
    private mutating func keepLists(
        _ number: Int, _ list: String, _ owner: String, _ last: Int64?, in database: SQLiteDatabase
    ) throws(StoreError) {
        tables.removeAll { $0.name == list }
        try database.run("DELETE FROM \(Self.table) WHERE \"table\" = ?", [.text(list)])
        guard let last else { return }
        tables.append(Table(name: list, columns: ["target"], lastRow: last, isLinks: true))
        func targets(_ table: String) -> String {
            "(SELECT json_group_array(\"target\") FROM (SELECT \"target\" FROM \(table) AS l "
                + "WHERE l.\"source\" = s.\"source\" ORDER BY \"position\", \"target\"))"
        }
        let (original, current) = (Self.original(number), Self.current(number))
        try database.execute(
            """
            INSERT INTO \(Self.table)("table", "row", "v1") SELECT \(Self.literal(list)), "source", "original" FROM \
            (SELECT "source", \(targets(original)) AS "original", \(targets(current)) AS "current" \
            FROM (SELECT "source" FROM \(original) UNION SELECT "source" FROM \(current)) AS s \
            WHERE "source" BETWEEN 1 AND \(last) AND NOT \(Self.hasRecord("s.\"source\"", owner, isOwn: true))) \
            WHERE "original" <> "current"
            """)
    }
}
