/// Unresolved connections, in a transaction: the table `_mappingkit_pending`.
///
/// Every statement uses an index: the cost depends on the written rows, not on the number of unresolved connections.
struct PendingConnections {
    /// A relationship of an entity.
    struct Kind {
        let entity: StoredEntity
        let index: Int

        fileprivate func of(_ row: Int64) -> RowRelationship { RowRelationship(entity: entity, index: index, row: row) }
    }

    private let store: ManagedObjectStore
    private let connection: StoreConnection
    /// The relationships with unresolved connections, as far as known.
    private var isPending: [[Bool?]]
    /// The last row of the table.
    private var last: Int64?

    init(_ store: ManagedObjectStore, _ connection: StoreConnection) {
        self.store = store
        self.connection = connection
        isPending = store.entities.map { Array(repeating: nil, count: $0.relationships.count) }
    }

    private static let ofRow = #""_mappingkit_pending" WHERE "entity" = ? AND "row" = ? AND "relationship" = ?"#

    /// The number of the last unresolved connection; new ones have higher numbers.
    mutating func lastRow() throws(StoreError) -> Int64 {
        if let last { return last }
        let found = try connection.integer(#"SELECT max(rowid) FROM "_mappingkit_pending""#) ?? 0
        last = found
        return found
    }

    // MARK: Rows that wait

    /// Whether any row has an unresolved connection for a relationship.
    private mutating func isPending(_ kind: Kind) throws(StoreError) -> Bool {
        let index = kind.entity.index
        if let known = isPending[index][kind.index] { return known }
        let found = try connection.integer(
            #"SELECT 1 FROM "_mappingkit_pending" WHERE "entity" = ? AND "relationship" = ? LIMIT 1"#,
            [.text(kind.entity.name), .text(kind.entity.relationships[kind.index].name)])
        isPending[index][kind.index] = found != nil
        return found != nil
    }

    /// Whether a relationship of a row is unresolved.
    mutating func isWaiting(_ source: RowRelationship) throws(StoreError) -> Bool {
        guard try isPending(Kind(entity: source.entity, index: source.index)) else { return false }
        return try connection.integer("SELECT 1 FROM \(Self.ofRow) LIMIT 1", source.key) != nil
    }

    /// Makes a relationship wait for targets with these identities, and for no others.
    ///
    /// - Returns: Whether the keys changed.
    @discardableResult mutating func wait(
        _ source: RowRelationship, for keys: [[StoredValue]], isNew: Bool = false
    ) throws(StoreError) -> Bool {
        let mayWait = isNew ? false : try isPending(Kind(entity: source.entity, index: source.index))
        guard mayWait || !keys.isEmpty else { return false }
        var texts: [StoredValue] = []
        for key in keys {
            let parameters = repeatElement("?", count: key.count).joined(separator: ", ")
            texts += try connection.cached("SELECT json_array(\(parameters))").rows(key).map { $0[0] }
        }
        if mayWait {
            let known = try connection.cached("SELECT \"key\" FROM \(Self.ofRow) ORDER BY rowid").rows(source.key)
            guard known != texts.map({ [$0] }) else { return false }
            try remove(source)
        }
        guard !texts.isEmpty else { return true }
        isPending[source.entity.index][source.index] = true
        for text in texts {
            let row = try lastRow() + 1
            try connection.run(
                #"INSERT INTO "_mappingkit_pending"(rowid, "entity", "row", "relationship", "key") VALUES(?, ?, ?, ?, ?)"#,
                [.integer(row)] + source.key + [text])
            last = row
        }
        return true
    }

    /// Makes rows wait again for targets that will be deleted, if their keys are those of the targets.
    ///
    /// - Parameter rows: The rows of the targets, as a JSON array.
    func waitAgain(for rows: StoredValue, of target: StoredEntity) throws(StoreError) {
        let identity = target.identityColumns.map { "\"_mappingkit_target\".\(target.columnNames[$0])" }
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated()
            where relationship.destination == target.index {
                for keys in relationship.keys {
                    try connection.run(
                        """
                        INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key") \
                        SELECT ?1, "_mappingkit_source"."_id", ?2, json_array(\(identity.joined(separator: ", "))) \
                        FROM json_each(?3) AS "_mappingkit_deleted" CROSS JOIN \(target.table) AS "_mappingkit_target" \
                        ON "_mappingkit_target"."_id" = "_mappingkit_deleted".value \
                        \(holders(of: Kind(entity: entity, index: index), target)) \
                        WHERE \(isKey(keys, of: entity, index, identity))
                        """, [.text(entity.name), .text(relationship.name), rows])
                }
            }
        }
    }

