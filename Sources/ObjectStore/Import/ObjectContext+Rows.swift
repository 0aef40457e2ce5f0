import ObjectMapping

extension RowLoad {
    /// Writes the elements of a text; their rows are in the run.
    fileprivate func write(
        _ text: Data, _ metadata: JSON, _ run: ImportRun, _ store: ManagedObjectStore, _ connection: StoreConnection
    ) throws -> CommitChanges {
        guard let plan else { throw LoadedElements.Refused() }
        let tables = try ImportPlan.plans(of: plan.tables, in: store)
        let reader = try RowReader(
            source: MemoryByteSource(text), plan: plan, at: keyPath, shape: shape, metadata: metadata)
        let writer = ImportWriter(
            store, connection, tables, [:], run.report.entities, firstPending: nil, skipsInvalidElements: false)
        var report = run.report
        _ = try run.write(reader, writer, &report, shape)
        // Such a response is not complete.
        guard reader.nullCount == 0 else { throw LoadedElements.Refused() }
        return writer.commit
    }
}

/// What a response has written as rows.
package struct SavedRows: Sendable {
    /// The objects of the elements, by the position of their part.
    package let objects: [LoadedIDs]
    /// All rows; `nil` unless they were requested.
    package let rows: LoadedRows?
}

extension ObjectContext {
    /// Saves the elements of a response as rows, like an import, if that has the same result as their objects.
    ///
    /// Objects are required by hooks of their classes, by rules that rows do not support, after later commits, for unsent
    /// edits, and for any error, which then has its place in the response: nothing is written for it.
    ///
    /// - Parameters:
    ///   - contents: The texts, such as the pages of a list, and where their elements are.
    ///   - mark: The moment at which the request began.
    ///   - response: What is recorded of the response; `nil` for nothing.
    ///   - isOnePart: Whether the record has the objects of all parts in one. Defaults to `false`.
    ///   - keepsRows: Whether all rows are a part of the result, for a pruning. It records the response unless `isOnePart`.
    /// - Returns: `nil` if the response has to be mapped to objects.
    package func saveRows(
        of contents: [RowContent], since mark: CommitMark, recording response: LoadedResponse?, isOnePart: Bool = false,
        keepsRows: Bool
    ) -> SavedRows? {
        let (store, parts) = (core.store, contents.flatMap(\.parts))
        let tables = parts.flatMap { $0.plan?.tables ?? [] }
        guard !parts.isEmpty, tables.count == parts.count, tables.allSatisfy(store.writesRows) else { return nil }
        var saved: SavedRows?
        try? store.write(waits: true) { (connection) throws(StoreError) in
            var (commit, objects, rows): (CommitChanges, [GroupedRows<Int>], [Int: RowRuns]) = (.init(), [], [:])
            var (loaded, kept): (ChangeSet.Loaded?, [Int: Set<Int64>]) = (nil, [:])
            try connection.transaction { () throws(StoreError) in
                guard mark.isLatest, !store.commits.hasEarlierLoad(than: core.number),
                    try UnsentMarks.areEmpty(in: connection)
                else { throw .needsObjects }
                for content in contents {
                    for part in content.parts {
                        let run = ImportRun(store, .once, false, nil, ImportCancellation())
                        run.loaded = LoadedElements()
                        do {
                            commit.formUnion(try part.write(content.text, content.metadata, run, store, connection))
                        } catch { throw .needsObjects }
                        guard let elements = run.loaded?.rows, !elements.groups.isEmpty else { throw .needsObjects }
                        objects.append(elements)
                        for group in elements.groups {
                            rows[group.entity] = rows[group.entity]?.appending(group.rows) ?? group.rows
                        }
                    }
                }
                try connection.expireResponses(in: store) { commit }
                let recorded = isOnePart ? [objects.joined()] : objects
                loaded = response.map { response in
                    ChangeSet.Loaded(
                        response: response, parts: recorded.enumerated().map { ($0.offset, $0.element) }, rows: rows)
                }
                if let loaded, isOnePart || !keepsRows { try connection.record(loaded, in: store) { $0 } }
                guard keepsRows else { return }
                kept = rows.mapValues { Set($0.rows) }
                // A pruning keeps also the objects to which those of the response are connected.
                for connected in Set(tables.flatMap(store.connections)) {
                    let destination = store.entities[connected.entity].relationships[connected.index].destination
                    let targets = try connection.targets(of: rows[connected.entity] ?? RowRuns(), connected, in: store)
                    kept[destination, default: []].formUnion(targets)
                }
            }
            store.didCommit(by: core.number) { commit }
            let names = store.entities.map(\.name)
            saved = SavedRows(
                objects: objects.map { LoadedIDs($0.map({ names[$0] }, \.self), in: store.identity) },
                rows: keepsRows
                    ? LoadedRows(rows: kept, authors: [core.number], response: isOnePart ? nil : loaded) : nil)
        }
        return saved
    }
}

extension ManagedObjectStore {
    /// Whether the objects of a table's class need not be created to be saved.
    fileprivate func writesRows(_ table: RowTable) -> Bool {
        table.type.flatMap(knownEntity(of:)).map { !$0.type.overridesSaveHooks } ?? false
    }

    /// Returns the relationships of a table's class that are set by keys.
    fileprivate func connections(of table: RowTable) -> [CommitChanges.Relationship] {
        guard let entity = table.type.flatMap(knownEntity(of:)) else { return [] }
        let names = Set(table.connections.map(\.name))
        return entity.relationships.indices.filter { names.contains(entity.relationships[$0].name) }.map {
            CommitChanges.Relationship(entity: entity.index, index: $0)
        }
    }
}

extension StoreConnection {
    /// Returns the targets of a relationship of rows.
    fileprivate func targets(
        of rows: RowRuns, _ relationship: CommitChanges.Relationship, in store: ManagedObjectStore
    ) throws(StoreError) -> [Int64] {
        let runs = rows.sorted().runs
        guard let first = runs.first, let last = runs.last else { return [] }
        let entity = store.entities[relationship.entity]
        let (table, source, target) = entity.links(of: relationship.index, in: store.entities)
        let sql = "SELECT DISTINCT \(target) FROM \(table) WHERE \(target) IS NOT NULL AND \(source)"
        // A range is found without a list, which is sorted and searched.
        return runs.count == 1
            ? try self.rows("\(sql) BETWEEN ? AND ?", [.integer(first.lowerBound), .integer(last.upperBound)])
            : try self.rows("\(sql) IN (SELECT value FROM json_each(?))", [.rows(Array(rows.rows)[...])])
    }
}

extension StoreError {
    /// Rolls back rows that have to be written as objects; it is not thrown to callers.
    fileprivate static var needsObjects: StoreError { StoreError(.interrupted, "objects are required") }
}
