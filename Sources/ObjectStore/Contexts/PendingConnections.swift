/// Writes the table of connections whose targets are missing, and connects those whose targets a save writes.
///
/// Every statement searches an index: the cost follows what is saved, not the number of connections that wait.
struct PendingConnections {
    private let writer: SaveWriter
    private let store: ManagedObjectStore
    private let connection: StoreConnection

    init(_ writer: SaveWriter, _ store: ManagedObjectStore, _ connection: StoreConnection) {
        self.writer = writer
        self.store = store
        self.connection = connection
    }

    /// A relationship of a row.
    private struct Source {
        let entity: StoredEntity
        let index: Int
        let row: Int64

        var relationship: StoredEntity.Relationship { entity.relationships[index] }
        /// As the table has it.
        var place: [StoredValue] { [.text(entity.name), .integer(row), .text(relationship.name)] }
        var isToMany: Bool { entity.type.relationships[index].isToMany }
        /// Whether the relationship has a table with the positions of its targets.
        var hasPositions: Bool { relationship.storage.linkTable?.isOwner ?? false }
    }

    private static let ofRow = #""_mappingkit_pending" WHERE "entity" = ? AND "row" = ? AND "relationship" = ?"#

    func update(for batch: SaveBatch, _ outcome: inout SaveBatch.Outcome) throws(StoreError) {
        try removeAssigned(batch.updates)
        for waiting in batch.waiting {
            let row = waiting.row < 0 ? outcome.rows[waiting.row] ?? waiting.row : waiting.row
            let source = Source(entity: store.entities[waiting.entity], index: waiting.relationship, row: row)
            try write(waiting.keys, of: source, &outcome)
        }
        try connectWaiting(for: batch, &outcome)
    }

    /// Relationships to one that were set wait for nothing any more.
    private func removeAssigned(_ updates: [SaveBatch.Update]) throws(StoreError) {
        for update in updates {
            let entity = store.entities[update.entity]
            for cell in update.cells where cell.isRow {
                guard let index = entity.toOnes.first(where: { entity.relationships[$0].column == cell.column }) else {
                    continue
                }
                try connection.run(
                    "DELETE FROM \(Self.ofRow)", Source(entity: entity, index: index, row: update.row).place)
            }
        }
    }

    // MARK: Keys of the payload

    /// Has a relationship wait for the missing ones of its targets, and connects it with those that others have saved
    /// since the payload was read.
    private func write(
        _ keys: [[StoredValue]], of source: Source, _ outcome: inout SaveBatch.Outcome
    ) throws(StoreError) {
        let destination = store.entities[source.relationship.destination]
        var missing: [String] = []
        for (position, key) in keys.enumerated() {
            if let target = try connection.integer(destination.lookup, key) {
                try connect(source, to: target, at: source.hasPositions ? position : nil, &outcome)
            } else {
                let parameters = repeatElement("?", count: key.count).joined(separator: ", ")
                missing += try rows("SELECT json_array(\(parameters))", key).compactMap(\.[0].text)
            }
        }
        let known = try rows("SELECT \"key\" FROM \(Self.ofRow) ORDER BY rowid", source.place).compactMap(\.[0].text)
        guard known != missing else { return }
        try connection.run("DELETE FROM \(Self.ofRow)", source.place)
        for key in missing {
            try connection.run(
                #"INSERT INTO "_mappingkit_pending"("entity", "row", "relationship", "key") VALUES(?, ?, ?, ?)"#,
                source.place + [.text(key)])
        }
    }

    // MARK: Targets

    /// Connects the relationships that wait for rows with a new identity.
    private func connectWaiting(
        for batch: SaveBatch, _ outcome: inout SaveBatch.Outcome
    ) throws(StoreError) {
        let targets = newIdentities(in: batch, outcome)
        for entity in store.entities {
            for (index, relationship) in entity.relationships.enumerated() {
                guard let rows = targets[relationship.destination], try connection.hasPending(entity, relationship)
                else {
                    continue
                }
                try connectWaiting(in: entity, index, for: rows, &outcome)
            }
        }
    }

