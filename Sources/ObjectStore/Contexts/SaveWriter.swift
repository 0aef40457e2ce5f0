/// Writes the changes of a context in one transaction.
struct SaveWriter {
    let store: ManagedObjectStore
    let connection: StoreConnection
    let policy: MergePolicy
    /// The objects of the context.
    private let registries: [ObjectRegistry]

    init(
        _ store: ManagedObjectStore, _ connection: StoreConnection, _ policy: MergePolicy,
        _ registries: [ObjectRegistry]
    ) {
        self.store = store
        self.connection = connection
        self.policy = policy
        self.registries = registries
    }

    func write(_ batch: SaveBatch) throws(StoreError) -> SaveBatch.Outcome {
        var outcome = SaveBatch.Outcome()
        try connection.transaction(isShort: true) { () throws(StoreError) in
            var conflicts: [AttributeConflict] = []
            let merged = try mergeLists(of: batch, &conflicts)
            try closeGaps(in: batch.links)
            // Deletions first: a new object may have the identity of a deleted one.
            var deletion = RowDeletion(store, connection)
            try delete(batch, &outcome, &deletion)
            if outcome.cascaded.isEmpty {
                try write(batch, merged, &outcome, &deletion, &conflicts)
            } else {
                var rest = batch
                rest.removeChanges(of: outcome.cascaded)
                try write(rest, merged, &outcome, &deletion, &conflicts)
            }
        }
        return outcome
    }

    /// Writes insertions, updates and relationships, after the deletions.
    private func write(
        _ batch: SaveBatch, _ merged: [MergedList], _ outcome: inout SaveBatch.Outcome, _ deletion: inout RowDeletion,
        _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        try insert(batch, &outcome)
        for update in batch.updates { try write(update, &outcome, &conflicts) }
        guard conflicts.isEmpty else {
            throw StoreError(
                .conflict, "save conflict: another context changed the same attributes after the objects were read",
                advice: "refresh the objects and repeat the change, or set a merge policy", conflicts: conflicts)
        }
        var ends = ListEnds()
        for link in try winning(batch.links, outcome) { try write(link, outcome, &ends) }
        try alignInverses(of: batch, &outcome, &deletion)
        for list in merged { try write(list, &outcome) }
        try connect(batch, &outcome)
        try deletion.checkRequired()
        try checkReferences(of: batch)
    }

    /// Deletes rows, and those that their delete rules delete with them in the file.
    private func delete(
        _ batch: SaveBatch, _ outcome: inout SaveBatch.Outcome, _ deletion: inout RowDeletion
    ) throws(StoreError) {
        guard !batch.deletions.isEmpty else { return }
        let rows = Dictionary(grouping: batch.deletions, by: \.entity).mapValues { Set($0.map(\.row)) }
        let all = try deletion.rowsWithCascade(
            rows, keeping: batch.kept,
            summary: "cannot save: others added objects that prevent a deletion, nothing was saved")
        for (entity, rows) in all { try deletion.delete(rows.sorted(), of: store.entities[entity]) }
        outcome.cascaded = all.reduce(into: [:]) { cascaded, all in
            let added = all.value.subtracting(rows[all.key] ?? [])
            if !added.isEmpty { cascaded[all.key] = added }
        }
    }

    // MARK: Insertions

    private func insert(_ batch: SaveBatch, _ outcome: inout SaveBatch.Outcome) throws(StoreError) {
        try assignRows(to: batch.insertions, &outcome)
        // Most identities are new: rows are looked up only if an insertion fails.
        let isUndoable = batch.insertions.count > 1
        if isUndoable { try connection.run("SAVEPOINT \"insertions\"") }
        do {
            try insertRows(of: batch, outcome)
        } catch  where error.kind == .constraint {
            if isUndoable { try connection.run("ROLLBACK TO \"insertions\"") }
            try adoptRows(for: batch, &outcome)
            try insertRows(of: batch, outcome)
        }
        if isUndoable { try connection.run("RELEASE \"insertions\"") }
    }

    /// Assigns a row to every new object.
    private func assignRows(
        to insertions: [SaveBatch.Insertion], _ outcome: inout SaveBatch.Outcome
    ) throws(StoreError) {
        var next: [Int64?] = Array(repeating: nil, count: store.entities.count)
        for insertion in insertions {
            let known = next[insertion.entity]
            let row = if let known { known } else { try connection.firstFreeRow(of: store.entities[insertion.entity]) }
            next[insertion.entity] = row + 1
            outcome.rows[insertion.temporary] = row
        }
    }

