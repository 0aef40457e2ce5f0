import ObjectMapping

/// Lists, one-to-one relationships, unresolved connections and unique values.
extension SeedUpgrade {
    private static let links = "temp.\"_mappingkit_links\""

    // MARK: Lists

    /// Merges the tables of links.
    mutating func mergeLists() throws(StoreError) {
        for entity in entities {
            for (index, relationship) in entity.relationships.enumerated() {
                guard let list = relationship.linkTable, list.isOwner,
                    let new = seedEntities[entity.index].relationships[index].linkTable
                else { continue }
                try readLinks(new, relationship, entity)
                try replaceUnchangedLists(list, entity)
                try mergeChangedLists(list, entity, recreated[relationship.destination] ?? [:])
                try database.execute("DROP TABLE \(Self.links)")
                guard case .linkTable(_, let inverse) = relationship.storage else { continue }
                try complete(list, entities[relationship.destination], inverse)
            }
        }
    }

    /// Copies the links of the seed with the rows of the file.
    private func readLinks(
        _ list: RelationshipStorage.LinkTable, _ relationship: StoredEntity.Relationship, _ entity: StoredEntity
    ) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE \(Self.links)("owner" INTEGER, "target" INTEGER, "position" INTEGER, "isDeleted" INTEGER, \
            PRIMARY KEY("owner", "target")) WITHOUT ROWID;
            INSERT OR IGNORE INTO \(Self.links) SELECT o."row", t."row", \
            \(list.isOwner ? "l.\"position\"" : "NULL"), t."kind" = 2 FROM \(Self.schema).\(list.name) AS l \
            JOIN \(map(entity)) AS o ON o."seed" = l.\(list.source) AND o."kind" NOT IN (2, 5) \
            JOIN \(map(entities[relationship.destination])) AS t ON t."seed" = l.\(list.target)
            """)
    }

    /// Replaces the lists that the user has not changed.
    private func replaceUnchangedLists(
        _ list: RelationshipStorage.LinkTable, _ entity: StoredEntity
    ) throws(StoreError) {
        func isUnchanged(_ owner: String) -> String {
            "EXISTS (SELECT 1 FROM \(map(entity)) WHERE \"row\" = \(owner) AND \"kind\" IN (0, 1, 4) "
                + "AND coalesce(\"base\", \"row\") = \"row\") "
                + "AND NOT \(hasRecord(owner, list.table))"
        }
        let owner = "\(list.name).\"owner\""
        let isSame = "n.\"owner\" = \(owner) AND n.\"target\" = \(list.name).\"target\" AND NOT n.\"isDeleted\""
        let statements = [
            """
            DELETE FROM \(list.name) WHERE NOT EXISTS (SELECT 1 FROM \(Self.links) AS n WHERE \(isSame)) \
            AND \(isUnchanged(owner))
            """,
            """
            UPDATE \(list.name) SET "position" = (SELECT n."position" FROM \(Self.links) AS n WHERE \(isSame)) \
            WHERE "position" IS NOT (SELECT n."position" FROM \(Self.links) AS n WHERE \(isSame)) \
            AND \(isUnchanged(owner))
            """,
            """
            INSERT OR IGNORE INTO \(list.name)("owner", "target", "position") SELECT n."owner", n."target", n."position" \
            FROM \(Self.links) AS n WHERE NOT n."isDeleted" AND \(isUnchanged("n.\"owner\""))
            """,
        ]
        for sql in statements {
            let statement = try database.prepare(sql + " RETURNING \"owner\"")
            var owners: Set<Int64> = []
            while try statement.step() { owners.insert(statement.integer(at: 0)) }
            for owner in owners { try noteWritten(owner, entity) }
        }
    }

    /// Applies the additions and removals of the seed to lists that the user has changed.
    private mutating func mergeChangedLists(
        _ list: RelationshipStorage.LinkTable, _ entity: StoredEntity, _ recreated: [Int64: Int64]
    ) throws(StoreError) {
        let owners = try database.prepare(
            """
            SELECT m."row", CASE WHEN m."kind" <> 3 THEN b."v1" END FROM \(map(entity)) AS m LEFT JOIN \(SeededValues.table) AS b ON b."row" = m."row" \
            AND b."table" = ? WHERE m."kind" = 3 OR m."kind" IN (0, 1) \
            AND (b."row" IS NOT NULL OR m."base" <> m."row") ORDER BY m."seed"
            """
        ).rows([.text(list.table)])
        guard !owners.isEmpty else { return }
        let current = try database.prepare(
            "SELECT \"target\" FROM \(list.name) WHERE \"owner\" = ? ORDER BY \"position\", \"target\"")
        let links = try database.prepare(
            "SELECT \"target\", \"isDeleted\" FROM \(Self.links) WHERE \"owner\" = ? ORDER BY \"position\", \"target\"")
        for row in owners {
            guard let owner = row[0].integer else { continue }
            let old = (row[1].text.flatMap { try? JSON($0) }?.array ?? []).compactMap(\.int64).map {
                recreated[$0] ?? $0
            }
            let user = try current.rows([row[0]]).compactMap(\.[0].integer)
            let seed = try links.rows([row[0]])
            let new = seed.compactMap(\.[0].integer)
            let usable = seed.filter { $0[1] == .integer(0) }.compactMap(\.[0].integer)
            let (before, after, present) = (Set(old), Set(new), Set(user))
            let merged =
                user == old
                ? usable
                : user.filter { !before.contains($0) || after.contains($0) }
                    + usable.filter { !before.contains($0) && !present.contains($0) }
            if merged != user {
                try noteWritten(owner, entity)
                try connection.run("DELETE FROM \(list.name) WHERE \"owner\" = ?", [row[0]])
                for (position, target) in merged.enumerated() {
                    try connection.run(
                        "INSERT OR REPLACE INTO \(list.name)(\"owner\", \"target\", \"position\") VALUES(?, ?, ?)",
                        [row[0], .integer(target), .integer(Int64(position))])
                }
            }
            if merged == new {
                try forget(owner, list.table)
            } else {
                let text = StoredValue.rows(new[...])
                try connection.run(
                    "INSERT OR REPLACE INTO \(SeededValues.table)(\"table\", \"row\", \"v1\") VALUES(?, ?, ?)",
                    [.text(list.table), row[0], text])
            }
        }
    }

    /// Adapts a list to the columns of its objects: to them belongs each object, in the order of the list.
    private func complete(
        _ list: RelationshipStorage.LinkTable, _ target: StoredEntity, _ inverse: Int
    ) throws(StoreError) {
        let owner = "\(target.table).\(target.relationships[inverse].column)"
        let isSame = "\(target.table).\"_id\" = \(list.name).\"target\" AND \(owner) = \(list.name).\"owner\""
        try database.execute(
            """
            DELETE FROM \(list.name) WHERE NOT EXISTS (SELECT 1 FROM \(target.table) WHERE \(isSame));
            INSERT INTO \(list.name)("owner", "target", "position") SELECT \(owner), \(target.table)."_id", \
            coalesce((SELECT max("position") + 1 FROM \(list.name) WHERE "owner" = \(owner)), 0) \
            - 1 + row_number() OVER (PARTITION BY \(owner) ORDER BY \(target.table)."_id") \
            FROM \(target.table) WHERE \(owner) IS NOT NULL \
            AND NOT EXISTS (SELECT 1 FROM \(list.name) WHERE \(isSame))
            """)
    }

    // MARK: One-to-one relationships

    /// Gives each target of a one-to-one relationship one object, preferably that of the user, and sets the other side.
    func completeOneToOnes() throws(StoreError) {
        for entity in entities {
            for relationship in entity.relationships where relationship.storage == .column {
                let destination = entities[relationship.destination]
                guard let inverse = relationship.inverse, case .mirror = destination.relationships[inverse].storage
                else {
                    continue
                }
                let (column, back) = (relationship.column, destination.relationships[inverse].column)
                func rank(_ alias: String) -> String { "(\(isOfUser("\(alias).\"_id\"", entity)), \(alias).\"_id\")" }
                let holder = "(SELECT o.\"_id\" FROM \(entity.table) AS o WHERE o.\(column) = r.\"_id\")"
                try database.execute(
                    """
                    UPDATE \(entity.table) AS r SET \(column) = NULL WHERE \(column) IS NOT NULL AND EXISTS \
                    (SELECT 1 FROM \(entity.table) AS o WHERE o.\(column) = r.\(column) AND \(rank("o")) > \(rank("r")));
                    UPDATE \(destination.table) AS r SET \(back) = \(holder) WHERE r.\(back) IS NOT \(holder)
                    """)
            }
        }
    }

    // MARK: Unresolved connections

    /// Replaces the unresolved connections of rows that the user has not changed, and sets those to new rows.
    func connectPending() throws(StoreError) {
        let pending = #""_mappingkit_pending""#
        for entity in entities {
            let name = Self.literal(entity.name)
            try database.execute(
                """
                DELETE FROM \(pending) WHERE "entity" = \(name) AND "row" IN (SELECT "row" FROM \(map(entity)) \
                WHERE "kind" = 0);
                INSERT INTO \(pending)("entity", "row", "relationship", "key") SELECT p."entity", m."row", \
                p."relationship", p."key" FROM \(Self.schema).\(pending) AS p CROSS JOIN \(map(entity)) AS m \
                ON m."seed" = p."row" WHERE p."entity" = \(name) AND m."kind" IN (0, 4) ORDER BY p.rowid
                """)
        }
        var rows: [Int: [ClosedRange<Int64>]] = [:]
        for entity in entities where !entity.identity.isEmpty {
            let bounds = try database.prepare(
                "SELECT min(\"row\"), max(\"row\") FROM \(map(entity)) WHERE \"kind\" = 4"
            )
            .rows([])
            if let first = bounds.first?[0].integer, let last = bounds.first?[1].integer {
                rows[entity.index] = [first...last]
            }
        }
        guard !rows.isEmpty else { return }
        var (connections, relationships) = (
            PendingConnections(store, connection), RelationshipWriter(store, connection)
        )
        try connections.connect(to: rows, with: &relationships)
    }

    // MARK: Unique values

    /// Drops unique indexes, because two rows can exchange their values.
    func dropUniqueIndexes() throws(StoreError) -> [(sql: String, entity: StoredEntity, names: [String])] {
        var dropped: [(sql: String, entity: StoredEntity, names: [String])] = []
        for entity in entities {
            for names in entity.description.uniqueSets {
                let index = ObjectIndex(attributes: names, isUnique: true)
                try database.execute("DROP INDEX IF EXISTS \(Schema.name(of: index, of: entity.description))")
                dropped.append((Schema.index(index, of: entity.description), entity, names))
            }
        }
        return dropped
    }

    /// Creates unique indexes again; of two rows with equal values, that of the user keeps them.
    mutating func restore(
        _ indexes: [(sql: String, entity: StoredEntity, names: [String])]
    ) throws(StoreError) {
        for (sql, entity, names) in indexes {
            do throws(StoreError) {
                try database.execute(sql)
            } catch  where error.kind == .constraint {
                try clearTakenValues(of: names, entity)
                try database.execute(sql)
            }
        }
    }

    private mutating func clearTakenValues(of names: [String], _ entity: StoredEntity) throws(StoreError) {
        let columns = names.map(Schema.quoted)
        let isSame = columns.map { "o.\($0) = r.\($0)" }.joined(separator: " AND ")
        func rank(_ alias: String) -> String { "(\(isOfUser("\(alias).\"_id\"", entity)), -\(alias).\"_id\")" }
        let rows = try database.prepare(
            """
            SELECT r."_id", r.\(columns[0]) FROM \(entity.table) AS r WHERE EXISTS \
            (SELECT 1 FROM \(entity.table) AS o WHERE \(isSame) AND \(rank("o")) > \(rank("r")))
            """
        ).rows([])
        for row in rows {
            guard let number = row[0].integer else { continue }
            note(.uniqueValueTaken, number, entity, names[0], seed: row[1])
            try connection.run(entity.update(of: [columns[0]]), [.null, row[0]])
        }
    }
}