    /// The rows that have been inserted, or whose identity has been changed, by entity.
    private func newIdentities(in batch: SaveBatch, _ outcome: SaveBatch.Outcome) -> [Int: [Int64]] {
        var rows: [Int: [Int64]] = [:]
        for insertion in batch.insertions {
            guard let row = outcome.rows[insertion.temporary] else { continue }
            rows[insertion.entity, default: []].append(row)
        }
        for update in batch.updates {
            let entity = store.entities[update.entity]
            let columns = entity.identityColumns.map { entity.columnNames[$0] }
            guard update.cells.contains(where: { columns.contains($0.column) }) else { continue }
            rows[update.entity, default: []].append(update.row)
        }
        return rows
    }

    private func connectWaiting(
        in entity: StoredEntity, _ index: Int, for targets: [Int64], _ outcome: inout SaveBatch.Outcome
    ) throws(StoreError) {
        let relationship = entity.relationships[index]
        let destination = store.entities[relationship.destination]
        let isOneToOne = isOneToOne(entity, index)
        let identity = destination.identityColumns.map { "\"_mappingkit_target\".\(destination.columnNames[$0])" }
        // Of several rows that lead to one object of a one-to-one the last one is connected, as in a seed.
        let waiting = try rows(
            """
            SELECT "_mappingkit_waiting".rowid, "_mappingkit_waiting"."row", "_mappingkit_target"."_id" FROM json_each(?1) \
            CROSS JOIN \(destination.table) AS "_mappingkit_target" ON "_mappingkit_target"."_id" = json_each.value \
            CROSS JOIN "_mappingkit_pending" AS "_mappingkit_waiting" \
            ON "_mappingkit_waiting"."entity" = ?2 AND "_mappingkit_waiting"."relationship" = ?3 \
            AND "_mappingkit_waiting"."key" = json_array(\(identity.joined(separator: ", "))) \
            WHERE EXISTS (SELECT 1 FROM \(entity.table) AS "_mappingkit_source" WHERE \
            "_mappingkit_source"."_id" = "_mappingkit_waiting"."row") ORDER BY 1 \(isOneToOne ? "DESC" : "")
            """, [.rows(targets[...]), .text(entity.name), .text(relationship.name)])
        for values in waiting {
            guard let number = values[0].integer, let row = values[1].integer, let target = values[2].integer else {
                continue
            }
            let source = Source(entity: entity, index: index, row: row)
            let position = source.hasPositions ? try freePosition(of: source, before: number) : nil
            let isConnected = try connect(source, to: target, at: position, &outcome)
            if source.isToMany {
                try connection.run(#"DELETE FROM "_mappingkit_pending" WHERE rowid = ?"#, [values[0]])
            } else if isConnected || !isOneToOne {
                // Keys that are alternatives wait in several rows.
                try connection.run("DELETE FROM \(Self.ofRow)", source.place)
            }
        }
    }

    /// The position in a list for a key: missing targets leave gaps, in the order of their keys.
    private func freePosition(of source: Source, before number: Int64) throws(StoreError) -> Int? {
        guard let link = source.relationship.storage.linkTable else { return nil }
        let earlier = try connection.integer(
            "SELECT count(*) FROM \(Self.ofRow) AND rowid < ?", source.place + [.integer(number)])
        let taken = try rows(
            "SELECT \"position\" FROM \(link.name) WHERE \(link.source) = ? ORDER BY 1", [.integer(source.row)])
        var position = Int(earlier ?? 0)
        for values in taken {
            guard let used = values[0].integer, used <= position else { break }
            position += 1
        }
        return position
    }

    // MARK: Links

    private func isOneToOne(_ entity: StoredEntity, _ index: Int) -> Bool {
        let relationship = entity.relationships[index]
        guard !entity.type.relationships[index].isToMany, let inverse = relationship.inverse else { return false }
        return !store.entities[relationship.destination].type.relationships[inverse].isToMany
    }

    /// Connects a row with a target, unless one of them is connected with another row.
    ///
    /// - Parameter position: The position in the list of the relationship, if the list has positions.
    /// - Returns: Whether it was not connected before and is now.
    @discardableResult private func connect(
        _ source: Source, to target: Int64, at position: Int?, _ outcome: inout SaveBatch.Outcome
    ) throws(StoreError) -> Bool {
        let (relationship, destination) = (source.relationship, store.entities[source.relationship.destination])
        let isNew: Bool
        switch relationship.storage {
        case .column, .mirror:
            if let inverse = relationship.inverse, isOneToOne(source.entity, source.index) {
                guard try value(source.entity, source.index, source.row) == .null,
                    try fill(destination, inverse, target, source.row)
                else { return false }
            }
            isNew = try fill(source.entity, source.index, source.row, target)
            if isNew, let inverse = relationship.inverse,
                let list = destination.relationships[inverse].storage.linkTable
            {
                let owner = Source(entity: destination, index: inverse, row: target)
                try link(owner, to: source.row, in: list, at: nil, isUnique: true)
            }
        case .inverseColumn, .linkTable:
            guard let inverse = relationship.inverse else { return false }
            isNew = try fill(destination, inverse, target, source.row)
            if let list = relationship.storage.linkTable,
                try value(destination, inverse, target) == .integer(source.row)
            {
                try link(source, to: target, in: list, at: position, isUnique: true)
            }
        case .joinTable:
            guard let list = relationship.storage.linkTable else { return false }
            isNew = try !isLinked(source, to: target, in: list)
            try link(source, to: target, in: list, at: position, isUnique: false)
        }
        if isNew {
            outcome.connected.append(
                SaveBatch.Connected(
                    entity: source.entity.index, row: source.row, relationship: source.index, target: target))
        }
        return isNew
    }

    private func link(
        _ source: Source, to target: Int64, in list: RelationshipStorage.LinkTable, at position: Int?, isUnique: Bool
    ) throws(StoreError) {
        func write(_ change: SaveBatch.Link.Change) throws(StoreError) {
            try writer.write(
                SaveBatch.Link(
                    table: list, owner: source.row, ownerEntity: source.entity.index, target: target,
                    targetEntity: source.relationship.destination, change: change, isUnique: isUnique),
                SaveBatch.Outcome())
        }
        try write(.add(position: position))
        // A link that exists has another position.
        if let position, !isUnique { try write(.move(position: position)) }
    }

    private func isLinked(
        _ source: Source, to target: Int64, in list: RelationshipStorage.LinkTable
    ) throws(StoreError) -> Bool {
        try connection.integer(
            "SELECT 1 FROM \(list.name) WHERE \(list.source) = ? AND \(list.target) = ?",
            [.integer(source.row), .integer(target)]) != nil
    }

    /// Sets a relationship to one that leads to no row.
    ///
    /// - Returns: Whether it led to none.
    private func fill(_ entity: StoredEntity, _ index: Int, _ row: Int64, _ target: Int64) throws(StoreError) -> Bool {
        let column = entity.relationships[index].column
        try connection.run(
            "UPDATE \(entity.table) SET \(column) = ? WHERE \"_id\" = ? AND \(column) IS NULL",
            [.integer(target), .integer(row)])
        return connection.database.changes > 0
    }

    /// What the column of a relationship to one holds; nil if there is no row.
    private func value(_ entity: StoredEntity, _ index: Int, _ row: Int64) throws(StoreError) -> StoredValue? {
        let column = entity.relationships[index].column
        return try rows("SELECT \(column) FROM \(entity.table) WHERE \"_id\" = ?", [.integer(row)]).first?[0]
    }

    private func rows(_ sql: String, _ arguments: [StoredValue]) throws(StoreError) -> [[StoredValue]] {
        try connection.cached(sql).rows(arguments)
    }
}