    /// Joins the rows whose relationship has a target.
    private func holders(of kind: Kind, _ target: StoredEntity) -> String {
        let (source, row) = ("\(kind.entity.table) AS \"_mappingkit_source\"", "\"_mappingkit_target\".\"_id\"")
        let relationship = kind.entity.relationships[kind.index]
        switch relationship.storage {
        case .column, .mirror: return "CROSS JOIN \(source) ON \"_mappingkit_source\".\(relationship.column) = \(row)"
        case .inverseColumn(let inverse):
            let column = target.relationships[relationship.inverse ?? inverse].column
            return "CROSS JOIN \(source) ON \"_mappingkit_source\".\"_id\" = \"_mappingkit_target\".\(column)"
        case .linkTable, .joinTable:
            guard let list = relationship.storage.linkTable else { return "" }
            return """
                CROSS JOIN \(list.name) AS "_mappingkit_link" ON "_mappingkit_link".\(list.target) = \(row) \
                CROSS JOIN \(source) ON "_mappingkit_source"."_id" = "_mappingkit_link".\(list.source)
                """
        }
    }

    /// Whether the keys of a row are an identity, or the list of keys contains it.
    private func isKey(_ keys: [String], of entity: StoredEntity, _ index: Int, _ identity: [String]) -> String {
        let pairs = zip(keys, identity).map { key, part in
            entity.type.relationships[index].isToMany
                ? "EXISTS (SELECT 1 FROM json_each(\"_mappingkit_source\".\(key)) WHERE value = \(part))"
                : "\"_mappingkit_source\".\(key) = \(part)"
        }
        return pairs.joined(separator: " AND ")
    }

    private func remove(_ source: RowRelationship) throws(StoreError) {
        try connection.run("DELETE FROM \(Self.ofRow)", source.key)
    }

    // MARK: Targets

    /// The numbers of relationships by entity.
    struct Counts {
        /// The relationships that were connected.
        var connected: [Int: Int] = [:]
        /// The relationships whose targets were found.
        var found: [Int: Int] = [:]
    }

