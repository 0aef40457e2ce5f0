/// Deletes rows, including all references to them in other tables.
struct RowDeletion {
    let store: ManagedObjectStore
    let connection: StoreConnection

    /// Deletes rows of an entity, without the delete rules of its relationships.
    func delete(_ rows: [Int64], of entity: StoredEntity) throws(StoreError) {
        guard let last = rows.max() else { return }
        let list = StoredValue.rows(rows[...])
        let isListed = "IN (SELECT value FROM json_each(?))"
        try PendingConnections(store, connection).requeue(for: list, of: entity)
        // No row may refer to a missing row.
        for other in store.entities {
            for relationship in other.relationships where relationship.destination == entity.index {
                switch relationship.storage {
                case .column, .mirror:
                    try connection.run(
                        "UPDATE \(other.table) SET \(relationship.column) = NULL WHERE \(relationship.column) \(isListed)",
                        [list])
                case .joinTable, .linkTable:
                    guard let link = relationship.storage.linkTable else { continue }
                    try connection.run("DELETE FROM \(link.name) WHERE \(link.target) \(isListed)", [list])
                case .inverseColumn: continue
                }
            }
        }
        for relationship in entity.relationships {
            guard let link = relationship.storage.linkTable else { continue }
            try connection.run("DELETE FROM \(link.name) WHERE \(link.source) \(isListed)", [list])
        }
        try connection.run(
            "DELETE FROM \"_mappingkit_pending\" WHERE \"entity\" = ? AND \"row\" \(isListed)",
            [.text(entity.name), list])
        try RowMarks.raise(to: last, for: entity.name, connection)
        try connection.run("DELETE FROM \(entity.table) WHERE \"_id\" \(isListed)", [list])
    }

    /// Returns the rows of an entity and those that its delete rules delete with them, by entity.
    ///
    /// - Throws: `StoreError` of kind `invalidObjects` if a rule denies the deletion.
    func rowsWithCascade(_ rows: [Int64], of entity: StoredEntity) throws(StoreError) -> [Int: Set<Int64>] {
        var all: [Int: Set<Int64>] = [entity.index: Set(rows)]
        var pending = [(entity: entity, rows: rows)]
        while let (entity, rows) = pending.popLast() {
            for (index, property) in entity.type.relationships.enumerated() where property.traits.deleteRule == .cascade
            {
                let destination = store.entities[entity.relationships[index].destination]
                let targets = Set(try links(of: rows, entity, index).map(\.target))
                let new = targets.subtracting(all[destination.index] ?? [])
                guard !new.isEmpty else { continue }
                all[destination.index, default: []].formUnion(new)
                pending.append((destination, new.sorted()))
            }
        }
        var problems: [ObjectProblem] = []
        for (index, rows) in all.sorted(by: { $0.key < $1.key }) {
            let entity = store.entities[index]
            for (index, property) in entity.type.relationships.enumerated() where property.traits.deleteRule == .deny {
                let deleted = all[entity.relationships[index].destination] ?? []
                let kept = try links(of: rows.sorted(), entity, index).filter { !deleted.contains($0.target) }
                problems += Set(kept.map(\.source)).sorted().map { row in
                    ObjectProblem(
                        object: ObjectID(entity: entity.name, row: row, store: store.number), property: property.name,
                        message: ContextCore.denial(property.name))
                }
            }
        }
        guard let problem = problems.first else { return all }
        throw StoreError(
            .invalidObjects, "cannot delete the objects, nothing was deleted", entity: problem.object.entity,
            problems: problems)
    }

    /// Returns the targets of a relationship.
    private func links(
        of rows: [Int64], _ entity: StoredEntity, _ index: Int
    ) throws(StoreError) -> [(source: Int64, target: Int64)] {
        let relationship = entity.relationships[index]
        let destination = store.entities[relationship.destination]
        let (source, target, table): (String, String, String)
        switch relationship.storage {
        case .column, .mirror: (source, target, table) = ("\"_id\"", relationship.column, entity.table)
        case .inverseColumn(let inverse):
            let back = destination.relationships[relationship.inverse ?? inverse]
            (source, target, table) = (back.column, "\"_id\"", destination.table)
        case .joinTable, .linkTable:
            guard let link = relationship.storage.linkTable else { return [] }
            (source, target, table) = (link.source, link.target, link.name)
        }
        let statement = try connection.cached(
            "SELECT \(source), \(target) FROM \(table) WHERE \(source) IN (SELECT value FROM json_each(?)) "
                + "AND \(target) IS NOT NULL")
        try statement.bind(.rows(rows[...]), at: 1)
        defer { statement.reset() }
        var links: [(Int64, Int64)] = []
        while try statement.step() { links.append((statement.integer(at: 0), statement.integer(at: 1))) }
        return links
    }
}
