/// Writes the changes of a context in one transaction.
struct SaveWriter {
    let store: ManagedObjectStore
    let connection: StoreConnection
    let policy: MergePolicy
    /// The objects of the context.
    private let registries: [ObjectRegistry]
    /// The number of the context.
    let author: Int
    /// The marks of what is written; `nil` if it is not marked.
    private(set) var marks: UnsentMarks?

    init(
        _ store: ManagedObjectStore, _ connection: StoreConnection, _ policy: MergePolicy,
        _ registries: [ObjectRegistry], author: Int
    ) {
        self.store = store
        self.connection = connection
        self.policy = policy
        self.registries = registries
        self.author = author
    }

    /// Writes changes in one transaction.
    ///
    /// They are consumed, because closures would capture a copy of a borrowed value.
    func write(_ changes: consuming ChangeSet) throws(StoreError) -> SaveOutcome {
        var outcome = SaveOutcome()
        var isSaved = false
        defer { if !isSaved { remember(SaveOutcome(), of: changes.insertions) } }
        try connection.transaction(isShort: true) { () throws(StoreError) in
            store.noteOtherProcesses(connection)
            try forgetResponses(of: changes.responses.forgotten)
            let search = try suspendSearch(for: changes)
            try accept(changes.accepted)
            var writer = self
            if changes.rules.marksUnsent, !changes.insertions.isEmpty || !changes.updates.isEmpty {
                writer.marks = try UnsentMarks(creatingIn: connection)
            }
            var conflicts: [AttributeConflict] = []
            let merged = try mergeLists(of: changes, &conflicts)
            try closeGaps(in: changes.links)
            // Deletions first: a new object may have the identity of a deleted one.
            var deletion = RowDeletion(store, connection)
            try delete(changes, &outcome, &deletion)
            if outcome.cascaded.isEmpty {
                try writer.write(changes, merged, &outcome, &deletion, &conflicts)
            } else {
                var rest = copy changes
                rest.removeChanges(of: outcome.cascaded, in: store.entities)
                try writer.write(rest, merged, &outcome, &deletion, &conflicts)
            }
            try expireResponses(after: changes, outcome)
            // The rows lack values of the response if those of others were kept.
            if outcome.merged.isEmpty { try record(changes.responses.loaded, outcome) }
            // Rows that waited for those of the response have changed its lists.
            if !outcome.arrivals.isEmpty { try connection.expireResponses(in: store) { outcome.arrivals } }
            try search?.resume(commit(of: changes, outcome))
            try changes.companion?(connection) { row in row > 0 ? row : outcome.rows[row] ?? 0 }
            remember(outcome, of: changes.insertions)
        }
        isSaved = true
        store.didCommit(by: author) { commit(of: changes, outcome) }
        return outcome
    }

    /// Suspends the search indexes of the entities of which many rows are written.
    private func suspendSearch(for changes: borrowing ChangeSet) throws(StoreError) -> SuspendedSearch? {
        guard changes.insertions.count + changes.updates.count >= SuspendedSearch.manyRows else { return nil }
        let written = Set(changes.insertions.map(\.entity)).union(changes.updates.map(\.entity))
        return try SuspendedSearch(of: written.map { store.entities[$0] }, in: connection.database)
    }

    /// Writes insertions, updates and relationships, after the deletions.
    private func write(
        _ changes: ChangeSet, _ merged: [MergedList], _ outcome: inout SaveOutcome, _ deletion: inout RowDeletion,
        _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        let updates = try releaseUniqueValues(in: changes)
        try insert(changes, &outcome)
        try markInsertions(of: changes, outcome)
        try acceptAdopted(changes.accepted, outcome)
        for (update, original) in zip(updates, changes.updates) {
            try write(update, original, &outcome, &conflicts)
        }
        guard conflicts.isEmpty else {
            throw .conflict(conflicts)
        }
        var ends = ListEnds()
        for link in try winning(links(of: changes, outcome), of: changes, &outcome) { try write(link, outcome, &ends) }
        try alignInverses(of: changes, &outcome, &deletion)
        for list in merged { try write(list, &outcome) }
        // Links that were not written leave their positions to others.
        if !outcome.merged.isEmpty { try closeGaps(in: changes.links) }
        try replaceLists(of: changes, &outcome)
        try connect(changes, &outcome)
        try markUnsent(of: changes.accepted, outcome)
        try deletion.checkRequired()
        try checkReferences(of: changes)
    }

