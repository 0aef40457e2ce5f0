/// Finds the row of each row of a new seed.
///
/// The tables of the result have a row of the seed, its row in the file, the row of its kept values, and a kind: 0 for a
/// seeded row that the user has not changed, 1 for one that the user has changed, 2 for one that the user has deleted, 3
/// for a row of the user with the same identity, 4 for a new row, and 5 for a seeded row to which the user has given this
/// identity.
extension SeedUpgrade {
    func createTables(for entity: StoredEntity) throws(StoreError) {
        // They can remain from a transaction of another store in memory.
        try database.execute(
            """
            DROP TABLE IF EXISTS \(map(entity)); DROP TABLE IF EXISTS \(gone(entity));
            DROP TABLE IF EXISTS \(written(entity)); CREATE TABLE \(written(entity))("row" INTEGER PRIMARY KEY);
            CREATE TABLE \(map(entity))("seed" INTEGER PRIMARY KEY, "row" INTEGER, "kind" INTEGER, "base" INTEGER);
            CREATE TABLE \(gone(entity))("row" INTEGER PRIMARY KEY)
            """)
    }

    mutating func match(_ entity: StoredEntity) throws(StoreError) {
        let isIdentified = entity.identity.isEmpty ? nil : condition(entity, "s") { "\($0) IS NOT NULL" }
        if isIdentified != nil { try matchIdentities(of: entity) }
        try matchValues(of: entity, where: isIdentified)
        try database.execute(
            "CREATE INDEX temp.\"_mappingkit_map_row_\(entity.index)\" ON \"_mappingkit_map_\(entity.index)\"(\"row\")")
        if isIdentified != nil { try matchOwnRows(of: entity) }
        let next = try connection.firstFreeRow(of: entity)
        try database.execute(
            """
            INSERT INTO \(map(entity)) SELECT s."_id", \(next - 1) + row_number() OVER (ORDER BY s."_id"), 4, NULL \
            FROM \(seedTable(entity)) AS s WHERE NOT EXISTS (SELECT 1 FROM \(map(entity)) WHERE "seed" = s."_id")
            """)
        let inserted = Int64(database.changes)
        guard inserted > 0 else { return }
        _ = try RowMarks.next(after: next + inserted - 2, in: entity.name)
        report.entities[entity.index].inserted = Int(inserted)
    }

