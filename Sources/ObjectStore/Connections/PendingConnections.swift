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

    private let store: any StoredEntities
    private let connection: StoreConnection
    /// The relationships with unresolved connections, as far as known.
    private var isPending: [[Bool?]]
    /// The last row of the table.
    private var last: Int64?

    init(_ store: any StoredEntities, _ connection: StoreConnection) {
        self.store = store
        self.connection = connection
        isPending = store.entities.map { Array(repeating: nil, count: $0.relationships.count) }
    }

    /// Of more rows that are connected by one statement, the numbers are not read.
    private static let listedRows = 10_000
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

    /// Whether a relationship is known to be resolved for all rows.
    func isResolved(_ relationship: Int, ofEntityAt index: Int) -> Bool { isPending[index][relationship] == false }

    /// Whether a relationship of a row is unresolved.
    mutating func isWaiting(_ source: RowRelationship) throws(StoreError) -> Bool {
        guard try isPending(Kind(entity: source.entity, index: source.index)) else { return false }
        return try connection.integer("SELECT 1 FROM \(Self.ofRow) LIMIT 1", source.key) != nil
    }

    /// Makes a relationship wait for targets with these identities, and for no others.
    ///
    /// - Returns: Whether the keys changed.
    ///
    /// - Parameter names: The unique attributes of the targets that the keys belong to; empty for their identity.
    @discardableResult mutating func wait(
        _ source: RowRelationship, for keys: [[StoredValue]], matching names: [String] = [], isNew: Bool = false
    ) throws(StoreError) -> Bool {
        let mayWait = isNew ? false : try isPending(Kind(entity: source.entity, index: source.index))
        guard mayWait || !keys.isEmpty else { return false }
        if mayWait {
            let known = try connection.cached("SELECT \"key\" FROM \(Self.ofRow) ORDER BY rowid").rows(source.key)
            var texts: [[StoredValue]] = []
            for key in keys {
                texts += try connection.cached("SELECT \(Self.text(of: key, matching: names))").rows(key)
            }
            guard known != texts else { return false }
            try remove(source)
        }
        guard !keys.isEmpty else { return true }
        isPending[source.entity.index][source.index] = true
        for key in keys {
            let row = try RowMarks.next(after: lastRow(), in: "_mappingkit_pending")
            try connection.run(
                #"INSERT INTO "_mappingkit_pending"("key", rowid, "entity", "row", "relationship") "#
                    + "VALUES(\(Self.text(of: key, matching: names)), ?, ?, ?, ?)", key + [.integer(row)] + source.key)
            last = row
        }
        return true
    }

    /// The JSON of a key, whose values are the first parameters of a statement.
    private static func text(of key: [StoredValue], matching names: [String]) -> String {
        StoredEntity.pendingKey(matching: names, key.indices.map { "?\($0 + 1)" })
    }

    /// Makes rows wait again for targets that will be deleted, if their keys are those of the targets.
    ///
    /// - Parameter rows: The rows of the targets, as a JSON array.
    func requeue(for rows: StoredValue, of target: StoredEntity) throws(StoreError) {
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated()
            where relationship.destination == target.index {
                for key in relationship.keys {
                    let values = values(of: target, key.matching)
                    try connection.run(
                        """
                        INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key") \
                        SELECT ?1, "_mappingkit_source"."_id", ?2, \
                        \(StoredEntity.pendingKey(matching: key.matching, values)) \
                        FROM json_each(?3) AS "_mappingkit_deleted" CROSS JOIN \(target.table) AS "_mappingkit_target" \
                        ON "_mappingkit_target"."_id" = "_mappingkit_deleted".value \
                        \(holders(of: Kind(entity: entity, index: index), target)) \
                        WHERE \(isKey(key, of: entity, index, values))
                        """,
                        [.text(entity.name), .text(relationship.name), rows] + key.conditions.map(\.value))
                }
            }
        }
    }

    /// The columns of targets with the values of unique attributes; without attributes, of the identity.
    private func values(of target: StoredEntity, _ names: [String]) -> [String] {
        target.columns(matching: names).map { "\"_mappingkit_target\".\($0)" }
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
            guard let list = relationship.linkTable else { return "" }
            return """
                CROSS JOIN \(list.name) AS "_mappingkit_link" ON "_mappingkit_link".\(list.target) = \(row) \
                CROSS JOIN \(source) ON "_mappingkit_source"."_id" = "_mappingkit_link".\(list.source)
                """
        }
    }

    /// Whether a key of a row is an identity, or the list of keys contains it; the values of its conditions are arguments.
    private func isKey(
        _ key: StoredEntity.Key, of entity: StoredEntity, _ index: Int, _ identity: [String]
    ) -> String {
        func column(_ attribute: Int) -> String { "\"_mappingkit_source\".\(entity.columnNames[attribute])" }
        let pairs = zip(key.attributes, identity).map { attribute, part in
            entity.relationships[index].isToMany
                ? "EXISTS (SELECT 1 FROM json_each(\(column(attribute))) WHERE value = \(part))"
                : "\(column(attribute)) = \(part)"
        }
        let conditions = key.conditions.enumerated().map { "\(column($1.attribute)) IS ?\($0 + 4)" }
        return (pairs + conditions).joined(separator: " AND ")
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
    ///   - isIncluded: Selects relationships. Defaults to all.
    ///   - didConnect: Receives each relationship that was connected, and its target; `nil` for counts only.
    @discardableResult mutating func connect(
        to targets: [Int: [ClosedRange<Int64>]], with relationships: inout RelationshipWriter,
        countingAfter before: Int64 = .max, where isIncluded: (StoredEntity.Relationship) -> Bool = { _ in true },
        didConnect: ((RowRelationship, Int64) -> Void)? = nil
    ) throws(StoreError) -> Counts {
        var counts = Counts()
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated() where isIncluded(relationship) {
                let kind = Kind(entity: entity, index: index)
                guard let rows = targets[relationship.destination], try isPending(kind) else { continue }
                for names in [[]] + store.entities[relationship.destination].uniqueAttributes {
                    let count = try connect(
                        kind, to: rows, matching: names, with: &relationships, countingAfter: before, didConnect)
                    counts.found[entity.index, default: 0] += count.found
                    counts.connected[entity.index, default: 0] += count.connected
                }
            }
        }
        return counts
    }

    private func connect(
        _ kind: Kind, to targets: [ClosedRange<Int64>], matching names: [String],
        with relationships: inout RelationshipWriter, countingAfter before: Int64,
        _ didConnect: ((RowRelationship, Int64) -> Void)?
    ) throws(StoreError) -> (connected: Int, found: Int) {
        let relationship = kind.entity.relationships[kind.index]
        let destination = store.entities[relationship.destination]
        let ranges = targets.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",")
        let arguments: [StoredValue] = [.text("[\(ranges)]"), .text(kind.entity.name), .text(relationship.name)]
        let arrivals = arrivals(of: kind, at: destination, names)
        if relationship.isPlainColumn(in: store.entities) {
            return try connectColumn(kind, arrivals, arguments, countingAfter: before, &relationships, didConnect)
        }
        let isOneToOne = kind.of(0).inverse(of: 0, in: store).map { !$0.isToMany && !kind.of(0).isToMany } ?? false
        // If several rows have the same target in a one-to-one relationship, the last one is connected, as in a seed.
        // Sorting reads all arrivals before the first one is connected.
        let statement = try connection.cached("SELECT \(arrivals) ORDER BY 2\(isOneToOne ? " DESC" : "")")
        try statement.bind(arguments)
        defer { statement.reset() }
        var (connected, found) = (0, 0)
        while try statement.step() {
            let (row, number, target) = (statement.integer(at: 0), statement.integer(at: 1), statement.integer(at: 2))
            if number > before { found += 1 }
            guard try connect(kind.of(row), to: target, number, isOneToOne, &relationships) else { continue }
            connected += 1
            didConnect?(kind.of(row), target)
        }
        return (connected, found)
    }

    /// Sets a column on which no other table depends, in one statement for all rows.
    private func connectColumn(
        _ kind: Kind, _ arrivals: String, _ arguments: [StoredValue], countingAfter before: Int64,
        _ relationships: inout RelationshipWriter, _ didConnect: ((RowRelationship, Int64) -> Void)?
    ) throws(StoreError) -> (connected: Int, found: Int) {
        let (table, column) = (kind.entity.table, kind.entity.relationships[kind.index].column)
        try connection.run(
            """
            CREATE TEMP TABLE IF NOT EXISTS "_mappingkit_arrived"("row" INTEGER PRIMARY KEY, "pending" INTEGER, \
            "target" INTEGER)
            """)
        try connection.run(#"DELETE FROM temp."_mappingkit_arrived""#)
        // In the order of the rows. Of alternative keys the first one is used.
        try connection.run(
            #"INSERT OR IGNORE INTO temp."_mappingkit_arrived" SELECT \#(arrivals) ORDER BY 1, 2"#, arguments)
        let arrived = connection.database.changes
        guard arrived > 0 else { return (0, 0) }
        let found = try connection.integer(
            #"SELECT count(*) FROM temp."_mappingkit_arrived" WHERE "pending" > ?"#, [.integer(before)])
        let isListed = didConnect != nil || arrived <= Self.listedRows
        // The sign prevents SQLite from searching for null in the index of the column.
        let statement = try connection.cached(
            """
            UPDATE \(table) SET \(column) = (SELECT "target" FROM temp."_mappingkit_arrived" \
            WHERE "row" = \(table)."_id") \
            WHERE "_id" IN (SELECT "row" FROM temp."_mappingkit_arrived") AND +\(column) IS NULL \
            \(!isListed ? "" : "RETURNING \"_id\", \(column)")
            """)
        defer { statement.reset() }
        while try statement.step() {
            let (source, target) = (kind.of(statement.integer(at: 0)), statement.integer(at: 1))
            relationships.didConnect(source, to: target)
            didConnect?(source, target)
        }
        let connected = connection.database.changes
        if !isListed, connected > 0 { relationships.didConnectAll(of: kind.entity, kind.index) }
        let bounds = try connection.rows(
            #"SELECT min(rowid) FROM "_mappingkit_pending" UNION ALL SELECT max(rowid) FROM "_mappingkit_pending""#, [])
        if bounds.count == 2, bounds[1] - bounds[0] < Int64(arrived) {
            // All rows: SQLite drops the pages without reading the rows.
            try connection.run(#"DELETE FROM "_mappingkit_pending""#)
        } else {
            // Alternative keys have several rows.
            try connection.run(
                """
                DELETE FROM "_mappingkit_pending" WHERE rowid IN (SELECT "_mappingkit_waiting".rowid \
                FROM temp."_mappingkit_arrived" CROSS JOIN "_mappingkit_pending" AS "_mappingkit_waiting" \
                ON "_mappingkit_waiting"."entity" = ?1 AND "_mappingkit_waiting"."relationship" = ?2 \
                AND "_mappingkit_waiting"."row" = "_mappingkit_arrived"."row")
                """, [arguments[1], arguments[2]])
        }
        return (connected, Int(found ?? 0))
    }

    /// Selects the connections that wait for the rows of targets, which are ranges in a JSON array: the waiting row, the row
    /// of the table, and the target.
    private func arrivals(of kind: Kind, at destination: StoredEntity, _ names: [String]) -> String {
        let key = StoredEntity.pendingKey(matching: names, values(of: destination, names))
        return """
            "_mappingkit_waiting"."row", "_mappingkit_waiting".rowid, "_mappingkit_target"."_id" \
            FROM json_each(?1) AS "_mappingkit_range" \
            CROSS JOIN \(destination.table) AS "_mappingkit_target" ON "_mappingkit_target"."_id" BETWEEN \
            json_extract("_mappingkit_range".value, '$[0]') AND json_extract("_mappingkit_range".value, '$[1]') \
            CROSS JOIN "_mappingkit_pending" AS "_mappingkit_waiting" \
            ON "_mappingkit_waiting"."entity" = ?2 AND "_mappingkit_waiting"."relationship" = ?3 \
            AND "_mappingkit_waiting"."key" = \(key)
            """
    }

    /// Connects a row whose relationship is more than a column.
    ///
    /// - Parameter number: The row of the table of pending connections.
    /// - Returns: Whether it is connected now and was not before.
    private func connect(
        _ source: RowRelationship, to target: Int64, _ number: Int64, _ isOneToOne: Bool,
        _ relationships: inout RelationshipWriter
    ) throws(StoreError) -> Bool {
        // Others may have deleted the row.
        guard try exists(source) else { return false }
        let position = try freePosition(in: source, before: number)
        let isConnected = try relationships.connect(source, to: target, at: position)
        if source.isToMany {
            try connection.run(#"DELETE FROM "_mappingkit_pending" WHERE rowid = ?"#, [.integer(number)])
        } else if isConnected || !isOneToOne {
            try remove(source)
        }
        return isConnected
    }

    private func exists(_ source: RowRelationship) throws(StoreError) -> Bool {
        try connection.integer("SELECT 1 FROM \(source.entity.table) WHERE \"_id\" = ?", [.integer(source.row)]) != nil
    }

    /// Returns the position in a list for a key: missing targets leave gaps, in the order of their keys.
    private func freePosition(in source: RowRelationship, before number: Int64) throws(StoreError) -> Int? {
        guard source.hasPositions, let list = source.relationship.linkTable else { return nil }
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
    func isPlainColumn(in entities: [StoredEntity]) -> Bool {
        guard case .column = storage else { return false }
        guard let inverse else { return true }
        if case .inverseColumn = entities[destination].relationships[inverse].storage { return true }
        return false
    }
}
