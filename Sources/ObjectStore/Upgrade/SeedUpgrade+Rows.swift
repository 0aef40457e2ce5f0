/// Removes, inserts and updates rows.
extension SeedUpgrade {
    private static let batchSize = 10_000

    // MARK: Removing

    /// Selects the rows that the new seed no longer has, except those that the user has changed or refers to.
    mutating func selectRemovedRows() throws(StoreError) {
        for entity in entities where lastRow(entity) > 0 {
            let base = baseColumns(entity)
            let isChanged = zip(columns(entity), base).filter { $1 != "NULL" }.map { "e.\($0) IS NOT b.\($1)" }
            try database.execute(
                """
                INSERT INTO \(gone(entity)) SELECT e."_id" FROM \(entity.table) AS e \
                WHERE e."_id" BETWEEN 1 AND \(lastRow(entity)) \
                AND NOT EXISTS (SELECT 1 FROM \(map(entity)) WHERE "row" = e."_id") \
                AND NOT EXISTS (SELECT 1 FROM \(SeededValues.table) AS b WHERE b."row" = e."_id" \
                AND b."table" = \(Self.literal(entity.name)) \
                AND (\((["b.\(SeededValues.isOwn)"] + isChanged).joined(separator: " OR "))))
                """)
        }
        for entity in entities { try keepReferredRows(of: entity) }
        for entity in entities where lastRow(entity) > 0 {
            let left = try database.prepare(
                """
                SELECT e."_id" FROM \(entity.table) AS e WHERE e."_id" BETWEEN 1 AND \(lastRow(entity)) \
                AND NOT \(isOwn("e.\"_id\"", entity)) AND NOT EXISTS (SELECT 1 FROM \(map(entity)) WHERE "row" = e."_id") \
                AND e."_id" NOT IN (SELECT "row" FROM \(gone(entity)))
                """
            ).rows([])
            for row in left { note(.removedFromSeed, row[0].integer ?? 0, entity) }
        }
    }

    /// Removes the selected rows, and what still refers to them.
    mutating func removeRows() throws(StoreError) {
        var deletion = RowDeletion(store, connection)
        for entity in entities {
            let rows = try connection.database.prepare("SELECT \"row\" FROM \(gone(entity))").rows([]).compactMap(
                \.[0].integer)
            report.entities[entity.index].removed = rows.count
            for start in stride(from: 0, to: rows.count, by: Self.batchSize) {
                try deletion.delete(Array(rows[start..<min(start + Self.batchSize, rows.count)]), of: entity)
            }
        }
    }

    /// Keeps rows to which rows refer that the user has added or changed.
    private func keepReferredRows(of entity: StoredEntity) throws(StoreError) {
        guard try database.integer("SELECT EXISTS (SELECT 1 FROM \(gone(entity)))") != 0 else { return }
        for reference in store.references(to: entity) {
            guard let (other, index) = reference.toOne, let place = other.position(of: .relationship(index)) else {
                continue
            }
            let row = "\(other.table).\"_id\""
            let isMapped = "EXISTS (SELECT 1 FROM \(map(other)) WHERE \"row\" = \(row))"
            let base = baseColumns(other)[place]
            let isChanged = "\(base == "NULL" ? "NULL" : "b.\(base)") IS NOT \(other.table).\(reference.column)"
            try database.execute(
                """
                DELETE FROM \(gone(entity)) WHERE "row" IN (SELECT \(reference.column) FROM \(other.table) \
                WHERE \(reference.column) IS NOT NULL AND \(row) NOT IN (SELECT "row" FROM \(gone(other))) \
                AND (\(row) > \(lastRow(other)) OR EXISTS (SELECT 1 FROM \(SeededValues.table) AS b \
                WHERE b."row" = \(row) AND b."table" = \(Self.literal(other.name)) \
                AND (b.\(SeededValues.isOwn) OR \(isChanged) OR NOT \(isMapped)))))
                """)
        }
        for owner in entities {
            for relationship in owner.relationships {
                guard let list = relationship.linkTable, list.isOwner else { continue }
                let columns =
                    (owner === entity ? ["\"owner\""] : [])
                    + (relationship.destination == entity.index ? ["\"target\""] : [])
                for column in columns {
                    try database.execute(
                        """
                        DELETE FROM \(gone(entity)) WHERE "row" IN (SELECT l.\(column) FROM \(list.name) AS l \
                        WHERE \(isOwn("l.\"owner\"", owner)) OR EXISTS (SELECT 1 FROM \(SeededValues.table) AS b \
                        WHERE b."row" = l."owner" AND b."table" = \(Self.literal(list.table)) \
                        AND l."target" NOT IN (SELECT value FROM json_each(b."v1"))))
                        """)
                }
            }
        }
    }

