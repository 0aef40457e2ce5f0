/// An observation of a query: the objects of the last step, and the commits that it includes.
package final class QueryObserver<Object: ManagedObjectClass> {
    /// The outcome of a step.
    package enum Step {
        case changed(QueryChange<Object>)
        case unchanged
        /// The context ended, the task was cancelled, or an earlier step failed.
        case ended
    }

    private let core: ContextCore
    private let query: QueryDescription
    private let sectionName: ((Object) -> String)?
    /// The position in the log of commits.
    private let number: Int
    private let objects = ObservedObjects<Object>()
    /// The rows of the objects in the last step; `nil` if some were not saved, and receive their rows later.
    private var savedRows: [Int64]?
    private var sections: [QueryChange<Object>.Section] = []
    /// The new objects of the last step: a server can assign values to them when they are saved.
    private var unsaved: [Object] = []
    /// The entities that the query reads; `nil` before the first step.
    private var entities: Set<Int>?
    private var isFinished = false
    /// The rows that the commits of the last step have written, also of the first one; `nil` for all rows.
    private var lastWritten: Set<Int64>? = []

    init(_ core: ContextCore, _ query: QueryDescription, _ sectionName: ((Object) -> String)?) {
        (self.core, self.query, self.sectionName) = (core, query, sectionName)
        let store = core.store
        number = store.commits.addContext().context
        store.signal.addObserver(of: core.number) { [weak store] in store?.lookForOtherProcesses() }
    }

    /// Observes a query in a context, without sections.
    package convenience init(_ query: ObjectQuery<Object>, in context: ObjectContext) {
        self.init(context.core, query.definition, nil)
    }

    deinit {
        core.store.commits.removeContext(number)
        core.store.signal.removeObserver(of: core.number)
    }

    /// The number of commits and ends of contexts so far.
    package var signals: Int { core.store.signal.count }

    /// Suspends the task until a commit after a number of signals, or until the task is cancelled.
    package nonisolated(nonsending) func wait(after signals: Int) async { await core.store.signal.wait(after: signals) }

    /// Returns the next change; `nil` at the end.
    nonisolated(nonsending) func next() async throws(StoreError) -> QueryChange<Object>? {
        while true {
            // Counted first: what happens afterwards ends the wait.
            let signals = signals
            switch try await step() {
            case .changed(let change): return change
            case .unchanged: await wait(after: signals)
            case .ended: return nil
            }
        }
    }

    /// Returns the change by the commits since the last step, without waiting for others; not during another step.
    package nonisolated(nonsending) func step() async throws(StoreError) -> Step {
        guard !isFinished else { return .ended }
        isFinished = true
        let store = core.store
        guard !Task.isCancelled else { return ended() }
        // First: the main context ends together with the store.
        try store.pool.checkOpen()
        guard core.isOpen else { return ended() }
        let (last, changes) = store.commits.changes(for: number)
        let change = try await change(by: changes, upTo: last)
        store.commits.didMerge(last, by: number)
        isFinished = false
        return change.map { .changed($0) } ?? .unchanged
    }

    /// The objects in memory that the commits of the last step have written, also those of the first one, which does not
    /// report them.
    package var writtenByStep: Set<ManagedObject> { objects { _ in lastWritten } }

    /// The objects in memory that commits have written since the last step.
    package var writtenSinceStep: Set<ManagedObject> {
        objects { withSaved(written(by: core.store.commits.changes(for: number).1, $0)) }
    }

    private func objects(_ written: (StoredEntity) -> Set<Int64>?) -> Set<ManagedObject> {
        guard let entity = try? core.store.entity(of: query, Object.self) else { return [] }
        let registry = core.registries[entity.index]
        return written(entity).map { rows in Set(rows.compactMap { registry[$0] }) } ?? Set(registry.objects)
    }

    private func ended() -> Step {
        objects.replace(with: [])
        (unsaved, savedRows, sections) = ([], nil, [])
        return .ended
    }

    /// Returns the change by commits up to a number; `nil` if the objects and sections are the same.
    private nonisolated(nonsending) func change(
        by changes: CommitChanges?, upTo last: Int
    ) async throws(StoreError) -> QueryChange<Object>? {
        let entity = try core.store.entity(of: query, Object.self)
        let isInitial = entities == nil
        // A new object was replaced by one that the context already had.
        let isReplaced = unsaved.contains { $0.core !== core }
        guard isInitial || isReplaced || changes.map(affectsQuery) ?? false else { return nil }
        if isInitial { entities = try query.entities(of: entity, in: core.store, hasSections: sectionName != nil) }
        lastWritten = withSaved(written(by: changes, entity))
        let written = isInitial ? [] : written(by: changes, entity)
        let ((found, rows, difference, updated), hasChanged) = try await readMerged(
            entity, written: written, upTo: last, isInitial: isInitial)
        // The context may have ended meanwhile.
        guard core.isOpen, !Task.isCancelled else { return nil }
        switch found {
        case .all(let all): objects.replace(with: all)
        case .inserted(let inserted): objects.apply(difference, inserting: inserted)
        }
        let new = objects.all
        // Few rows are negative, and most objects are not in the processor's cache.
        savedRows = rows.allSatisfy { $0 > 0 } ? rows : nil
        unsaved = savedRows == nil ? new.filter { $0.row < 0 } : []
        // After the merge: names can be those of related objects.
        let formerSections = sections
        sections = sectionName.map { QueryChange<Object>.Section.sections(of: new, by: $0) } ?? []
        guard hasChanged || sections != formerSections else { return nil }
        return QueryChange(
            objects: new, sections: sections, isInitial: isInitial, deleted: difference.deleted,
            inserted: difference.inserted,
            moved: difference.moved.map { QueryChange.Move(from: $0.from, to: $0.to) }, updated: updated)
    }

    private func affectsQuery(_ changes: CommitChanges) -> Bool {
        guard !changes.isEverything, let entities else { return true }
        return changes.rows.keys.contains(where: entities.contains)
            || changes.lists.keys.contains { entities.contains($0.entity) }
    }

    // MARK: Reads

    /// The objects that were read.
    private enum Found {
        case all([Object])
        /// Those that were not among the previous ones, in their order.
        case inserted([Object])
    }

    private typealias Reading = (objects: Found, rows: [Int64], difference: QueryDifference, updated: [Int])

    /// The rows of the objects.
    private var rows: [Int64] {
        // The rows of saved objects are constant. A reset of the context detaches all of its objects.
        if let savedRows, objects.all.first?.row == savedRows.first { return savedRows }
        return objects.all.distinctRows
    }

    /// The number of times that a step reads while others commit; the last time, it reads all objects.
    private static var maximumOfReads: Int { 4 }

    /// Reads the objects, and merges the commits up to a number.
    ///
    /// A later commit that is merged after the rows were read can have deleted objects, and changed their sections: the step
    /// reads again then.
    private nonisolated(nonsending) func readMerged(
        _ entity: StoredEntity, written: Set<Int64>?, upTo last: Int, isInitial: Bool
    ) async throws(StoreError) -> (Reading, hasChanged: Bool) {
        var count = 0
        while true {
            count += 1
            let first = core.store.commits.lastNumber
            let reading = try await read(entity, written: written, readsAll: count == Self.maximumOfReads)
            let hasChanged = isInitial || !reading.difference.isEmpty || !reading.updated.isEmpty
            // A merge leaves out commits that are later than rows that were read ahead.
            if hasChanged || sectionName != nil, core.merges.last < last { try await core.merge(upTo: last) }
            if core.merges.last <= first || count == Self.maximumOfReads { return (reading, hasChanged) }
        }
    }

    /// Reads the objects, and compares them with the previous ones.
    private nonisolated(nonsending) func read(
        _ entity: StoredEntity, written: Set<Int64>?, readsAll: Bool
    ) async throws(StoreError) -> Reading {
        // Few objects are new: row numbers are read and compared on another thread, and the others are known.
        if !readsAll, !objects.all.isEmpty, query.prefetches.isEmpty, core.dirty.objects.isEmpty,
            let known = try await readNewObjects(entity, written: written)
        {
            return known
        }
        let query = query
        let new = try await core.reading { () throws(StoreError) in try core.fetch(query, entity) }.known(
            as: Object.self)
        let rows = new.map(\.row)
        let difference = QueryDifference(from: self.rows, to: rows)
        return (.all(new), rows, difference, difference.updates(in: rows, written: withSaved(written)))
    }

    /// Reads the objects that were not among the previous ones.
    ///
    /// - Returns: `nil` if all objects have to be read: because of unsaved changes, or of many new or deleted objects.
    private nonisolated(nonsending) func readNewObjects(
        _ entity: StoredEntity, written: Set<Int64>?
    ) async throws(StoreError) -> Reading? {
        await core.waitForSave()
        let (found, difference, updated) = try await core.rows(
            query, entity, comparedWith: rows, withSaved(written), of: objects)
        guard difference.inserted.count <= FetchBatch.size else { return nil }
        let inserted = difference.inserted.map { found[$0] }
        let read = try await core.reading { () throws(StoreError) in
            try core.prepareFetch()
            return try core.read(entity, rows: inserted.sorted(), isFetch: true)
        }
        guard core.dirty.objects.isEmpty, read.count == inserted.count else { return nil }
        let byRow = Dictionary(uniqueKeysWithValues: read.known(as: Object.self).map { ($0.row, $0) })
        return (.inserted(inserted.compactMap { byRow[$0] }), found, difference, updated)
    }

    /// Returns rows with those of the objects that were new in the last step and have been saved since, when a save in
    /// progress has ended.
    private func withSaved(_ rows: Set<Int64>?) -> Set<Int64>? {
        unsaved.isEmpty ? rows : rows?.union(unsaved.map(\.row).filter { $0 > 0 })
    }

    /// Returns the rows of the entity that commits have written; `nil` for all rows.
    private func written(by changes: CommitChanges?, _ entity: StoredEntity) -> Set<Int64>? {
        guard let changes else { return [] }
        if changes.isAll(entity.index) { return nil }
        var rows = Set(changes.rows[entity.index]?.updated ?? [])
        for (relationship, owners) in changes.lists where relationship.entity == entity.index {
            guard case .rows(let owners) = owners else { return nil }
            rows.formUnion(owners)
        }
        return rows
    }
}

