/// Marks of what a server has not accepted yet, in the transaction of a save.
extension SaveWriter {
    /// Marks new rows as never sent, except for those that a server has accepted with their owner.
    func markInsertions(of changes: ChangeSet, _ outcome: SaveOutcome) throws(StoreError) {
        guard let marks, !changes.insertions.isEmpty else { return }
        let accepted = Set(changes.accepted.map(\.row))
        let new = changes.insertions.filter {
            !outcome.adopted.contains($0.temporary) && !accepted.contains($0.temporary)
        }
        for (entity, insertions) in Dictionary(grouping: new, by: \.entity) {
            try marks.add(insertions.compactMap { outcome.rows[$0.temporary] }, of: store.entities[entity])
            for insertion in insertions where insertion.isUnknown {
                guard let row = outcome.rows[insertion.temporary] else { continue }
                try marks.setUnknown(true, of: row, store.entities[entity])
            }
        }
    }

    /// Marks properties that were edited.
    func mark(
        _ properties: [(property: PropertyIndex, previous: StoredValue)], of row: Int64, _ entity: StoredEntity
    ) throws(StoreError) {
        try marks?.add(properties, of: row, entity)
    }

    /// Removes the marks of the values that a server has accepted, before rows are written.
    ///
    /// Values that were saved after they were sent are not accepted.
    func accept(_ accepted: [ChangeSet.Accepted]) throws(StoreError) {
        guard !accepted.isEmpty else { return }
        // The server may have stored other values.
        try forgetResponses(of: Set(accepted.filter { !$0.values.isEmpty }.map(\.entity)))
        guard let marks = try UnsentMarks(connection) else { return }
        for object in accepted where object.row > 0 {
            let entity = store.entities[object.entity]
            let known = try marks.values(of: object.row, entity)
            guard !known.isEmpty else { continue }
            let isNew = known[UnsentMarks.object] != nil
            for value in object.values {
                let name = entity.name(of: value.property)
                let stored = try stored(value.property, of: object.row, entity)
                if value.saved == nil || stored == value.sent || stored == value.saved {
                    try marks.remove(name, of: object.row, entity)
                } else if isNew || known[name] != nil {
                    try marks.add([(value.property, value.sent)], of: object.row, entity)
                }
            }
            if isNew { try marks.remove(UnsentMarks.object, of: object.row, entity) }
        }
    }

    /// Removes the marks of rows that new objects took over, and that a server has accepted.
    func acceptAdopted(_ accepted: [ChangeSet.Accepted], _ outcome: SaveOutcome) throws(StoreError) {
        let adopted = accepted.filter { outcome.adopted.contains($0.row) }
        guard !adopted.isEmpty, let marks = try UnsentMarks(connection) else { return }
        for object in adopted {
            guard let row = outcome.rows[object.row] else { continue }
            let entity = store.entities[object.entity]
            let names = object.values.filter { $0.saved == nil }.map { entity.name(of: $0.property) }
            for name in names + [UnsentMarks.object] { try marks.remove(name, of: row, entity) }
        }
    }

    /// Marks what was saved with a response, and what the server does not have.
    func markUnsent(of accepted: [ChangeSet.Accepted], _ outcome: SaveOutcome) throws(StoreError) {
        for object in accepted where !object.unsent.isEmpty {
            guard let row = object.row > 0 ? object.row : outcome.rows[object.row] else { continue }
            let (entity, marks) = (store.entities[object.entity], try UnsentMarks(creatingIn: connection))
            for value in object.unsent {
                guard let stored = try stored(value.property, of: row, entity), stored != value.previous else {
                    continue
                }
                try marks.add([value], of: row, entity)
            }
        }
    }

    /// Returns the columns of a row that a response may write: those that were not edited since a server accepted them.
    func unmarked(
        _ columns: [Int], of row: Int64, _ entity: StoredEntity, _ changes: ChangeSet, temporary: Int64
    ) throws(StoreError) -> [Int] {
        guard changes.isReply, !changes.accepted.contains(where: { $0.row == temporary }),
            let marked = try UnsentMarks(connection)?.values(of: row, entity), !marked.isEmpty
        else { return columns }
        guard marked[UnsentMarks.object] == nil else { return [] }
        return columns.filter { marked[entity.name(of: entity.property(ofColumn: $0))] == nil }
    }

    /// Returns the value of a property in the file.
    func stored(_ property: PropertyIndex, of row: Int64, _ entity: StoredEntity) throws(StoreError) -> StoredValue? {
        let statement = try connection.cached(
            "SELECT \(entity.column(of: property)) FROM \(entity.table) WHERE \"_id\" = ?")
        try statement.bind([.integer(row)])
        defer { statement.reset() }
        return try statement.step() ? entity.canonical(statement.value(at: 0), of: property) : nil
    }
}