    // MARK: Rows without changes of the user

    func insertRows(of entity: StoredEntity) throws(StoreError) {
        try database.execute(
            """
            INSERT INTO \(entity.table)(\((["\"_id\""] + columns(entity)).joined(separator: ", "))) \
            SELECT \((["m.\"row\""] + seedValues(entity)).joined(separator: ", ")) FROM \(map(entity)) AS m \
            CROSS JOIN \(seedTable(entity)) AS s ON s."_id" = m."seed" WHERE m."kind" = 4 ORDER BY m."seed"
            """)
    }

    mutating func updateUnchangedRows(of entity: StoredEntity) throws(StoreError) {
        let (columns, seeds) = (columns(entity), seedValues(entity))
        guard !columns.isEmpty else { return }
        let isChanged = zip(columns, seeds).map { "e.\($0) IS NOT \($1)" }.joined(separator: " OR ")
        let changed = "temp.\"_mappingkit_changed\""
        try database.execute(
            """
            CREATE TABLE \(changed)("row" INTEGER PRIMARY KEY, "seed" INTEGER);
            INSERT INTO \(changed) SELECT m."row", m."seed" FROM \(map(entity)) AS m \
            CROSS JOIN \(entity.table) AS e ON e."_id" = m."row" CROSS JOIN \(seedTable(entity)) AS s ON s."_id" = m."seed" \
            WHERE m."kind" = 0 AND (\(isChanged))
            """)
        try database.run(
            """
            UPDATE \(entity.table) SET (\(columns.joined(separator: ", "))) = (SELECT \(seeds.joined(separator: ", ")) \
            FROM \(changed) AS c CROSS JOIN \(seedTable(entity)) AS s ON s."_id" = c."seed" \
            WHERE c."row" = \(entity.table)."_id") WHERE "_id" IN (SELECT "row" FROM \(changed))
            """)
        try database.execute(
            "INSERT OR IGNORE INTO \(written(entity)) SELECT \"row\" FROM \(changed); DROP TABLE \(changed)")
    }

    // MARK: Rows with changes of the user

    /// A seeded row that the user has changed or deleted, or a row of the user with the identity of a new one.
    private struct ChangedRow {
        let row: Int64
        let kind: Int64
        /// The row of the kept values.
        let base: Int64?
        let seed: Int64
    }

