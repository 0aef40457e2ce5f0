/// Relationships that are set by keys.
extension SaveWriter {
    /// Writes unresolved connections, and connects those whose targets were saved.
    func connect(_ changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        var connections = ConnectionUpdate(store, connection)
        for update in changes.updates {
            try connections.update(
                CollectionOfOne(update.row), of: store.entities[update.entity],
                assigning: update.changes.map(\.property))
        }
        for (insertion, assigned) in zip(changes.insertions, changes.assigned)
        where outcome.adopted.contains(insertion.temporary) {
            guard let row = outcome.rows[insertion.temporary] else { continue }
            let entity = store.entities[insertion.entity]
            let written = try unmarked(
                assigned.columns, of: row, entity, changes, temporary: insertion.temporary)
            try connections.update(
                CollectionOfOne(row), of: entity, assigning: written.map(entity.property(ofColumn:)))
        }
        let unsent = changes.isReply && !changes.waiting.isEmpty ? try UnsentMarks(connection) : nil
        for waiting in changes.waiting {
            let row = waiting.row < 0 ? outcome.rows[waiting.row] ?? waiting.row : waiting.row
            let source = RowRelationship(
                entity: store.entities[waiting.entity], index: waiting.relationship, row: row)
            // The target would overwrite an edit when it arrives.
            if let marked = try unsent?.values(of: row, source.entity),
                marked[UnsentMarks.object] != nil || marked[source.relationship.name] != nil
            {
                continue
            }
            try connections.connect(source, by: waiting.keys, matching: waiting.matching)
        }
        try connections.connectWaiting(for: newIdentities(in: changes, outcome))
        outcome.connected += connections.connected
        outcome.touched.formUnion(connections.touched)
        outcome.arrivals = connections.touched
    }

    /// Returns the rows that were inserted, or whose identity or unique attributes changed, by entity.
    private func newIdentities(in changes: ChangeSet, _ outcome: SaveOutcome) -> [Int: [Int64]] {
        var rows: [[Int64]] = Array(repeating: [], count: store.entities.count)
        let isTarget = store.entities.map(\.isTarget)
        for insertion in changes.insertions where isTarget[insertion.entity] {
            guard let row = outcome.rows[insertion.temporary] else { continue }
            rows[insertion.entity].append(row)
        }
        for update in changes.updates where isTarget[update.entity] {
            let unique = store.entities[update.entity].uniqueProperties
            guard update.changes.contains(where: { unique.contains($0.property) }) else { continue }
            rows[update.entity].append(update.row)
        }
        return Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0.offset, $0.element) })
    }
}