    /// Deletes rows, and those that their delete rules delete with them in the file.
    private func delete(
        _ changes: ChangeSet, _ outcome: inout SaveOutcome, _ deletion: inout RowDeletion
    ) throws(StoreError) {
        guard !changes.deletions.isEmpty else { return }
        let rows = Dictionary(grouping: changes.deletions, by: \.entity).mapValues { Set($0.map(\.row)) }
        if changes.rules.isStrict { for (entity, rows) in rows { try checkExist(rows, store.entities[entity]) } }
        let all = try deletion.rowsWithCascade(
            rows, keeping: changes.kept,
            summary: "cannot save: others added objects that prevent a deletion, nothing was saved")
        for (entity, rows) in all {
            outcome.deletedIdentities[entity] = try deletion.identities(of: rows.sorted(), store.entities[entity])
            try deletion.delete(rows.sorted(), of: store.entities[entity])
        }
        outcome.touched.formUnion(deletion.takeTouched())
        outcome.cascaded = all.reduce(into: [:]) { cascaded, all in
            let added = all.value.subtracting(rows[all.key] ?? [])
            if !added.isEmpty { cascaded[all.key] = added }
        }
    }

    // MARK: Insertions

    private func insert(_ changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        try assignRows(to: changes.insertions, &outcome)
        // Most identities are new: rows are looked up only if an insertion fails.
        let isUndoable = changes.insertions.count > 1
        if isUndoable { try connection.run("SAVEPOINT \"insertions\"") }
        do {
            try insertRows(of: changes, &outcome)
        } catch  where error.kind == .constraint {
            if changes.rules.isStrict { throw error }
            if isUndoable { try connection.run("ROLLBACK TO \"insertions\"") }
            try adoptRows(for: changes, &outcome)
            try insertRows(of: changes, &outcome)
        }
        if isUndoable { try connection.run("RELEASE \"insertions\"") }
    }