    mutating func mergeChangedRows(of entity: StoredEntity) throws(StoreError) {
        let rows = try database.prepare(
            """
            SELECT "row", "kind", "base", "seed" FROM \(map(entity)) WHERE "kind" IN (1, 2, 3, 5) ORDER BY "seed"
            """
        ).rows([]).map {
            ChangedRow(row: $0[0].integer ?? 0, kind: $0[1].integer ?? 0, base: $0[2].integer, seed: $0[3].integer ?? 0)
        }
        guard !rows.isEmpty else { return }
        let (columns, base, name) = (columns(entity), baseColumns(entity), Self.literal(entity.name))
        let list = { (values: [String]) in values.isEmpty ? "NULL" : values.joined(separator: ", ") }
        let seeds = try database.prepare(
            "SELECT \(list(seedValues(entity, keepsDeleted: true) + seedValues(entity))) FROM \(seedTable(entity)) AS s "
                + "WHERE s.\"_id\" = ?")
        let current = try database.prepare("SELECT \(list(columns)) FROM \(entity.table) WHERE \"_id\" = ?")
        let bases = try database.prepare(
            "SELECT \(list(base)) FROM \(SeededValues.table) WHERE \"row\" = ? AND \"table\" = \(name)")
        let defaults =
            entity.description.attributes.map { $0.storedDefault ?? .null } + entity.toOnes.map { _ in .null }
        for changed in rows {
            guard changed.kind != 5 else {
                report.entities[entity.index].deleted += 1
                note(.identityTaken, changed.row, entity)
                continue
            }
            guard let new = try seeds.rows([.integer(changed.seed)]).first else { continue }
            let (known, values) = (Array(new.prefix(columns.count)), Array(new.suffix(columns.count)))
            let old = try changed.base.flatMap { row throws(StoreError) in
                try bases.rows([.integer(row)]).first.map { withRecreated($0, entity) }
            }
            guard changed.kind != 2 else {
                report.entities[entity.index].deleted += 1
                // What a step of a migration would have changed cannot be compared.
                let isChanged = zip(old ?? [], known).contains { $0 != SeededValues.unknown && $0 != $1 }
                if isChanged { note(.deletedByUser, changed.row, entity) }
                try keep(known, of: changed.row, entity)
                continue
            }
            guard let user = try current.rows([.integer(changed.row)]).first else { continue }
            var written: [Int] = []
            for index in columns.indices where user[index] != known[index] {
                let base = old.flatMap { $0[index] == SeededValues.unknown ? nil : $0[index] }
                // A row of the user has defaults that nobody has set.
                let isUnchanged = user[index] == base ?? .null || base == nil && user[index] == defaults[index]
                if isUnchanged {
                    if user[index] != values[index] { written.append(index) }
                    continue
                }
                guard base != known[index] else { continue }
                note(
                    .changedValue, changed.row, entity, entity.name(of: entity.property(ofColumn: index)), base: base,
                    user: user[index], seed: known[index])
                if policy == .seedWins { written.append(index) }
            }
            if !written.isEmpty {
                try noteWritten(changed.row, entity)
                try database.run(
                    entity.update(of: written.map { columns[$0] }), written.map { values[$0] } + [.integer(changed.row)]
                )
            }
            if let row = changed.base { try forget(row, entity.name) }
            let final = try current.rows([.integer(changed.row)]).first ?? []
            guard final != known else {
                try forget(changed.row, entity.name)
                continue
            }
            report.entities[entity.index].kept += 1
            try keep(known, of: changed.row, entity)
        }
    }

    /// Returns kept values with the rows of objects that the user has created again.
    private func withRecreated(_ values: [StoredValue], _ entity: StoredEntity) -> [StoredValue] {
        var values = values
        for (place, index) in entity.toOnes.enumerated() {
            let position = entity.columnNames.count + place
            guard let row = values[position].integer,
                let new = recreated[entity.relationships[index].destination]?[row]
            else { continue }
            values[position] = .integer(new)
        }
        return values
    }

    /// Keeps the values of a row in the new seed.
    private func keep(_ values: [StoredValue], of row: Int64, _ entity: StoredEntity) throws(StoreError) {
        let base = baseColumns(entity)
        let kept = base.indices.filter { base[$0] != "NULL" }
        let names = (["\"table\"", "\"row\""] + kept.map { base[$0] }).joined(separator: ", ")
        try connection.run(
            "INSERT OR REPLACE INTO \(SeededValues.table)(\(names)) VALUES(?, ?\(String(repeating: ", ?", count: kept.count)))",
            [.text(entity.name), .integer(row)] + kept.map { values[$0] })
    }

    func forget(_ row: Int64, _ table: String) throws(StoreError) {
        try connection.run(
            "DELETE FROM \(SeededValues.table) WHERE \"row\" = ? AND \"table\" = ?", [.integer(row), .text(table)])
    }
}