    /// Assigns existing rows with the same identity to new objects.
    private func adoptRows(for batch: SaveBatch, _ outcome: inout SaveBatch.Outcome) throws(StoreError) {
        var taken: Set<[StoredValue]> = []
        for insertion in batch.insertions {
            let entity = store.entities[insertion.entity]
            let identity = batch.identity(of: insertion, entity)
            guard !identity.isEmpty else { continue }
            guard taken.insert([.integer(Int64(insertion.entity))] + identity).inserted else {
                throw identityTaken(insertion.temporary, entity, "by another new object")
            }
            guard let row = try connection.integer(entity.statements.lookup, identity) else { continue }
            try RowMarks.check(row, in: entity.name)
            guard registries[insertion.entity][row] == nil else {
                throw identityTaken(
                    insertion.temporary, entity, "by \(entity.name)/\(row), which is registered in the context")
            }
            outcome.rows[insertion.temporary] = row
            outcome.adopted.insert(insertion.temporary)
        }
    }

    private func identityTaken(_ row: Int64, _ entity: StoredEntity, _ holder: String) -> StoreError {
        let id = ObjectID(entity: entity.name, row: row, store: store.identity)
        let columns = entity.identity.map { entity.description.attributes[$0].name }.joined(separator: ", ")
        return StoreError(
            .identityTaken, "cannot save the object \(id): its identity (\(columns)) is taken \(holder)",
            advice: row < 0 ? "look the object up with find before creating one" : "delete the other object first",
            entity: entity.name)
    }

    private func insertRows(of batch: SaveBatch, _ outcome: SaveBatch.Outcome) throws(StoreError) {
        let statements = try store.entities.map { entity throws(StoreError) in
            try batch.insertions.contains { $0.entity == entity.index }
                ? connection.cached(entity.statements.insertion) : nil
        }
        for (number, insertion) in batch.insertions.enumerated() {
            let entity = store.entities[insertion.entity]
            guard let row = outcome.rows[insertion.temporary], let statement = statements[insertion.entity] else {
                continue
            }
            do throws(StoreError) {
                if outcome.adopted.contains(insertion.temporary) {
                    try adopt(row, number, batch, outcome)
                    continue
                }
                try statement.bind(row, at: 1)
                let (start, count) = (insertion.start, entity.columnNames.count)
                for index in 0..<count { try statement.bind(batch.values[start + index], at: index + 2) }
                for index in count..<entity.columnCount {
                    try statement.bind(saved(batch.values[start + index], outcome), at: index + 2)
                }
                try statement.run()
            } catch  where error.kind == .constraint {
                throw notUnique(error, entity, insertion.temporary) { column in
                    entity.columnNames.firstIndex(of: column).map { batch.values[insertion.start + $0] }
                }
            }
        }
    }

    /// Writes the assigned attributes of a new object into the existing row with its identity.
    private func adopt(
        _ row: Int64, _ number: Int, _ batch: SaveBatch, _ outcome: SaveBatch.Outcome
    ) throws(StoreError) {
        let (insertion, properties) = (batch.insertions[number], batch.assigned[number])
        let entity = store.entities[insertion.entity]
        let assigned = entity.loadSteps.indices.filter { properties.contains(entity.loadSteps[$0].offset) }
        guard !assigned.isEmpty else { return }
        try connection.run(
            "UPDATE \(entity.table) SET \(assigned.map { "\(entity.column(of: entity.property(ofColumn: $0))) = ?" }.joined(separator: ", ")) "
                + "WHERE \"_id\" = ?",
            assigned.map { index in
                let value = batch.values[insertion.start + index]
                return index < entity.columnNames.count ? value : saved(value, outcome)
            } + [.integer(row)])
    }

    /// Returns the stored form of a row, which may be temporary.
    private func saved(_ row: StoredValue, _ outcome: SaveBatch.Outcome) -> StoredValue {
        guard let temporary = row.integer, temporary < 0 else { return row }
        return outcome.rows[temporary].map { .integer($0) } ?? .null
    }

    private func notUnique(
        _ error: StoreError, _ entity: StoredEntity, _ row: Int64,
        value: (String) throws(StoreError) -> StoredValue?
    ) -> StoreError {
        let id = ObjectID(entity: entity.name, row: row, store: store.identity)
        return entity.uniqueViolation(error, "cannot save the object \(id)", value: value)
    }

    // MARK: Updates

