/// Deletes rows, including all references to them in other tables.
struct RowDeletion {
    private let store: any StoredEntities
    private let connection: StoreConnection
    /// The rows whose required relationship was set to NULL, by entity and relationship.
    private var cleared: [[Int]: [Int64]] = [:]
    /// The rows whose to-one relationship was set to NULL, and those whose lists lost a deleted row.
    private var touched = CommitChanges()
    /// The number of objects that an error names.
    private static let namedObjects = 20

    init(_ store: any StoredEntities, _ connection: StoreConnection) {
        self.store = store
        self.connection = connection
    }

    /// Returns the identities of rows that are about to be deleted, for responses that are awaited; empty without any.
    func identities(of rows: [Int64], _ entity: StoredEntity) throws(StoreError) -> [[StoredValue]] {
        guard store.isAwaitingResponses, !entity.identity.isEmpty, !rows.isEmpty else { return [] }
        let columns = entity.identity.map { entity.column(of: .attribute($0)) }.joined(separator: ", ")
        let found = try connection.cached(
            "SELECT \(columns) FROM \(entity.table) WHERE \"_id\" IN (SELECT value FROM json_each(?))"
        ).rows([.rows(rows[...])])
        return found.filter { !$0.contains(.null) }.map { values in
            zip(entity.identity, values).map { entity.canonical($1, of: .attribute($0)) }
        }
    }

    /// Deletes rows of an entity, without the delete rules of its relationships.
    mutating func delete(_ rows: [Int64], of entity: StoredEntity) throws(StoreError) {
        guard let last = rows.max() else { return }
        let list = StoredValue.rows(rows[...])
        let isListed = "IN (SELECT value FROM json_each(?))"
        try PendingConnections(store, connection).requeue(for: list, of: entity)
        try noteLists(with: list, of: entity)
        // No row may refer to a missing row.
        for reference in store.references(to: entity) {
            if let (other, index) = reference.toOne {
                let rows = try connection.rows(
                    "SELECT \"_id\" FROM \(other.table) WHERE \(reference.column) \(isListed)", [list])
                if rows.isEmpty { continue }
                touched.update(rows, other.index)
                if other.relationships[index].isRequired { cleared[[other.index, index], default: []] += rows }
            }
            try connection.run(reference.removal(where: isListed), [list])
        }
        try connection.run(
            "DELETE FROM \"_mappingkit_pending\" WHERE \"entity\" = ? AND \"row\" \(isListed)",
            [.text(entity.name), list])
        if store.keepsUnsent { try UnsentMarks(connection)?.removeAll(of: list, entity) }
        try RowMarks.raise(to: last, for: entity.name, connection)
        try connection.run("DELETE FROM \(entity.table) WHERE \"_id\" \(isListed)", [list])
    }

    /// Records the owners of lists with rows that are about to be deleted.
    private mutating func noteLists(with rows: StoredValue, of entity: StoredEntity) throws(StoreError) {
        for owner in store.entities {
            for (index, relationship) in owner.relationships.enumerated()
            where relationship.isToMany && relationship.destination == entity.index {
                let (table, source, target) = owner.links(of: index, in: store.entities)
                let owners = try connection.rows(
                    "SELECT DISTINCT \(source) FROM \(table) WHERE \(target) IN (SELECT value FROM json_each(?)) "
                        + "AND \(source) IS NOT NULL", [rows])
                for row in owners { touched.changeList(index, of: row, owner.index) }
            }
        }
    }

    /// Returns what the deletions have changed in other rows since the last call.
    mutating func takeTouched() -> CommitChanges {
        defer { touched = CommitChanges() }
        return touched
    }

    /// Records that a to-one relationship was set to NULL.
    mutating func didClear(_ source: RowRelationship) {
        guard source.relationship.isRequired else { return }
        cleared[[source.entity.index, source.index], default: []].append(source.row)
    }