    /// Connects the rows that wait for objects.
    ///
    /// - Parameters:
    ///   - targets: Ranges of rows with new identities, by entity.
    ///   - relationships: Sets the relationships.
    ///   - before: The last row of the table whose target is not counted.
    ///   - didConnect: Receives each relationship that was connected, and its target; `nil` for counts only.
    @discardableResult mutating func connect(
        to targets: [Int: [ClosedRange<Int64>]], with relationships: inout RelationshipWriter,
        countingAfter before: Int64 = .max, didConnect: ((RowRelationship, Int64) -> Void)? = nil
    ) throws(StoreError) -> Counts {
        var counts = Counts()
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated() {
                let kind = Kind(entity: entity, index: index)
                guard let rows = targets[relationship.destination], try isPending(kind) else { continue }
                let isPlain = relationship.isPlainColumn(to: store.entities[relationship.destination])
                let count = try find(rows, for: kind, isPlain)
                guard count > 0 else { continue }
                counts.found[entity.index, default: 0] += try arrivedCount(after: before)
                let connected =
                    isPlain
                    ? try connectColumn(kind, of: count, &relationships, didConnect)
                    : try connectEach(kind, &relationships, didConnect)
                counts.connected[entity.index, default: 0] += connected
            }
        }
        return counts
    }

    /// Returns the number of rows in the temporary table that were added to the table after a row.
    private func arrivedCount(after before: Int64) throws(StoreError) -> Int {
        guard before < .max else { return 0 }
        let sql = #"SELECT count(*) FROM temp."_mappingkit_arrived" WHERE "pending" > ?"#
        return Int(try connection.integer(sql, [.integer(before)]) ?? 0)
    }

    /// Lists the rows that wait for these targets in a temporary table, in the order of their rows.
    ///
    /// - Returns: Their number.
    private func find(
        _ targets: [ClosedRange<Int64>], for kind: Kind, _ isPlain: Bool
    ) throws(StoreError) -> Int {
        let destination = store.entities[kind.entity.relationships[kind.index].destination]
        let identity = destination.identityColumns.map { "\"_mappingkit_target\".\(destination.columnNames[$0])" }
        let ranges = targets.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",")
        // An UPDATE skips rows that were deleted by others.
        let isThere = """
            WHERE EXISTS (SELECT 1 FROM \(kind.entity.table) AS "_mappingkit_source" WHERE \
            "_mappingkit_source"."_id" = "_mappingkit_waiting"."row")
            """
        // The types have the affinity of row numbers, without which SQLite does not search the key for a row.
        try connection.run(
            """
            CREATE TEMP TABLE IF NOT EXISTS "_mappingkit_arrived"("row" INTEGER, "pending" INTEGER, "target" INTEGER, \
            PRIMARY KEY("row", "pending")) WITHOUT ROWID
            """)
        try connection.run(#"DELETE FROM temp."_mappingkit_arrived""#)
        try connection.run(
            """
            INSERT INTO temp."_mappingkit_arrived" SELECT "_mappingkit_waiting"."row", "_mappingkit_waiting".rowid, \
            "_mappingkit_target"."_id" FROM json_each(?1) AS "_mappingkit_range" \
            CROSS JOIN \(destination.table) AS "_mappingkit_target" ON "_mappingkit_target"."_id" BETWEEN \
            json_extract("_mappingkit_range".value, '$[0]') AND json_extract("_mappingkit_range".value, '$[1]') \
            CROSS JOIN "_mappingkit_pending" AS "_mappingkit_waiting" \
            ON "_mappingkit_waiting"."entity" = ?2 AND "_mappingkit_waiting"."relationship" = ?3 \
            AND "_mappingkit_waiting"."key" = json_array(\(identity.joined(separator: ", "))) \
            \(isPlain ? "" : isThere)
            """,
            [.text("[\(ranges)]"), .text(kind.entity.name), .text(kind.entity.relationships[kind.index].name)])
        return connection.database.changes
    }

    /// Sets a column on which no other table depends, in one statement for all rows.
    ///
    /// - Parameter count: The number of connections whose targets were found.
    private func connectColumn(
        _ kind: Kind, of count: Int, _ relationships: inout RelationshipWriter,
        _ didConnect: ((RowRelationship, Int64) -> Void)?
    ) throws(StoreError) -> Int {
        let (table, column) = (kind.entity.table, kind.entity.relationships[kind.index].column)
        // The sign prevents SQLite from searching for null in the index of the column.
        let statement = try connection.cached(
            """
            UPDATE \(table) SET \(column) = (SELECT "target" FROM temp."_mappingkit_arrived" \
            WHERE "row" = \(table)."_id" ORDER BY "pending" LIMIT 1) \
            WHERE "_id" IN (SELECT "row" FROM temp."_mappingkit_arrived") AND +\(column) IS NULL \
            \(didConnect == nil ? "" : "RETURNING \"_id\", \(column)")
            """)
        defer { statement.reset() }
        while try statement.step() { didConnect?(kind.of(statement.integer(at: 0)), statement.integer(at: 1)) }
        let connected = connection.database.changes
        relationships.touched.insert(kind.entity.index)
        let bounds = try connection.rows(
            #"SELECT min(rowid) FROM "_mappingkit_pending" UNION ALL SELECT max(rowid) FROM "_mappingkit_pending""#, [])
        if bounds.count == 2, bounds[1] - bounds[0] < Int64(count) {
            // All rows: SQLite drops the pages without reading the rows.
            try connection.run(#"DELETE FROM "_mappingkit_pending""#)
            return connected
        }
        // Alternative keys have several rows.
        try connection.run(
            """
            DELETE FROM "_mappingkit_pending" WHERE rowid IN (SELECT "_mappingkit_waiting".rowid \
            FROM temp."_mappingkit_arrived" CROSS JOIN "_mappingkit_pending" AS "_mappingkit_waiting" \
            ON "_mappingkit_waiting"."entity" = ?1 AND "_mappingkit_waiting"."relationship" = ?2 \
            AND "_mappingkit_waiting"."row" = "_mappingkit_arrived"."row")
            """, [.text(kind.entity.name), .text(kind.entity.relationships[kind.index].name)])
        return connected
    }

    private func connectEach(
        _ kind: Kind, _ relationships: inout RelationshipWriter, _ didConnect: ((RowRelationship, Int64) -> Void)?
    ) throws(StoreError) -> Int {
        var count = 0
        let isOneToOne = kind.of(0).inverse(of: 0, in: store).map { !$0.isToMany && !kind.of(0).isToMany } ?? false
        // If several rows have the same target in a one-to-one relationship, the last one is connected, as in a seed.
        let found = try connection.cached(
            "SELECT \"row\", \"pending\", \"target\" FROM temp.\"_mappingkit_arrived\" ORDER BY \"pending\""
                + (isOneToOne ? " DESC" : "")
        ).rows([])
        for values in found {
            guard let row = values[0].integer, let number = values[1].integer, let target = values[2].integer else {
                continue
            }
            let source = kind.of(row)
            let position = try freePosition(in: source, before: number)
            let isConnected = try relationships.connect(source, to: target, at: position)
            if isConnected {
                count += 1
                didConnect?(source, target)
            }
            if source.isToMany {
                try connection.run(#"DELETE FROM "_mappingkit_pending" WHERE rowid = ?"#, [.integer(number)])
            } else if isConnected || !isOneToOne {
                try remove(source)
            }
        }
        return count
    }

    /// Returns the position in a list for a key: missing targets leave gaps, in the order of their keys.
    private func freePosition(in source: RowRelationship, before number: Int64) throws(StoreError) -> Int? {
        guard source.hasPositions, let list = source.relationship.storage.linkTable else { return nil }
        let earlier = try connection.integer(
            "SELECT count(*) FROM \(Self.ofRow) AND rowid < ?", source.key + [.integer(number)])
        let taken = try connection.rows(
            "SELECT \"position\" FROM \(list.name) WHERE \(list.source) = ? ORDER BY 1", [.integer(source.row)])
        var position = Int(earlier ?? 0)
        for used in taken {
            guard used <= position else { break }
            position += 1
        }
        return position
    }
}

extension StoredEntity.Relationship {
    /// Whether it is stored in its column only: there is no inverse, or the inverse is to-many without an order.
    func isPlainColumn(to destination: StoredEntity) -> Bool {
        guard case .column = storage else { return false }
        guard let inverse else { return true }
        if case .inverseColumn = destination.relationships[inverse].storage { return true }
        return false
    }
}