    private func write(
        _ update: SaveBatch.Update, _ outcome: inout SaveBatch.Outcome, _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        let entity = store.entities[update.entity]
        let assignments = update.cells.map { "\($0.column) = ?" }.joined(separator: ", ")
        let bases = update.cells.map { " AND \($0.column) IS ?" }.joined()
        let values = update.cells.map { $0.isRow ? saved($0.value, outcome) : $0.value }
        try run(
            "UPDATE \(entity.table) SET \(assignments) WHERE \"_id\" = ?\(bases)",
            values + [.integer(update.row)] + update.bases, for: update)
        if connection.database.changes == 0 { try merge(update, values, &outcome, &conflicts) }
    }

    /// Saves a row that others changed since it was read, by the merge policy.
    private func merge(
        _ update: SaveBatch.Update, _ values: [StoredValue], _ outcome: inout SaveBatch.Outcome,
        _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        let entity = store.entities[update.entity]
        let id = ObjectID(entity: entity.name, row: update.row, store: store.identity)
        let columns = update.cells.map(\.column).joined(separator: ", ")
        let statement = try connection.cached("SELECT \(columns) FROM \(entity.table) WHERE \"_id\" = ?")
        try statement.bind([.integer(update.row)])
        defer { statement.reset() }
        guard try statement.step() else {
            throw StoreError(
                .missingObject, "cannot save the object \(id): others deleted it",
                advice: "roll back, or delete it, too",
                entity: entity.name)
        }
        let storedValues = update.cells.indices.map { statement.value(at: $0) }
        statement.reset()
        var kept: [(column: String, value: StoredValue)] = []
        for (index, cell) in update.cells.enumerated() {
            // Equal values conflict as well: two contexts that count from 5 to 6 have counted twice.
            let stored = storedValues[index].isNull ? cell.valueForNull : storedValues[index]
            let isConflict = stored != update.bases[index]
            if isConflict, policy == .throwConflict {
                conflicts.append(
                    AttributeConflict(
                        object: id, property: cell.column.filter { $0 != "\"" }, base: update.bases[index],
                        mine: values[index], theirs: storedValues[index]))
            } else if !isConflict || policy == .objectWins {
                kept.append((cell.column, values[index]))
            }
        }
        outcome.merged.append(SaveBatch.Deletion(entity: update.entity, row: update.row))
        guard !kept.isEmpty else { return }
        let assignments = kept.map { "\($0.column) = ?" }.joined(separator: ", ")
        try run(
            "UPDATE \(entity.table) SET \(assignments) WHERE \"_id\" = ?", kept.map(\.value) + [.integer(update.row)],
            for: update)
    }

    private func run(_ sql: String, _ values: [StoredValue], for update: SaveBatch.Update) throws(StoreError) {
        do {
            try connection.run(sql, values)
        } catch  where error.kind == .constraint {
            let entity = store.entities[update.entity]
            let identity = entity.identity.map { "\(entity.name).\(entity.description.attributes[$0].name)" }
            throw error.message.hasSuffix(": " + identity.joined(separator: ", "))
                ? identityTaken(update.row, entity, "by another object")
                : notUnique(error, entity, update.row) { (column) throws(StoreError) in
                    if let cell = update.cells.first(where: { $0.column == column }) { return cell.value }
                    return try connection.cached("SELECT \(column) FROM \(entity.table) WHERE \"_id\" = ?")
                        .rows([.integer(update.row)]).first?.first
                }
        }
    }

    // MARK: References

    /// Rejects relationships to rows that others deleted: no row may refer to a missing row.
    private func checkReferences(of batch: SaveBatch) throws(StoreError) {
        var rows: [Int: Set<Int64>] = [:]
        func note(_ value: StoredValue, _ entity: Int) {
            if let row = value.integer, row > 0 { rows[entity, default: []].insert(row) }
        }
        for insertion in batch.insertions {
            let entity = store.entities[insertion.entity]
            for (place, index) in entity.toOnes.enumerated() {
                note(
                    batch.values[insertion.start + entity.columnNames.count + place],
                    entity.relationships[index].destination)
            }
        }
        for update in batch.updates {
            for cell in update.cells where cell.isRow {
                let relationships = store.entities[update.entity].relationships
                guard let relationship = relationships.first(where: { $0.column == cell.column }) else { continue }
                note(cell.value, relationship.destination)
            }
        }
        for link in batch.links where link.change.isAddition {
            note(.integer(link.owner), link.ownerEntity)
            note(.integer(link.target), link.targetEntity)
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
