/// Removes the objects of scopes that a complete answer does not have, in a context and one transaction.
struct PruningRun {
    private let context: ObjectContext
    private let loaded: LoadedRows
    private let mark: CommitMark
    private let pruning: Pruning
    /// The rows with unsaved changes in another context, by entity.
    private let unsaved: [Int: Set<Int64>]

    /// Objects of a scope that the answer does not have.
    private struct Absent {
        let scope: PruningScope
        /// The number of all objects of the scope.
        let total: Int
        var rows: [Int64]
    }

    private var core: ContextCore { context.core }
    private var store: ManagedObjectStore { context.store }

    init(
        _ context: ObjectContext, _ loaded: LoadedRows, _ mark: CommitMark, _ pruning: Pruning,
        unsaved: [Int: Set<Int64>]
    ) {
        self.context = context
        self.loaded = loaded
        self.mark = mark
        self.pruning = pruning
        self.unsaved = unsaved
    }

    func run(_ scopes: [PruningScope]) throws -> PruningReport {
        var report = PruningReport(isDryRun: pruning.mode == .dryRun)
        func refused(_ refusal: PruningReport.Refusal) -> PruningReport {
            context.rollback()
            return PruningReport(isDryRun: report.isDryRun, refusal: refusal)
        }
        let changes = mark.allChanges(except: loaded.authors)
        // Of commits whose rows are unknown, any row can be newer.
        let isKnown = changes.map { !$0.isEverything && !store.entities.map(\.index).contains(where: $0.isAll) }
        guard isKnown ?? true else { return refused(.concurrentChanges) }
        // Delete rules do not delete what the answer has.
        let protected = try Protected(store, changes, unsaved.merging(loaded.rows) { $0.union($1) })

        var absent: [Absent] = []
        for scope in scopes where !scope.entity.identity.isEmpty {
            var found = try self.absent(from: scope)
            let isKept = { (row: Int64) in scope.removal == .keep || protected.contains(row, scope.entity) }
            report.kept += found.rows.filter(isKept).map { id($0, scope.entity) }
            found.rows.removeAll(where: isKept)
            guard !pruning.refuses(found.rows.count, of: found.total) else {
                return refused(.share(count: found.rows.count, total: found.total))
            }
            absent.append(found)
        }

        // Objects whose delete rules would delete protected ones remain, and the others are deleted without them.
        var blocked: Set<ChangeSet.RowID> = []
        while true {
            let new = try remove(absent, except: blocked, protected)
            guard !new.isEmpty else { break }
            context.rollback()
            blocked.formUnion(new)
        }
        report.kept += blocked.map { id($0.row, store.entities[$0.entity]) }
        let deleted = core.changedObjects.filter { $0.state?.phase == .deleted }
        if deleted.contains(where: { protected.contains($0, core) }) { return refused(.concurrentChanges) }
        if let refusal = try refusal(of: deleted, absent, blocked) { return refused(refusal) }

        report.deleted = deleted.map(core.id)
        report.disconnected = absent.flatMap { found -> [ObjectID] in
            guard case .disconnect = found.scope.removal else { return [] }
            return found.rows.filter { !blocked.contains(rowID($0, found.scope.entity)) }.map {
                id($0, found.scope.entity)
            }
        }
        guard !report.isDryRun else {
            context.rollback()
            return report
        }
        do throws(StoreError) { try save(report) } catch {
            switch error.kind {
            case .invalidObjects: return refused(.denied("\(error)"))
            case .interrupted where !RemovedRows(report, store, mark, loaded).areUnchanged:
                return refused(.concurrentChanges)
            default: throw error
            }
        }
        return report
    }

    /// Returns the rows of a scope that the answer does not have.
    private func absent(from scope: PruningScope) throws(StoreError) -> Absent {
        var sql = QuerySQL(store)
        let text = try sql.selectRows(scope.query, scope.entity, isOrdered: scope.query.isPage)
        let (arguments, kept) = (sql.arguments, loaded.rows[scope.entity.index] ?? [])
        return try store.read { (connection) throws(StoreError) in
            let statement = try connection.cached(text)
            try statement.bind(arguments)
            defer { statement.reset() }
            var (rows, total) = ([Int64](), 0)
            while try statement.step() {
                total += 1
                let row = statement.integer(at: 0)
                if !kept.contains(row) { rows.append(row) }
            }
            return Absent(scope: scope, total: total, rows: rows.sorted())
        }
    }