    /// Assigns a row to every new object.
    private func assignRows(
        to insertions: [ChangeSet.Insertion], _ outcome: inout SaveOutcome
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
    private func adoptRows(for changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        var taken: Set<[StoredValue]> = []
        for insertion in changes.insertions {
            let entity = store.entities[insertion.entity]
            let identity = changes.identity(of: insertion, entity)
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

    private func insertRows(of changes: ChangeSet, _ outcome: inout SaveOutcome) throws(StoreError) {
        let statements = try store.entities.map { entity throws(StoreError) in
            try changes.insertions.contains { $0.entity == entity.index }
                ? connection.cached(entity.statements.insertion) : nil
        }
        for (number, insertion) in changes.insertions.enumerated() {
            let entity = store.entities[insertion.entity]
            guard let row = outcome.rows[insertion.temporary], let statement = statements[insertion.entity] else {
                continue
            }
            do throws(StoreError) {
                if outcome.adopted.contains(insertion.temporary) {
                    try adopt(row, number, changes, &outcome)
                    continue
                }
                try statement.bind(row, at: 1)
                let (start, count) = (insertion.start, entity.columnNames.count)
                for index in 0..<count { try statement.bind(changes.values[start + index], at: index + 2) }
                for index in count..<entity.columnCount {
                    try statement.bind(saved(changes.values[start + index], outcome), at: index + 2)
                }
                try statement.run()
            } catch  where error.kind == .constraint {
                throw notUnique(error, entity, insertion.temporary) { property in
                    entity.position(of: property).map { saved(changes.values[insertion.start + $0], outcome) }
                }
            }
        }
    }

    /// Writes the assigned attributes of a new object into the existing row with its identity.
    private func adopt(
        _ row: Int64, _ number: Int, _ changes: ChangeSet, _ outcome: inout SaveOutcome
    ) throws(StoreError) {
        let insertion = changes.insertions[number]
        let entity = store.entities[insertion.entity]
        let assigned = try unmarked(
            changes.assigned[number].columns, of: row, entity, changes, temporary: insertion.temporary)
        guard !assigned.isEmpty else { return }
        if marks != nil {
            let previous = try assigned.map { column throws(StoreError) in
                let property = entity.property(ofColumn: column)
                return (property: property, previous: try stored(property, of: row, entity) ?? .null)
            }
            try mark(
                previous.filter { entry in
                    entity.position(of: entry.property).map { changes.values[insertion.start + $0] } != entry.previous
                }, of: row, entity)
        }
        try noteLists(of: row, entity, assigned.map(entity.property(ofColumn:)), &outcome)
        try connection.run(
            "UPDATE \(entity.table) SET \(assigned.map { "\(entity.column(of: entity.property(ofColumn: $0))) = ?" }.joined(separator: ", ")) "
                + "WHERE \"_id\" = ?",
            assigned.map { index in
                let value = changes.values[insertion.start + index]
                return index < entity.columnNames.count ? value : saved(value, outcome)
            } + [.integer(row)])
    }

    /// Records the lists of the targets that a row is about to lose.
    private func noteLists(
        of row: Int64, _ entity: StoredEntity, _ assigned: [PropertyIndex], _ outcome: inout SaveOutcome
    ) throws(StoreError) {
        for case .relationship(let index) in assigned {
            let source = RowRelationship(entity: entity, index: index, row: row)
            guard let list = store.entities.inverseList(of: source.relationship),
                let target = try RelationshipWriter(store, connection).target(of: source)
            else { continue }
            outcome.touched.changeList(list, of: target, source.relationship.destination)
        }
    }

    /// Returns the stored form of a row, which may be temporary.
    private func saved(_ row: StoredValue, _ outcome: SaveOutcome) -> StoredValue {
        guard let temporary = row.integer, temporary < 0 else { return row }
        return outcome.rows[temporary].map { .integer($0) } ?? .null
    }

    private func notUnique(
        _ error: StoreError, _ entity: StoredEntity, _ row: Int64,
        value: (PropertyIndex) throws(StoreError) -> StoredValue?
    ) -> StoreError {
        let id = ObjectID(entity: entity.name, row: row, store: store.identity)
        return entity.uniqueViolation(error, "cannot save the object \(id)", value: value)
    }

    // MARK: Updates

    /// Sets unique values that other rows of the save may take to null, unless others changed them.
    ///
    /// - Returns: The updates in the same order, which replace null in these rows.
    private func releaseUniqueValues(in changes: ChangeSet) throws(StoreError) -> [ChangeSet.Update] {
        func isUnique(_ change: ChangeSet.Change, _ update: ChangeSet.Update) -> Bool {
            store.entities[update.entity].uniqueProperties.contains(change.property)
        }
        guard changes.updates.count + changes.insertions.count > 1 else { return changes.updates }
        let count = changes.updates.count { update in update.changes.contains { isUnique($0, update) } }
        guard count > 1 || count > 0 && !changes.insertions.isEmpty else { return changes.updates }
        var updates: [ChangeSet.Update] = []
        for update in changes.updates {
            let entity = store.entities[update.entity]
            let released = update.changes.filter { isUnique($0, update) }
            guard !released.isEmpty else {
                updates.append(update)
                continue
            }
            let columns = released.map { entity.column(of: $0.property) }
            try connection.run(
                "UPDATE \(entity.table) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) "
                    + "WHERE \"_id\" = ?\(columns.map { " AND \($0) IS ?" }.joined())",
                [.integer(update.row)] + released.map(\.old))
            let isReleased = connection.database.changes > 0
            let rest = update.changes.map { change in
                isReleased && isUnique(change, update)
                    ? ChangeSet.Change(property: change.property, old: .null, new: change.new) : change
            }
            updates.append(ChangeSet.Update(entity: update.entity, row: update.row, changes: rest))
        }
        return updates
    }

    /// - Parameter original: The update with the values before any were released.
    private func write(
        _ update: ChangeSet.Update, _ original: ChangeSet.Update, _ outcome: inout SaveOutcome,
        _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        let entity = store.entities[update.entity]
        let columns = update.changes.map { entity.column(of: $0.property) }
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let bases = columns.map { " AND \($0) IS ?" }.joined()
        let values = update.changes.map { $0.isRelationship ? saved($0.new, outcome) : $0.new }
        try run(
            "UPDATE \(entity.table) SET \(assignments) WHERE \"_id\" = ?\(bases)",
            values + [.integer(update.row)] + update.changes.map(\.old), for: update)
        if connection.database.changes == 0 { return try merge(update, original, values, &outcome, &conflicts) }
        try mark(original.changes.map { ($0.property, $0.old) }, of: update.row, entity)
    }

    /// Saves a row that others changed since it was read, by the merge policy.
    private func merge(
        _ update: ChangeSet.Update, _ original: ChangeSet.Update, _ values: [StoredValue],
        _ outcome: inout SaveOutcome, _ conflicts: inout [AttributeConflict]
    ) throws(StoreError) {
        let entity = store.entities[update.entity]
        let id = ObjectID(entity: entity.name, row: update.row, store: store.identity)
        let columns = update.changes.map { entity.column(of: $0.property) }
        let list = columns.joined(separator: ", ")
        let statement = try connection.cached("SELECT \(list) FROM \(entity.table) WHERE \"_id\" = ?")
        try statement.bind([.integer(update.row)])
        defer { statement.reset() }
        guard try statement.step() else {
            throw StoreError(
                .missingObject, "cannot save the object \(id): others deleted it",
                advice: "roll back, or delete it, too",
                entity: entity.name)
        }
        let storedValues = update.changes.indices.map { statement.value(at: $0) }
        statement.reset()
        var kept: [(column: String, value: StoredValue)] = []
        var marked: [(property: PropertyIndex, previous: StoredValue)] = []
        for (index, change) in update.changes.enumerated() {
            // Equal values conflict as well: two contexts that count from 5 to 6 have counted twice. Equal targets do not.
            let stored = storedValues[index]
            var isConflict = stored != change.old && entity.canonical(stored, of: change.property) != change.old
            if isConflict, change.isRelationship, stored == values[index] { continue }
            // The deletion of the earlier target, which the object has left, has cleared the column.
            if isConflict, stored.isNull, let target = change.old.integer,
                case .relationship(let index) = change.property
            {
                let destination = store.entities[entity.relationships[index].destination]
                isConflict = try connection.missing(of: [target], in: destination) == nil
            }
            if isConflict, policy == .throwConflict {
                conflicts.append(
                    AttributeConflict(
                        object: id, property: entity.name(of: change.property), base: change.old, mine: values[index],
                        theirs: stored))
            } else if !isConflict || policy == .objectWins {
                kept.append((columns[index], values[index]))
                let isOthers = isConflict && stored != values[index]
                marked.append((change.property, isOthers ? stored : original.changes[index].old))
            }
        }
        outcome.merged.append(ChangeSet.RowID(entity: update.entity, row: update.row))
        guard !kept.isEmpty else { return }
        let assignments = kept.map { "\($0.column) = ?" }.joined(separator: ", ")
        try run(
            "UPDATE \(entity.table) SET \(assignments) WHERE \"_id\" = ?", kept.map(\.value) + [.integer(update.row)],
            for: update)
        guard connection.database.changes > 0 else {
            throw StoreError(
                .constraint, "cannot save the object \(id): a trigger of the table ignores the update",
                advice: "drop or correct the trigger, which another program has created", entity: entity.name)
        }
        try mark(marked, of: update.row, entity)
    }

    private func run(_ sql: String, _ values: [StoredValue], for update: ChangeSet.Update) throws(StoreError) {
        do {
            try connection.run(sql, values)
        } catch  where error.kind == .constraint {
            let entity = store.entities[update.entity]
            let identity = entity.identity.map { "\(entity.name).\(entity.description.attributes[$0].name)" }
            throw error.message.hasSuffix(": " + identity.joined(separator: ", "))
                ? identityTaken(update.row, entity, "by another object")
                : notUnique(error, entity, update.row) { (property) throws(StoreError) in
                    if let change = update.changes.first(where: { $0.property == property }) { return change.new }
                    return try connection.cached(
                        "SELECT \(entity.column(of: property)) FROM \(entity.table) WHERE \"_id\" = ?"
                    )
                    .rows([.integer(update.row)]).first?.first
                }
        }
    }
}
