/// Relationships that are set by keys.
extension SaveWriter {
    /// Writes which connections wait for their targets, and connects those whose targets the save has written.
    func connect(_ batch: SaveBatch, _ outcome: inout SaveBatch.Outcome) throws(StoreError) {
        var relationships = RelationshipWriter(store, connection)
        var pending = PendingConnections(store, connection)
        var connected: [SaveBatch.Connected] = []
        func note(_ source: RowRelationship, _ target: Int64) {
            connected.append(
                SaveBatch.Connected(
                    entity: source.entity.index, row: source.row, relationship: source.index, target: target))
        }
        try removeAssigned(batch.updates, &pending)
        for waiting in batch.waiting {
            let row = waiting.row < 0 ? outcome.rows[waiting.row] ?? waiting.row : waiting.row
            let source = RowRelationship(
                entity: store.entities[waiting.entity], index: waiting.relationship, row: row)
            let destination = store.entities[source.relationship.destination]
            var missing: [[StoredValue]] = []
            for (position, key) in waiting.keys.enumerated() {
                guard let target = try connection.integer(destination.lookup, key) else {
                    missing.append(key)
                    continue
                }
                // Others may have saved it since the payload was read.
                if try relationships.connect(source, to: target, at: position) { note(source, target) }
            }
            try pending.wait(source, for: missing)
        }
        try pending.connect(to: newIdentities(in: batch, outcome), with: &relationships, didConnect: note)
        outcome.connected += connected
    }

    /// Relationships to one that were set wait for nothing any more.
    private func removeAssigned(
        _ updates: [SaveBatch.Update], _ pending: inout PendingConnections
    ) throws(StoreError) {
        for update in updates {
            let entity = store.entities[update.entity]
            for cell in update.cells where cell.isRow {
                guard let index = entity.toOnes.first(where: { entity.relationships[$0].column == cell.column }) else {
                    continue
                }
                try pending.wait(RowRelationship(entity: entity, index: index, row: update.row), for: [])
            }
        }
    }

    /// The rows that have been inserted, or whose identity has been changed, by entity.
    private func newIdentities(
        in batch: SaveBatch, _ outcome: SaveBatch.Outcome
    ) -> [Int: [ClosedRange<Int64>]] {
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
        return rows.mapValues { rows in
            rows.sorted().reduce(into: []) { ranges, row in
                if let last = ranges.last, last.upperBound + 1 >= row {
                    ranges[ranges.count - 1] = last.lowerBound...row
                } else {
                    ranges.append(row...row)
                }
            }
        }
    }
}
