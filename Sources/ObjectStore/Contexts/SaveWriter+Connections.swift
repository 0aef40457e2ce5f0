/// Relationships that are set by keys.
extension SaveWriter {
    /// Writes unresolved connections, and connects those whose targets were saved.
    func connect(_ changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        var relationships = RelationshipWriter(store, connection)
        var pending = PendingConnections(store, connection)
        var connected: [SaveOutcome.Connected] = []
        func note(_ source: RowRelationship, _ target: Int64) {
            connected.append(
                SaveOutcome.Connected(
                    entity: source.entity.index, row: source.row, relationship: source.index, target: target))
        }
        /// Connects a relationship with the existing targets, and makes it wait for the others.
        func connect(
            _ source: RowRelationship, by keys: [[StoredValue]], matching names: [String]
        ) throws(StoreError) {
            let destination = store.entities[source.relationship.destination]
            var missing: [[StoredValue]] = []
            for (position, key) in keys.enumerated() {
                guard let target = try connection.integer(destination.lookup(matching: names), key) else {
                    missing.append(key)
                    continue
                }
                // Others may have saved it since the payload was read.
                if try relationships.connect(source, to: target, at: position) { note(source, target) }
            }
            try pending.wait(source, for: missing, matching: names)
        }
        for update in changes.updates {
            let assigned = try removeAssigned(update, &pending)
            for source in keyedRelationships(of: update) where !assigned.contains(source.index) {
                guard try pending.isWaiting(source) else { continue }
                var stated: [(names: [String], keys: [[StoredValue]])] = []
                for names in Set(source.relationship.keys.map(\.matching)) {
                    let keys = try keys(of: source, matching: names)
                    if !keys.isEmpty { stated.append((names, keys)) }
                }
                for (names, keys) in stated.isEmpty ? [([], [])] : stated {
                    try connect(source, by: keys, matching: names)
                }
            }
        }
        for waiting in changes.waiting {
            let row = waiting.row < 0 ? outcome.rows[waiting.row] ?? waiting.row : waiting.row
            let source = RowRelationship(
                entity: store.entities[waiting.entity], index: waiting.relationship, row: row)
            try connect(source, by: waiting.keys, matching: waiting.matching)
        }
        try pending.connect(to: newIdentities(in: changes, outcome), with: &relationships, didConnect: note)
        outcome.connected += connected
        outcome.touched.formUnion(relationships.touched)
    }

    /// To-one relationships that were set no longer wait.
    ///
    /// - Returns: The relationships that were set.
    private func removeAssigned(
        _ update: ChangeSet.Update, _ pending: inout PendingConnections
    ) throws(StoreError) -> [Int] {
        let entity = store.entities[update.entity]
        let assigned = update.changes.compactMap { change in
            if case .relationship(let index) = change.property { index } else { nil }
        }
        for index in assigned {
            try pending.wait(RowRelationship(entity: entity, index: index, row: update.row), for: [])
        }
        return assigned
    }

    /// Returns the relationships of a row whose keys an update assigns.
    private func keyedRelationships(of update: ChangeSet.Update) -> [RowRelationship] {
        let entity = store.entities[update.entity]
        return entity.relationships.indices.filter { index in
            entity.relationships[index].keys.contains { key in
                (key.attributes + key.conditions.map(\.attribute)).contains { attribute in
                    update.changes.contains { $0.property == .attribute(attribute) }
                }
            }
        }.map { RowRelationship(entity: entity, index: $0, row: update.row) }
    }

    /// Returns the values of unique attributes of a relationship's targets from the keys of its row; without attributes,
    /// the identities.
    private func keys(
        of source: RowRelationship, matching names: [String]
    ) throws(StoreError) -> [[StoredValue]] {
        var keys: [[StoredValue]] = []
        for key in source.relationship.keys where key.matching == names {
            let list = key.attributes.map { source.entity.columnNames[$0] }.joined(separator: ", ")
            let conditions = key.conditions.map { " AND \(source.entity.columnNames[$0.attribute]) IS ?" }.joined()
            let row = "\(source.entity.table) WHERE \"_id\" = ?\(conditions)"
            keys += try connection.cached(
                source.isToMany
                    ? "SELECT value FROM json_each((SELECT \(list) FROM \(row)))" : "SELECT \(list) FROM \(row)"
            ).rows([.integer(source.row)] + key.conditions.map(\.value))
        }
        return keys.filter { !$0.contains(.null) }
    }

    /// Returns the rows that were inserted, or whose identity or unique attributes changed, by entity.
    private func newIdentities(
        in changes: ChangeSet, _ outcome: SaveOutcome
    ) -> [Int: [ClosedRange<Int64>]] {
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
        var ranges: [Int: [ClosedRange<Int64>]] = [:]
        for (entity, rows) in rows.enumerated() where !rows.isEmpty {
            ranges[entity] = rows.sorted().reduce(into: []) { ranges, row in
                if let last = ranges.last, last.upperBound >= row - 1 {
                    ranges[ranges.count - 1] = last.lowerBound...row
                } else {
                    ranges.append(row...row)
                }
            }
        }
        return ranges
    }
}