    /// Returns the rows of objects that the user has deleted and created again, by their rows in the earlier seed.
    func recreatedRows(of entity: StoredEntity) throws(StoreError) -> [Int64: Int64] {
        let rows = try database.prepare("SELECT \"base\", \"row\" FROM \(map(entity)) WHERE \"base\" <> \"row\"").rows(
            [])
        return Dictionary(rows.map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }) { first, _ in first }
    }

    /// Joins a condition for each column of the identity of a table with an alias.
    private func condition(_ entity: StoredEntity, _ alias: String, _ text: (String) -> String) -> String {
        entity.identity.map { text("\(alias).\(entity.columnNames[$0])") }.joined(separator: " AND ")
    }

    /// Matches seeded rows by the identity that they had in the earlier seed.
    private func matchIdentities(of entity: StoredEntity) throws(StoreError) {
        let (name, last) = (Self.literal(entity.name), lastRow(entity))
        guard last > 0 else { return }
        let base = baseColumns(entity)
        let isSame = entity.identity.map { "s.\(entity.columnNames[$0]) = b.\(base[$0])" }.joined(separator: " AND ")
        func hasIdentity(_ alias: String) -> String {
            entity.identity.map { "\(alias).\(entity.columnNames[$0]) = s.\(entity.columnNames[$0])" }
                .joined(separator: " AND ")
        }
        if !entity.identity.contains(where: { base[$0] == "NULL" }) {
            // A deleted object may have been created again by the user.
            try database.execute(
                """
                INSERT OR IGNORE INTO \(map(entity)) SELECT s."_id", coalesce(e."_id", o."_id", b."row"), \
                CASE WHEN e."_id" IS NULL AND o."_id" IS NULL THEN 2 ELSE 1 END, b."row" \
                FROM \(SeededValues.table) AS b CROSS JOIN \(seedTable(entity)) AS s ON \(isSame) \
                LEFT JOIN \(entity.table) AS e ON e."_id" = b."row" \
                LEFT JOIN \(entity.table) AS o ON e."_id" IS NULL AND \(hasIdentity("o")) AND \(isOwn("o.\"_id\"", entity)) \
                WHERE b."table" = \(name) AND b.\(SeededValues.isOwn) IS NULL
                """)
        }
        try database.execute(
            """
            INSERT OR IGNORE INTO \(map(entity)) SELECT s."_id", e."_id", 0, NULL \
            FROM \(entity.table) AS e CROSS JOIN \(seedTable(entity)) AS s ON \(hasIdentity("e")) \
            WHERE e."_id" BETWEEN 1 AND \(last) AND NOT \(hasRecord("e.\"_id\"", entity.name))
            """)
    }

    /// Matches rows of the user that have the identity of a new row.
    private func matchOwnRows(of entity: StoredEntity) throws(StoreError) {
        let isSame = condition(entity, "e") { "\($0) = s.\($0.dropFirst(2))" }
        try database.execute(
            """
            INSERT OR IGNORE INTO \(map(entity)) SELECT s."_id", e."_id", CASE WHEN EXISTS \
            (SELECT 1 FROM \(map(entity)) WHERE "row" = e."_id") THEN 5 ELSE 3 END, NULL \
            FROM \(seedTable(entity)) AS s CROSS JOIN \(entity.table) AS e ON \(isSame) \
            WHERE NOT EXISTS (SELECT 1 FROM \(map(entity)) WHERE "seed" = s."_id")
            """)
    }

    /// Matches rows by all of their values, for an entity or rows without an identity; rows with equal values by their
    /// order.
    ///
    /// - Parameter isIdentified: The condition of rows of the seed that are matched otherwise; `nil` for none.
    private func matchValues(of entity: StoredEntity, where isIdentified: String?) throws(StoreError) {
        let (name, last) = (Self.literal(entity.name), lastRow(entity))
        guard last > 0 else { return }
        let seeds = seedValues(entity, keepsDeleted: true)
        let (current, base) = (columns(entity).map { "e.\($0)" }, baseColumns(entity))
        // The rows of other entities without an identity are not known yet.
        let compared = seeds.indices.filter { index in
            guard index >= entity.columnNames.count else { return true }
            let relationship = entity.relationships[entity.toOnes[index - entity.columnNames.count]]
            return !entities[relationship.destination].identity.isEmpty
        }
        func text(_ values: [String]) -> String {
            let parts = compared.map { "quote(\(values[$0]))" }
            return parts.isEmpty ? "''" : parts.joined(separator: " || ',' || ")
        }
        func unidentified(_ alias: String, _ names: [String]) -> String {
            isIdentified == nil
                ? "" : " AND (\(entity.identity.map { "\(alias)\(names[$0]) IS NULL" }.joined(separator: " OR ")))"
        }
        let (old, new) = ("temp.\"_mappingkit_old\"", "temp.\"_mappingkit_new\"")
        try database.execute(
            """
            CREATE TABLE \(old)("row", "text", "number", "kind", "base");
            INSERT INTO \(old) SELECT "row", "text", row_number() OVER (PARTITION BY "text" ORDER BY "row"), "kind", "base" \
            FROM (SELECT e."_id" AS "row", \(text(current)) AS "text", 0 AS "kind", NULL AS "base" FROM \(entity.table) AS e \
            WHERE e."_id" BETWEEN 1 AND \(last) AND NOT \(hasRecord("e.\"_id\"", entity.name))\
            \(unidentified("e.", entity.columnNames)) \
            UNION ALL SELECT b."row", \(text(base.map { $0 == "NULL" ? $0 : "b.\($0)" })), \
            CASE WHEN EXISTS (SELECT 1 FROM \(entity.table) WHERE "_id" = b."row") THEN 1 ELSE 2 END, b."row" \
            FROM \(SeededValues.table) AS b WHERE b."table" = \(name) AND b.\(SeededValues.isOwn) IS NULL\
            \(unidentified("", base.map { $0 == "NULL" ? $0 : "b.\($0)" })));
            CREATE INDEX temp."_mappingkit_old_text" ON "_mappingkit_old"("text", "number");
            CREATE TABLE \(new)("seed", "text", "number");
            INSERT INTO \(new) SELECT "seed", "text", row_number() OVER (PARTITION BY "text" ORDER BY "seed") \
            FROM (SELECT s."_id" AS "seed", \(text(seeds)) AS "text" FROM \(seedTable(entity)) AS s \
            WHERE 1\(isIdentified.map { " AND NOT (\($0))" } ?? ""));
            INSERT OR IGNORE INTO \(map(entity)) SELECT n."seed", o."row", o."kind", o."base" FROM \(new) AS n \
            CROSS JOIN \(old) AS o ON o."text" = n."text" AND o."number" = n."number";
            DROP TABLE \(old); DROP TABLE \(new)
            """)
    }
}
