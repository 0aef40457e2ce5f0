/// Fetching objects by queries.
extension ContextCore {
    /// Updates the context before it reads.
    func prepareFetch() throws(StoreError) {
        reconcile()
        reads.releaseTargets()
        try merge()
    }

    /// Returns the objects of a query, including unsaved changes.
    func fetch(_ query: QueryDescription, _ entity: StoredEntity) throws(StoreError) -> [ManagedObject] {
        try prepareFetch()
        let objects: [ManagedObject]
        if dirty.objects.isEmpty {
            objects = try fetchSaved(query, entity)
        } else {
            objects = try fetchMerged(query, entity)
        }
        for path in query.prefetches { try prefetch(path, of: objects, entity) }
        return objects
    }

    /// Returns the objects of a query in the store.
    private func fetchSaved(_ query: QueryDescription, _ entity: StoredEntity) throws(StoreError) -> [ManagedObject] {
        var sql = QuerySQL(store)
        let text = try sql.select(query, sql.frame(of: entity)) { _ in entity.statements.selection }
        return try objects(entity, text, sql.arguments)
    }

    /// Returns the objects of a statement that selects the columns of an entity.
    func objects(
        _ entity: StoredEntity, _ text: String, _ arguments: [StoredValue]
    ) throws(StoreError) -> [ManagedObject] {
        try read(text, arguments) { (rows) throws(StoreError) in
            try objects(entity, rows, isFetch: true)
        }
    }

    // MARK: Unsaved changes

    /// Returns the rows of the store that no change can affect, and evaluates the others in memory.
    private func fetchMerged(_ query: QueryDescription, _ entity: StoredEntity) throws(StoreError) -> [ManagedObject] {
        let condition = try FlatCondition(query.condition)
        let affected = try affectedObjects(QueryScope(condition, query.sortKeys), entity)
        guard !affected.rows.isEmpty else { return try fetchSaved(query, entity) }
        var all = query
        all.offset = 0
        // At most the affected rows can be missing from the first rows.
        all.limit = query.limit.flatMap { limit in
            let (end, overflow) = limit.addingReportingOverflow(query.offset)
            return overflow || end > Int.max / 2 ? nil : end + affected.rows.count
        }
        let saved = try fetchSaved(all, entity).filter { !affected.rows.contains($0.row) }
        let evaluator = QueryEvaluator(self, condition, query.sortKeys)
        var changed: [(object: ManagedObject, values: [StoredValue])] = []
        for object in affected.objects where try evaluator.matches(object) {
            changed.append((object, evaluator.sortValues(of: object)))
        }
        changed.sort { evaluator.isOrdered($0, before: $1) }
        let merged = merge(changed, into: saved, evaluator)
        return Array(merged.dropFirst(query.offset).prefix(query.limit ?? .max))
    }

    private func merge(
        _ changed: [(object: ManagedObject, values: [StoredValue])], into saved: [ManagedObject],
        _ evaluator: QueryEvaluator
    ) -> [ManagedObject] {
        var merged: [ManagedObject] = []
        merged.reserveCapacity(saved.count + changed.count)
        var start = 0
        for object in changed {
            // Reading values is expensive: the position is found by binary search.
            var (low, high) = (start, saved.count)
            while low < high {
                let middle = (low + high) / 2
                let other = (saved[middle], evaluator.sortValues(of: saved[middle]))
                if evaluator.isOrdered(object, before: other) { high = middle } else { low = middle + 1 }
            }
            merged += saved[start..<low]
            merged.append(object.object)
            start = low
        }
        return merged + saved[start...]
    }

    /// Returns the rows that changes can affect, and their objects except for deleted ones.
    private func affectedObjects(
        _ scope: QueryScope, _ entity: StoredEntity
    ) throws(StoreError) -> (rows: Set<Int64>, objects: [ManagedObject]) {
        var changed: [Int: Set<Int64>] = [:]
        for object in dirty.objects where object.core === self {
            guard let phase = object.state?.phase, phase != .clean, phase != .detached else { continue }
            changed[Int(object.entityIndex), default: []].insert(object.row)
        }
        guard !changed.isEmpty else { return ([], []) }
        var (rows, ends) = scope.affectedRows(of: entity, self, changed: changed)
        for end in ends {
            var sql = QuerySQL(store)
            let text = try sql.selectRows(of: entity, from: end.rows, at: end.path)
            rows.formUnion(try values(text, sql.arguments).compactMap { $0[0].integer })
        }
        var objects: [ManagedObject] = []
        var missing: [Int64] = []
        for row in rows {
            if let object = registries[entity.index][row] {
                if object.state?.phase != .deleted { objects.append(object) }
            } else if row > 0 {
                missing.append(row)
            }
        }
        if !missing.isEmpty { objects += try read(entity, rows: missing.sorted()) }
        return (rows, objects)
    }

    /// Returns the rows of a query in the store.
    func rows(_ query: QueryDescription, _ entity: StoredEntity) throws(StoreError) -> [Int64] {
        var sql = QuerySQL(store)
        let text = try sql.selectRows(query, entity)
        return try values(text, sql.arguments).map { columns throws(StoreError) in
            let row = columns[0].integer ?? 0
            try RowMarks.check(row, in: entity.name)
            return row
        }
    }

    /// Returns all rows of a statement.
    func values(_ text: String, _ arguments: [StoredValue]) throws(StoreError) -> [[StoredValue]] {
        try read(text, arguments) { (rows) throws(StoreError) in try rows.values() }
    }

    // MARK: Prefetching

    private func prefetch(_ path: QueryPath, of objects: [ManagedObject], _ entity: StoredEntity) throws(StoreError) {
        var (objects, entity) = (objects, entity)
        for hop in path.hops {
            let property = entity.type.relationships[hop]
            let destination = store.entities[entity.relationships[hop].destination]
            if property.isToMany {
                for object in objects { loadTargets(of: object, hop) }
                objects = objects.flatMap { list(hop, of: $0) ?? [] }
            } else {
                let rows = Set(objects.map { property.row(of: $0) }).filter { $0 != 0 }
                let known = rows.compactMap { registries[destination.index][$0] }
                let missing = rows.filter { $0 > 0 && registries[destination.index][$0] == nil }
                objects = known + (try read(destination, rows: missing.sorted()))
                // The registry does not retain them.
                reads.recentTargets.append(objects)
            }
            entity = destination
        }
    }
}