    /// Rejects deletions that leave rows without a required object, when everything is written.
    ///
    /// - Throws: `StoreError` of kind `invalidObjects` that names the first of these rows.
    mutating func checkRequired() throws(StoreError) {
        guard !cleared.isEmpty else { return }
        var (problems, count): ([ObjectProblem], Int) = ([], 0)
        for (key, rows) in cleared.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let (entity, name) = (store.entities[key[0]], store.entities[key[0]].relationships[key[1]].name)
            // Others were deleted as well, or received another object.
            let left = try connection.rows(
                "SELECT \"_id\" FROM \(entity.table) WHERE \"_id\" IN (SELECT value FROM json_each(?)) "
                    + "AND +\(entity.relationships[key[1]].column) IS NULL ORDER BY \"_id\"",
                [.rows(rows[...])])
            count += left.count
            problems += left.prefix(Self.namedObjects - problems.count).map { row in
                ObjectProblem(
                    object: ObjectID(entity: entity.name, row: row, store: store.identity), property: name,
                    message: "an object is required, and it is deleted or removed")
            }
        }
        cleared = [:]
        guard let first = problems.first else { return }
        throw StoreError(
            .invalidObjects,
            count == 1
                ? "1 object would lose an object that it requires, nothing was written"
                : "\(count) objects would lose an object that they require, nothing was written",
            advice: "delete these objects as well, or assign other objects to the relationship",
            entity: first.object.entity, problems: problems)
    }

    /// Returns rows and those that their delete rules delete with them, by entity.
    ///
    /// - Parameters:
    ///   - kept: Targets to which delete rules do not apply. Defaults to none.
    ///   - summary: The message of an error. Defaults to that of a deletion by a query.
    /// - Throws: `StoreError` of kind `invalidObjects` if a rule denies the deletion.
    func rowsWithCascade(
        _ rows: [Int: Set<Int64>], keeping kept: Set<ChangeSet.KeptTarget> = [],
        summary: String = "cannot delete the objects, nothing was deleted"
    ) throws(StoreError) -> [Int: Set<Int64>] {
        var all = rows
        var pending = rows.map { (entity: store.entities[$0.key], rows: $0.value.sorted()) }
        while let (entity, rows) = pending.popLast() {
            for (index, relationship) in entity.relationships.enumerated() where relationship.deleteRule == .cascade {
                let destination = store.entities[relationship.destination]
                var new: [Int64] = []
                for (_, target) in try links(of: rows, entity, index, keeping: kept)
                where all[destination.index, default: []].insert(target).inserted {
                    new.append(target)
                }
                if !new.isEmpty { pending.append((destination, new.sorted())) }
            }
        }
        var problems: [ObjectProblem] = []
        for (index, rows) in all.sorted(by: { $0.key < $1.key }) {
            let entity = store.entities[index]
            for (index, relationship) in entity.relationships.enumerated() where relationship.deleteRule == .deny {
                let deleted = all[relationship.destination] ?? []
                let left = try links(of: rows.sorted(), entity, index, keeping: kept)
                    .filter { !deleted.contains($0.target) }
                problems += Set(left.map(\.source)).sorted().map { row in
                    ObjectProblem(
                        object: ObjectID(entity: entity.name, row: row, store: store.identity),
                        property: relationship.name,
                        message: Self.denial(relationship.name))
                }
            }
        }
        guard let problem = problems.first else { return all }
        throw StoreError(.invalidObjects, summary, entity: problem.object.entity, problems: problems)
    }

    /// The message for an object whose deletion a rule denies.
    static func denial(_ relationship: String) -> String {
        "cannot be deleted while '\(relationship)' has objects (delete rule .deny)"
    }

    /// Returns the targets of a relationship to which its delete rule applies.
    private func links(
        of rows: [Int64], _ entity: StoredEntity, _ index: Int, keeping kept: Set<ChangeSet.KeptTarget>
    ) throws(StoreError) -> [(source: Int64, target: Int64)] {
        let (table, source, target) = entity.links(of: index, in: store.entities)
        let statement = try connection.cached(
            "SELECT \(source), \(target) FROM \(table) WHERE \(source) IN (SELECT value FROM json_each(?)) "
                + "AND \(target) IS NOT NULL")
        try statement.bind(.rows(rows[...]), at: 1)
        defer { statement.reset() }
        var links: [(Int64, Int64)] = []
        while try statement.step() {
            let target = statement.integer(at: 1)
            let isKept =
                !kept.isEmpty
                && kept.contains(ChangeSet.KeptTarget(entity: entity.index, relationship: index, target: target))
            if !isKept { links.append((statement.integer(at: 0), target)) }
        }
        return links
    }
}
