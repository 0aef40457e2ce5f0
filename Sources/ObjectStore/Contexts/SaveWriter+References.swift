/// Relationships to rows that others deleted.
extension SaveWriter {
    /// Rejects the deletion of rows that others deleted.
    func checkExist(_ rows: Set<Int64>, _ entity: StoredEntity) throws(StoreError) {
        guard let row = try connection.missing(of: rows.sorted(), in: entity) else { return }
        throw StoreError(
            .missingObject,
            "cannot delete the object \(ObjectID(entity: entity.name, row: row, store: store.identity)): others deleted it",
            entity: entity.name)
    }

    /// Rejects relationships to rows that others deleted: no row may refer to a missing row.
    func checkReferences(of changes: ChangeSet) throws(StoreError) {
        var rows: [Int: Set<Int64>] = [:]
        func note(_ value: StoredValue, _ entity: Int) {
            if let row = value.integer, row > 0 { rows[entity, default: []].insert(row) }
        }
        for insertion in changes.insertions {
            let entity = store.entities[insertion.entity]
            for (place, index) in entity.toOnes.enumerated() {
                note(
                    changes.values[insertion.start + entity.columnNames.count + place],
                    entity.relationships[index].destination)
            }
        }
        for update in changes.updates {
            for change in update.changes {
                guard case .relationship(let index) = change.property else { continue }
                note(change.new, store.entities[update.entity].relationships[index].destination)
            }
        }
        for link in changes.links where link.change.isAddition {
            note(.integer(link.owner), link.entity)
            note(.integer(link.target), store.entities[link.entity].relationships[link.relationship].destination)
        }
        for (index, rows) in rows {
            let entity = store.entities[index]
            guard let missing = try connection.missing(of: rows.sorted(), in: entity) else { continue }
            throw StoreError(
                .missingObject,
                "cannot save: a relationship refers to the object "
                    + "\(ObjectID(entity: entity.name, row: missing, store: store.identity)), which others deleted",
                advice: "refresh the objects, or roll back", entity: entity.name)
        }
    }
}

extension StoreConnection {
    /// Returns the first of some rows that is missing in a table; `nil` if all exist.
    func missing(of rows: [Int64], in entity: StoredEntity) throws(StoreError) -> Int64? {
        try integer(
            "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT \"_id\" FROM \(entity.table)) LIMIT 1",
            [.rows(rows[...])])
    }
}
