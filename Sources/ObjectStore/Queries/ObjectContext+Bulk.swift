extension ObjectContext {
    /// Changes all objects of a query in the store, in one transaction and without reading them.
    ///
    /// ```swift
    /// let count = try context.update(ProjectTask.where { $0.hours > 8 }) {
    ///     $0.set(\.name, to: "too long")
    ///     $0.set(\.assignedUser, to: nil)
    /// }
    /// ```
    ///
    /// The query and the update apply to the store only. Objects of the context receive the new values; their unsaved
    /// changes remain. Values are not validated, and hooks are not called. Unresolved connections are updated like in a
    /// save.
    ///
    /// - Returns: The number of objects.
    /// - Throws: `StoreError`, of kind `constraint` if two objects would have the same identity or the same value of a
    ///   unique attribute (see ``StoreError/violation``), `missingObject` if the target of a
    ///   relationship is not in the store.
    @discardableResult public func update<Object>(
        _ query: ObjectQuery<Object>, _ changes: (inout QueryChanges<Object>) -> Void
    ) throws(StoreError) -> Int {
        try core.run(bulkUpdate(query, changes))
    }

    func bulkUpdate<Object>(
        _ query: ObjectQuery<Object>, _ changes: (inout QueryChanges<Object>) -> Void
    ) throws(StoreError) -> BulkChange<(rows: [Int64], commit: CommitChanges)> {
        // First: the closure is code of the program.
        var list = QueryChanges<Object>(query.names)
        changes(&list)
        if let problem = list.problem { throw problem }
        try core.hooks.check("update(_:_:)")
        let store = core.store
        let entity = try store.entity(of: query)
        var values: [(property: PropertyIndex, value: StoredValue)] = []
        var links: [(table: RelationshipStorage.LinkTable, owner: Int64?)] = []
        var targets: [(relationship: StoredEntity.Relationship, row: Int64)] = []
        for change in list.changes {
            switch change {
            case .attribute(let attribute, let value):
                if let property = entity.property(named: attribute.name) { values.append((property, value)) }
            case .relationship(let index, let id):
                let relationship = entity.relationships[index]
                if id == nil, relationship.isRequired {
                    throw StoreError(
                        .misuse, "an object is required for '\(relationship.name)', found nil", entity: entity.name)
                }
                let row = try id.map { id throws(StoreError) in try core.savedRow(id) }
                if let table = try core.listTable(of: relationship, entity) { links.append((table, row)) }
                if let row { targets.append((relationship, row)) }
                values.append((.relationship(index), .row(row)))
            }
        }
        let (assigned, moved, checked) = (values, links, targets)
        return BulkChange { (connection) throws(StoreError) in
            var commit = CommitChanges()
            guard !assigned.isEmpty else { return ([], commit) }
            for (relationship, row) in checked { try store.checkTarget(row, of: relationship, entity, connection) }
            let rows = try connection.rows(query.definition, entity, store)
            let list = StoredValue.rows(rows[...])
            for (property, value) in assigned {
                try commit.noteLists(of: list, entity, property, value, store, connection)
            }
            do throws(StoreError) {
                let assignments = assigned.map { "\(entity.column(of: $0.property)) = ?" }.joined(separator: ", ")
                try connection.run(
                    "UPDATE \(entity.table) SET \(assignments) "
                        + "WHERE \"_id\" IN (SELECT value FROM json_each(?))", assigned.map(\.value) + [list])
            } catch {
                throw entity.uniqueViolation(error, "cannot update objects, nothing was changed") { property in
                    assigned.first { $0.property == property }?.value
                }
            }
            for (table, owner) in moved { try connection.move(list, to: owner, in: table) }
            let properties = assigned.map(\.property)
            var connections = ConnectionUpdate(store, connection)
            try connections.update(rows, of: entity, assigning: properties)
            if entity.isTarget, properties.contains(where: entity.uniqueProperties.contains) {
                try connections.connectWaiting(for: [entity.index: rows])
            }
            commit.update(rows, entity.index)
            commit.formUnion(connections.touched)
            return (rows, commit)
        } commit: {
            $0.commit
        } finish: {
            $0.rows.count
        }
    }

    /// Deletes all objects of a query from the store, in one transaction and without reading them.
    ///
    /// Relationships and delete rules are handled like in ``delete(_:)-(ManagedObject)`` and a save: objects of
    /// `.cascade` are deleted as well, and `.deny` prevents the deletion. The query applies to the store only. Deleted
    /// objects leave the context.
    ///
    /// ```swift
    /// let count = try context.delete(ProjectTask.where { $0.isDone == true })
    /// ```
    ///
    /// - Returns: The number of objects of the query.
    /// - Throws: `StoreError`, of kind `invalidObjects` with all objects that cannot be deleted.
    @discardableResult public func delete<Object>(_ query: ObjectQuery<Object>) throws(StoreError) -> Int {
        try core.run(bulkDeletion(query))
    }

    func bulkDeletion<Object>(
        _ query: ObjectQuery<Object>
    ) throws(StoreError) -> BulkChange<(count: Int, deleted: [Int: Set<Int64>], commit: CommitChanges)> {
        try core.hooks.check("delete(_:)")
        let (core, store) = (core, core.store)
        let entity = try store.entity(of: query)
        return BulkChange(author: core.number) { (connection) throws(StoreError) in
            let rows = try connection.rows(query.definition, entity, store)
            var deletion = RowDeletion(store, connection)
            let all = try deletion.rowsWithCascade([entity.index: Set(rows)])
            var commit = CommitChanges()
            for (index, rows) in all {
                commit.delete(try deletion.identities(of: rows.sorted(), store.entities[index]), index)
                try deletion.delete(rows.sorted(), of: store.entities[index])
                commit.delete(rows, index)
            }
            try deletion.checkRequired()
            commit.formUnion(deletion.takeTouched())
            return (rows.count, all, commit)
        } commit: { result in
            result.commit
        } finish: { result in
            core.forgetDeleted(result.deleted)
            return result.count
        }
    }

    /// Runs a statement that writes, in one transaction.
    ///
    /// Objects of the tables in the statement become faults: those of this context immediately, those of others at their
    /// next merge point. Objects of rows that no longer exist leave the context. Unsaved changes remain.
    ///
    /// ```swift
    /// try context.write(sql: #"UPDATE "ProjectTask" SET "name" = upper("name") WHERE "hours" > ?"#, arguments: [8])
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One INSERT, UPDATE, DELETE or REPLACE. Tables and columns have the names of entities and properties.
    ///   - arguments: The values of its parameters, in order.
    /// - Returns: The number of changed rows.
    /// - Throws: `StoreError`, of kind `misuse` for another statement or if SQLite rejects it, `constraint` if
    ///   relationships would refer to rows that do not exist.
    @discardableResult public func write(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> Int {
        try core.run(bulkStatement(sql, arguments))
    }

    func bulkStatement(
        _ sql: String, _ arguments: [StoredValue]
    ) throws(StoreError) -> BulkChange<(count: Int, entities: [Int])> {
        try core.hooks.check("write(sql:arguments:)")
        let store = core.store
        return BulkChange(isTransaction: true) { (connection) throws(StoreError) in
            try connection.change(sql, arguments, in: store)
        } commit: {
            CommitChanges(ofAll: $0.entities)
        } finish: {
            $0.count
        }
    }
}

extension ManagedObjectStore {
    /// Returns the rows of a statement that reads.
    ///
    /// ```swift
    /// let sql = #"SELECT "name", count(*) AS "count" FROM "ProjectTask" GROUP BY "name" HAVING count(*) > ?"#
    /// for row in try store.rows(sql: sql, arguments: [1]) { print(row["name"]?.text ?? "-", row["count"]?.integer ?? 0) }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement that only reads. Tables and columns have the names of entities and properties.
    ///   - arguments: The values of its parameters, in order.
    /// - Throws: `StoreError`, of kind `misuse` if SQLite rejects the statement, or if it writes, begins or ends a
    ///   transaction, or changes a setting.
    public func rows(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> [SeedRow] {
        try read { (connection) throws(StoreError) in
            let statement = try connection.cached(reading: sql)
            try statement.bind(arguments)
            defer { statement.reset() }
            let columns = statement.columnNames
            var rows: [SeedRow] = []
            while try statement.step() {
                rows.append(SeedRow(columns: columns, values: columns.indices.map { statement.value(at: $0) }))
            }
            return rows
        }
    }

    /// Runs a statement that writes, in one transaction.
    ///
    /// Contexts make their objects of the tables in the statement faults at their next merge point; unsaved changes
    /// remain. `write(sql:)` of a context does so immediately for its objects.
    ///
    /// - Parameters:
    ///   - sql: One INSERT, UPDATE, DELETE or REPLACE. Tables and columns have the names of entities and properties.
    ///   - arguments: The values of its parameters, in order.
    /// - Returns: The number of changed rows.
    /// - Throws: `StoreError`, of kind `misuse` for another statement or if SQLite rejects it, `constraint` if
    ///   relationships would refer to rows that do not exist.
    @discardableResult public func write(sql: String, arguments: [StoredValue] = []) throws(StoreError) -> Int {
        try write { (connection) throws(StoreError) in
            let written = try connection.change(sql, arguments, in: self)
            didCommit(by: nil) { CommitChanges(ofAll: written.entities) }
            return written.count
        }
    }

    /// Rejects setting a relationship to an object whose row was deleted by others.
    fileprivate func checkTarget(
        _ row: Int64, of relationship: StoredEntity.Relationship, _ entity: StoredEntity, _ connection: StoreConnection
    ) throws(StoreError) {
        let destination = entities[relationship.destination]
        guard try connection.missing(of: [row], in: destination) != nil else { return }
        let id = ObjectID(entity: destination.name, row: row, store: identity)
        throw StoreError(
            .missingObject,
            "cannot set the relationship '\(relationship.name)' of '\(entity.name)': the object \(id) is not in the "
                + "store any more", advice: "fetch the object again", entity: destination.name)
    }
}

extension CommitChanges {
    /// Records the lists that rows are about to leave, and the one that they enter, because a to-one relationship is set.
    fileprivate mutating func noteLists(
        of rows: StoredValue, _ entity: StoredEntity, _ property: PropertyIndex, _ target: StoredValue,
        _ store: ManagedObjectStore, _ connection: StoreConnection
    ) throws(StoreError) {
        guard case .relationship(let index) = property,
            let list = store.entities.inverseList(of: entity.relationships[index])
        else { return }
        let column = entity.relationships[index].column
        let owners = try connection.rows(
            "SELECT DISTINCT \(column) FROM \(entity.table) WHERE \(column) IS NOT NULL "
                + "AND \"_id\" IN (SELECT value FROM json_each(?))", [rows])
        for owner in owners + [target].compactMap(\.integer) {
            changeList(list, of: owner, entity.relationships[index].destination)
        }
    }
}

extension StoreConnection {
    /// Returns the rows of a query.
    fileprivate func rows(
        _ query: QueryDescription, _ entity: StoredEntity, _ store: ManagedObjectStore
    ) throws(StoreError) -> [Int64] {
        var sql = QuerySQL(store)
        let text = try sql.selectRows(query, entity, isOrdered: query.isPage)
        return try rows(text, sql.arguments)
    }

    /// Moves rows to the end of a list, or removes them from all lists.
    fileprivate func move(
        _ rows: StoredValue, to owner: Int64?, in table: RelationshipStorage.LinkTable
    ) throws(StoreError) {
        try run("DELETE FROM \(table.name) WHERE \"target\" IN (SELECT value FROM json_each(?))", [rows])
        guard let owner else { return }
        try run(
            "INSERT INTO \(table.name)(\"owner\", \"target\", \"position\") SELECT ?, value, key + "
                + "(SELECT coalesce(max(\"position\") + 1, 0) FROM \(table.name) WHERE \"owner\" = ?) FROM json_each(?)",
            [.integer(owner), .integer(owner), rows])
    }
}

extension ContextCore {
    fileprivate func savedRow(_ id: ObjectID) throws(StoreError) -> Int64 {
        guard let row = try store.savedRow(of: id) else {
            throw StoreError(
                .missingObject, "the object \(id) has not been saved yet",
                advice: "save the context that inserted it first",
                entity: id.entity)
        }
        return row
    }

    /// Returns the link table of the ordered list that is the inverse of a to-one relationship; `nil` if the relationship has
    /// no inverse or its inverse is not ordered.
    fileprivate func listTable(
        of relationship: StoredEntity.Relationship, _ entity: StoredEntity
    ) throws(StoreError) -> RelationshipStorage.LinkTable? {
        guard let inverse = relationship.inverse else { return nil }
        let destination = store.entities[relationship.destination]
        guard destination.relationships[inverse].isToMany else {
            throw StoreError(
                .misuse,
                "cannot assign the relationship '\(relationship.name)' of '\(entity.name)' in an update: it is "
                    + "one-to-one", advice: "assign it to an object", entity: entity.name)
        }
        return destination.relationships[inverse].linkTable
    }

    /// Makes objects without changes faults.
    fileprivate func makeFaults(where condition: (ManagedObject) -> Bool) {
        for object in registries.flatMap(\.objects) where object.state?.phase ?? .clean == .clean && condition(object) {
            makeFault(object)
        }
    }

    /// Releases the objects of deleted rows.
    fileprivate func forgetDeleted(_ rows: [Int: Set<Int64>]) {
        detachDeleted(rows)
        dirty.keep(where: isChanged)
        makeFaults { _ in true }
        // Unsaved changes remain, but do not refer to deleted objects.
        removeReferences(to: rows, from: dirty.objects)
    }
}
