/// An observation of a query: the objects of the last step, and the commits that it includes.
final class QueryObserver<Object: ManagedObjectClass> {
    private let core: ContextCore
    private let query: QueryDescription
    private let sectionName: ((Object) -> String)?
    /// The position in the log of commits.
    private let number: Int
    private var objects: [Object] = []
    /// The rows of the objects of the last step; those that left the context have numbers that no row has.
    private var rows: [Int64] { objects.enumerated().map { $1.row == 0 ? .min + Int64($0) : $1.row } }
    /// The entities that the query reads; `nil` before the first step.
    private var entities: Set<Int>?
    private var isFinished = false

    init(_ core: ContextCore, _ query: QueryDescription, _ sectionName: ((Object) -> String)?) {
        (self.core, self.query, self.sectionName) = (core, query, sectionName)
        let store = core.store
        number = store.commits.addContext().context
        store.signal.addObserver(of: core.number) { [weak store] in store?.lookForOtherProcesses() }
    }

    deinit {
        core.store.commits.removeContext(number)
        core.store.signal.removeObserver(of: core.number)
    }

    /// Returns the next change; `nil` at the end.
    nonisolated(nonsending) func next() async throws(StoreError) -> QueryChange<Object>? {
        guard !isFinished else { return nil }
        isFinished = true
        let store = core.store
        while true {
            // Counted first: what happens afterwards ends the wait.
            let signals = store.signal.count
            guard !Task.isCancelled else { break }
            // First: the main context ends together with the store.
            try store.pool.checkOpen()
            guard core.isOpen else { break }
            let (last, changes) = store.commits.changes(for: number)
            if let change = try await step(changes) {
                store.commits.didMerge(last, by: number)
                isFinished = false
                return change
            }
            store.commits.didMerge(last, by: number)
            await store.signal.wait(after: signals)
        }
        objects = []
        return nil
    }

    /// Returns the change by commits; `nil` if the objects are the same.
    private nonisolated(nonsending) func step(_ changes: CommitChanges?) async throws(StoreError) -> QueryChange<
        Object
    >? {
        let entity = try core.store.entity(of: query, Object.self)
        let isInitial = entities == nil
        guard isInitial || changes.map(affectsQuery) ?? false else { return nil }
        if isInitial { entities = try query.entities(of: entity, in: core.store) }
        let (new, difference) = try await read(entity)
        // The context may have ended meanwhile.
        guard core.isOpen, !Task.isCancelled else { return nil }
        let updated = isInitial ? [] : updates(by: changes, difference, of: new, entity)
        objects = new
        guard isInitial || !difference.isEmpty || !updated.isEmpty else { return nil }
        return QueryChange(
            objects: new, sections: sections(of: new), isInitial: isInitial, deleted: difference.deleted,
            inserted: difference.inserted,
            moved: difference.moved.map { QueryChange.Move(from: $0.from, to: $0.to) }, updated: updated)
    }

    private func affectsQuery(_ changes: CommitChanges) -> Bool {
        guard !changes.isEverything, let entities else { return true }
        return changes.rows.keys.contains(where: entities.contains)
            || changes.lists.keys.contains { entities.contains($0.entity) }
    }

    // MARK: Reads

    /// Reads the objects, and compares them with the previous ones.
    private nonisolated(nonsending) func read(
        _ entity: StoredEntity
    ) async throws(StoreError) -> (objects: [Object], difference: QueryDifference) {
        // Few objects are new: row numbers are read and compared on another thread, and the others are known.
        if !objects.isEmpty, query.prefetches.isEmpty, core.dirty.objects.isEmpty,
            let known = try await readNewObjects(entity)
        {
            return known
        }
        let query = query
        let new = try await core.reading { () throws(StoreError) in try core.fetch(query, entity) }.known(
            as: Object.self)
        return (new, QueryDifference(from: rows, to: new.map(\.row)))
    }

    /// Reads the objects that were not among the previous ones.
    ///
    /// - Returns: `nil` if all objects have to be read: because of unsaved changes, or of many new or deleted objects.
    private nonisolated(nonsending) func readNewObjects(
        _ entity: StoredEntity
    ) async throws(StoreError) -> (objects: [Object], difference: QueryDifference)? {
        await core.waitForSave()
        let (found, difference) = try await core.rows(query, entity, comparedWith: rows)
        guard difference.inserted.count <= FetchBatch.size else { return nil }
        let inserted = difference.inserted.map { found[$0] }
        let read = try await core.reading { () throws(StoreError) in
            try core.prepareFetch()
            return try core.read(entity, rows: inserted.sorted(), isFetch: true)
        }
        guard core.dirty.objects.isEmpty, read.count == inserted.count else { return nil }
        let byRow = Dictionary(uniqueKeysWithValues: read.known(as: Object.self).map { ($0.row, $0) })
        let new = difference.applied(to: objects, inserting: inserted.compactMap { byRow[$0] })
        return (new, difference)
    }

    /// Returns the positions of the previous objects that commits have written.
    private func updates(
        by changes: CommitChanges?, _ difference: QueryDifference, of new: [Object], _ entity: StoredEntity
    ) -> [Int] {
        guard let changes else { return [] }
        let isKept = { difference.isKept($0, of: new.count) }
        if changes.isAll(entity.index) { return new.indices.filter(isKept) }
        var rows = Set(changes.rows[entity.index]?.updated ?? [])
        for (relationship, owners) in changes.lists where relationship.entity == entity.index {
            guard case .rows(let owners) = owners else { return new.indices.filter(isKept) }
            rows.formUnion(owners)
        }
        guard !rows.isEmpty else { return [] }
        return new.indices.filter { rows.contains(new[$0].row) && isKept($0) }
    }

    private func sections(of objects: [Object]) -> [QueryChange<Object>.Section] {
        guard let sectionName else { return [] }
        var sections: [QueryChange<Object>.Section] = []
        for (index, object) in objects.enumerated() {
            let name = sectionName(object)
            let start = sections.last?.name == name ? sections.removeLast().range.lowerBound : index
            sections.append(QueryChange.Section(name: name, range: start..<index + 1))
        }
        return sections
    }
}

extension QueryDescription {
    /// Returns the entities whose changes can change the result.
    fileprivate func entities(of entity: StoredEntity, in store: ManagedObjectStore) throws(StoreError) -> Set<Int> {
        var scope = QueryScope(try FlatCondition(condition), sortKeys)
        for path in prefetches { scope.add(path.hops) }
        return scope.entities(of: entity, in: store)
    }
}

extension ContextCore {
    /// Reads the rows of a query in the store, and compares them with others, on another thread.
    fileprivate nonisolated(nonsending) func rows(
        _ query: QueryDescription, _ entity: StoredEntity, comparedWith old: [Int64]
    ) async throws(StoreError) -> (rows: [Int64], difference: QueryDifference) {
        var sql = QuerySQL(store)
        let text = try sql.select(query, sql.frame(of: entity)) { _ in "\(entity.table).\"_id\"" }
        let (store, arguments, name) = (store, sql.arguments, entity.name)
        let result = await withCheckedContinuation { continuation in
            reads.queue.async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        let rows = try store.read { (connection) throws(StoreError) in
                            try connection.cached(reading: text).rows(arguments).map { $0[0].integer ?? 0 }
                        }
                        if let last = rows.max() { try RowMarks.check(last, in: name) }
                        return (rows, QueryDifference(from: old, to: rows))
                    })
            }
        }
        return try result.get()
    }
}