extension QueryDescription {
    /// Returns the entities whose changes can change the result.
    ///
    /// - Parameter hasSections: Whether the targets of to-one relationships can change the names of sections.
    fileprivate func entities(
        of entity: StoredEntity, in store: ManagedObjectStore, hasSections: Bool
    ) throws(StoreError) -> Set<Int> {
        var scope = QueryScope(try FlatCondition(condition), sortKeys)
        for path in prefetches { scope.add(path.hops) }
        if hasSections { for relationship in entity.toOnes { scope.add([relationship]) } }
        return scope.entities(of: entity, in: store)
    }
}

extension ContextCore {
    /// Reads the rows of a query in the store, and compares them with those of objects, on another thread.
    fileprivate nonisolated(nonsending) func rows<Object>(
        _ query: QueryDescription, _ entity: StoredEntity, comparedWith old: [Int64], _ written: Set<Int64>?,
        of objects: ObservedObjects<Object>
    ) async throws(StoreError) -> (rows: [Int64], difference: QueryDifference, updated: [Int]) {
        var sql = QuerySQL(store)
        let text = try sql.selectRows(query, entity)
        let (store, arguments, name) = (store, sql.arguments, entity.name)
        let result = await withCheckedContinuation { continuation in
            reads.queue.async {
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        let rows = try store.read { (connection) throws(StoreError) in
                            try connection.cached(reading: text).rows(arguments).map { $0[0].integer ?? 0 }
                        }
                        if let last = rows.max() { try RowMarks.check(last, in: name) }
                        let difference = QueryDifference(from: old, to: rows)
                        if !difference.isEmpty { objects.prepare() }
                        return (rows, difference, difference.updates(in: rows, written: written))
                    })
            }
        }
        return try result.get()
    }
}