    /// Deletes and disconnects objects in the context.
    ///
    /// - Returns: The objects that must not be deleted, because they or what is deleted with them is protected.
    private func remove(
        _ absent: [Absent], except blocked: Set<ChangeSet.RowID>, _ protected: Protected
    ) throws(StoreError) -> Set<ChangeSet.RowID> {
        var new: Set<ChangeSet.RowID> = []
        for found in absent {
            let entity = found.scope.entity
            let rows = found.rows.filter { !blocked.contains(rowID($0, entity)) }
            for object in try core.read(entity, rows: rows) where object.state?.phase != .deleted {
                // Without an identity, an object was never sent.
                guard !object.identityValues.contains(where: { $0 == nil }) else {
                    new.insert(rowID(object.row, entity))
                    continue
                }
                if case .disconnect(let relationship) = found.scope.removal {
                    core.setTarget(nil, of: object, relationship)
                    continue
                }
                let count = core.dirty.objects.count
                context.delete(object)
                let isProtected = core.dirty.objects.dropFirst(count).contains {
                    $0.state?.phase == .deleted && protected.contains($0, core)
                }
                if isProtected { new.insert(rowID(object.row, entity)) }
            }
        }
        core.reconcile()
        return new
    }

    /// Returns the reason why too many objects would be removed, with those of delete rules; `nil` for others.
    private func refusal(
        of deleted: [ManagedObject], _ absent: [Absent], _ blocked: Set<ChangeSet.RowID>
    ) throws(StoreError) -> PruningReport.Refusal? {
        guard pruning.mode == .remove, !deleted.isEmpty else { return nil }
        var sum = (count: 0, total: 0)
        for (index, objects) in Dictionary(grouping: deleted, by: { Int($0.entityIndex) }) {
            let total = try store.count(of: store.entities[index].name)
            if pruning.refuses(objects.count, of: total) { return .share(count: objects.count, total: total) }
            sum = (sum.count + objects.count, sum.total + total)
        }
        return pruning.refuses(sum.count, of: sum.total) ? .share(count: sum.count, total: sum.total) : nil
    }

    /// Saves, unless others have committed one of the objects meanwhile.
    private func save(_ report: PruningReport) throws(StoreError) {
        context.savesReply()
        context.savesResponse(since: mark)
        core.sending.responses.loaded = loaded.response
        if !report.deleted.isEmpty || !report.disconnected.isEmpty {
            let removed = RemovedRows(report, store, mark, loaded)
            core.sending.companion = { (_, _) throws(StoreError) in
                guard removed.areUnchanged else {
                    throw StoreError(.interrupted, "others have changed objects that were about to be removed")
                }
            }
        }
        try context.saveWaiting()
    }

    private func id(_ row: Int64, _ entity: StoredEntity) -> ObjectID {
        ObjectID(entity: entity.name, row: row, store: store.identity)
    }

    private func rowID(_ row: Int64, _ entity: StoredEntity) -> ChangeSet.RowID {
        ChangeSet.RowID(entity: entity.index, row: row)
    }
}

/// The rows that are about to be removed.
private struct RemovedRows: Sendable {
    private let rows: [String: [Int64]]
    private let store: ManagedObjectStore
    private let mark: CommitMark
    private let authors: Set<Int>

    init(_ report: PruningReport, _ store: ManagedObjectStore, _ mark: CommitMark, _ loaded: LoadedRows) {
        rows = Dictionary(grouping: report.deleted + report.disconnected, by: \.entity).mapValues { $0.map(\.row) }
        (self.store, self.mark, authors) = (store, mark, loaded.authors)
    }

    /// Whether none of them was committed by others since the request began.
    var areUnchanged: Bool {
        guard let changes = mark.allChanges(except: authors) else { return true }
        return store.entities.allSatisfy { entity in
            guard let rows = rows[entity.name] else { return true }
            return !changes.isAll(entity.index) && !rows.contains(where: changes.isWritten(entity.index))
        }
    }
}

/// The rows that are not removed: those of the answer, with unsaved or unsent changes, or committed recently.
private struct Protected {
    private let isRecent: [(Int64) -> Bool]
    private var rows: [Int: Set<Int64>]

    init(_ store: ManagedObjectStore, _ changes: CommitChanges?, _ others: [Int: Set<Int64>]) throws(StoreError) {
        isRecent = store.entities.map { changes?.isWritten($0.index) ?? { _ in false } }
        rows = others
        let unsent = try store.read { (connection) throws(StoreError) in
            var rows: [Int: Set<Int64>] = [:]
            let marks = store.keepsUnsent ? try UnsentMarks(connection) : nil
            for entity in store.entities {
                rows[entity.index] = Set(try marks?.properties(of: entity).keys.map { $0 } ?? [])
                    .union(try SaveJournal.rows(of: entity.name, connection))
            }
            return rows
        }
        rows.merge(unsent) { $0.union($1) }
    }

    func contains(_ row: Int64, _ entity: StoredEntity) -> Bool {
        isRecent[entity.index](row) || rows[entity.index]?.contains(row) ?? false
    }

    /// Whether an object is protected, or was never sent.
    func contains(_ object: ManagedObject, _ core: ContextCore) -> Bool {
        let entity = core.entity(of: object)
        return contains(object.row, entity) || object.identityValues.contains { $0 == nil }
    }
}
