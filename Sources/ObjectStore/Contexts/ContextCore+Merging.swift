/// What a context has merged of the commits of others.
struct MergeState {
    /// The number of the last commit that was merged.
    var last: Int
    /// The merge whose rows another thread reads.
    var pending: PendingMerge?
    /// The rows of objects with unsaved changes that others have deleted, by entity.
    var lost: [Int: Set<Int64>] = [:]
    /// Objects to which the current save does not write an assigned value, because it is the earlier one: the store may have
    /// another.
    var unwritten: [ManagedObject] = []
    /// Assigned lists with faults, which others may have given another owner.
    var uncheckedLists: [(object: ManagedObject, relationship: Int)] = []
    var former = FormerMembers(last: 0)
}

/// The objects that others have changed since the last merge, by their owners in memory.
struct FormerMembers {
    /// The number of the last commit.
    let last: Int
    var members: [CommitChanges.Relationship: [Int64: [Int64]]] = [:]
}

/// Commits of others that a context is about to merge, and what it reads.
struct PendingMerge {
    /// Rows of an entity, and the statement that reads them.
    struct Part {
        let entity: StoredEntity
        let rows: [Int64]
        let statement: ReadStatement

        /// - Parameter rows: In ascending order.
        init(renewing rows: [Int64], of entity: StoredEntity) {
            (self.entity, self.rows) = (entity, rows)
            let (first, last) = (rows.first ?? 0, rows.last ?? 0)
            // A range is found without a list, which is sorted and searched.
            let isRange = last - first + 1 == rows.count
            statement = ReadStatement(
                sql: "SELECT \(entity.statements.selection) FROM \(entity.table) WHERE \(entity.table).\"_id\" "
                    + (isRange ? "BETWEEN ? AND ?" : "IN (SELECT value FROM json_each(?))"),
                arguments: isRange ? [.integer(first), .integer(last)] : [.rows(rows[...])])
        }

        init(checking rows: [Int64], of entity: StoredEntity) {
            (self.entity, self.rows) = (entity, rows)
            statement = ReadStatement(
                sql: "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT \"_id\" FROM \(entity.table))",
                arguments: [.rows(rows[...])])
        }
    }

    /// The number of the last commit.
    let last: Int
    let changes: CommitChanges
    /// The rows of objects that receive new values.
    fileprivate(set) var renewed: [Part] = []
    /// The rows of objects that become faults, if they still exist.
    fileprivate(set) var checked: [Part] = []

    var statements: [ReadStatement] { (renewed + checked).map(\.statement) }
}

/// Merge points: a context receives what others have committed.
extension ContextCore {
    /// Updates the objects with the rows that others have committed.
    ///
    /// Objects without changes receive the values of the store. Others keep assigned properties, and the earlier values of
    /// these, by which a save detects conflicts. Has no effect in code that an operation calls.
    ///
    /// - Parameter looksForOthers: Whether to look for commits of other processes. Defaults to `true`.
    func merge(lookingForOthers looksForOthers: Bool = true) throws(StoreError) {
        guard canMerge else { return }
        // A read whose statements run on another thread looks for them there.
        if looksForOthers, reads.ahead == nil, hasObjects { store.lookForOtherProcesses() }
        if reads.ahead?.canMerge ?? true, hasNews, let merge = preparedMerge(reusing: reads.ahead != nil),
            // Rows that were read ahead may be older than later commits: these are merged by the next call.
            merge.last <= reads.ahead?.commit ?? .max
        {
            // Nothing is updated before all rows are available.
            for statement in reads.ahead == nil ? [] : merge.statements { _ = try reads.ahead?.rows(of: statement) }
            try changing { () throws(StoreError) in try update(merge) }
            merges.pending = nil
            merges.last = merge.last
            store.commits.didMerge(merge.last, by: number)
            reads.ahead?.mergeCount += 1
        }
        if !merges.uncheckedLists.isEmpty { changing { checkLists() } }
        detachLost()
        // Observers are notified of these lists, too.
        if !observation.renewedLists.isEmpty { changing { readRenewedLists() } }
    }

    /// The statements that `merge` would run now in a read whose statements run on another thread.
    var mergeStatements: [ReadStatement] {
        canMerge && hasNews ? preparedMerge(reusing: true)?.statements ?? [] : []
    }

    private var canMerge: Bool {
        hooks.current == nil && observation.depth == 0 && dirty.lists.pending.isEmpty && isOpen && saves.inFlight == nil
    }

    /// Whether there are commits that were not merged.
    var hasNews: Bool { store.commits.lastNumber != merges.last }

    /// Whether there are commits of others that were not merged.
    var hasNewsOfOthers: Bool { hasNews && preparedMerge(reusing: true) != nil }

    /// Whether the program references objects, which commits of others can change.
    var hasObjects: Bool { registries.contains { !$0.isEmpty } }

    /// Returns what has to be merged; `nil` if others have changed nothing.
    ///
    /// - Parameter reusesPending: Whether to return the merge whose rows another thread reads, if there is one.
    private func preparedMerge(reusing reusesPending: Bool) -> PendingMerge? {
        if reusesPending, let pending = merges.pending, pending.last > merges.last { return pending }
        let (last, changes) = store.commits.changes(for: number)
        guard let changes else {
            (merges.pending, merges.last) = (nil, last)
            return nil
        }
        var merge = PendingMerge(last: last, changes: changes)
        for entity in store.entities where !registries[entity.index].isEmpty {
            let registry = registries[entity.index]
            let isAll = changes.isAll(entity.index)
            let rows =
                isAll
                ? registry.objects.map(\.row).filter { $0 > 0 }
                : changes.updatedRows(of: entity.index).filter { row in
                    // Faults are read when they are used.
                    registry[row].map { !$0.access.contains(.fault) && $0.state?.phase != .deleted } ?? false
                }
            guard !rows.isEmpty else { continue }
            if isAll {
                merge.checked.append(PendingMerge.Part(checking: rows, of: entity))
            } else {
                merge.renewed.append(PendingMerge.Part(renewing: rows, of: entity))
            }
        }
        merges.pending = merge
        return merge
    }

    // MARK: Updates

    private func update(_ merge: PendingMerge) throws(StoreError) {
        discardEqualAssignments()
        var deleted = merge.changes.rows.mapValues(\.deleted)
        for part in merge.checked {
            let missing = try values(part.statement.sql, part.statement.arguments).compactMap { $0[0].integer }
            deleted[part.entity.index, default: []].formUnion(missing)
        }
        for part in merge.renewed {
            let found = try read(part.statement.sql, part.statement.arguments) { (rows) throws(StoreError) in
                try renew(part.entity, rows)
            }
            // A later commit has deleted the others.
            guard found.count < part.rows.count else { continue }
            deleted[part.entity.index, default: []].formUnion(Set(part.rows).subtracting(found))
        }
        for part in merge.checked { makeFaults(of: part, except: deleted[part.entity.index] ?? []) }
        dropLists(changedBy: merge.changes)
        detach(deletedByOthers: deleted)
        dirty.lists.changes = nil
    }

    /// Forgets assignments of the earlier values, which a save does not write: these properties receive new values.
    ///
    /// Those that were made after others changed the value remain: they are changes.
    private func discardEqualAssignments() {
        for object in dirty.objects where object.core === self {
            guard let state = object.state, state.phase == .updated else { continue }
            // Of a change that a remote may have, they take it back.
            guard !mayHaveArrived(object) else { continue }
            let (entity, type) = (entity(of: object), entity(of: object).type)
            state.bases.removeAll { base in
                let attribute = type.attributes[base.attribute]
                guard !entity.identity.contains(base.attribute), !base.isOutdated,
                    attribute.storedValue(of: object) == base.value
                else { return false }
                return state.assigned.remove(attribute.offset)
            }
            state.linkBases.removeAll { base in
                let property = type.relationships[base.relationship]
                return !base.isOutdated && property.row(of: object) == base.row
                    && state.assigned.remove(property.offset)
            }
        }
    }

    /// Makes the objects of rows faults; unsaved changes remain.
    private func makeFaults(of part: PendingMerge.Part, except deleted: Set<Int64>) {
        for row in part.rows where !deleted.contains(row) {
            if let object = registries[part.entity.index][row] { makeFaultKeepingChanges(object) }
        }
    }

    /// Makes an object a fault; unsaved changes remain.
    func makeFaultKeepingChanges(_ object: ManagedObject) {
        switch object.state?.phase {
        // Reading a fault keeps assigned properties.
        case .updated:
            object.access.insert(.fault)
            didChange(object)
        case nil, .clean: makeFault(object)
        case .inserted, .deleted, .detached: break
        }
    }

    /// Sets the unassigned properties of objects to the rows of a statement that selects an entity's columns.
    ///
    /// - Returns: The numbers of the rows.
    private func renew(_ entity: StoredEntity, _ rows: StatementRows) throws(StoreError) -> [Int64] {
        switch rows {
        case .statement(let rows): try renew(entity, rows)
        case .buffered(let rows): try renew(entity, rows)
        }
    }

    private func renew(_ entity: StoredEntity, _ rows: some RowCursor) throws(StoreError) -> [Int64] {
        var found: [Int64] = []
        while try rows.step() {
            let row = rows.integer(at: 0)
            found.append(row)
            if let object = registries[entity.index][row] { renew(object, entity) { load(rows, into: object, entity) } }
        }
        return found
    }

    // MARK: Deleted rows

    /// Releases the objects of rows that others have deleted, except for those with unsaved changes: their save throws.
    private func detach(deletedByOthers rows: [Int: Set<Int64>]) {
        let rows = rows.filter { !$0.value.isEmpty }
        guard !rows.isEmpty else { return }
        var deleted: [Int: Set<Int64>] = [:]
        for (index, rows) in rows {
            for object in rows.compactMap({ registries[index][$0] }) {
                if hasOwnChanges(object) {
                    merges.lost[index, default: []].insert(object.row)
                    clearRelationships(ofLost: object)
                } else {
                    deleted[index, default: []].insert(object.row)
                    didChange(object)
                }
            }
        }
        removeReferences(to: rows, from: holders(of: rows), keepingAssigned: true)
        detachDeleted(deleted)
    }

    /// Clears the relationships of an object whose row was deleted, except for those that were assigned.
    private func clearRelationships(ofLost object: ManagedObject) {
        let entity = entity(of: object)
        for (index, property) in entity.type.relationships.enumerated() {
            let relationship = entity.relationships[index]
            let row = relationship.isToMany ? 0 : property.row(of: object)
            if relationship.isToMany {
                dropList(index, of: object)
            } else if row != 0, object.state?.isAssigned(property.offset) != true {
                property.setRow(0, of: object)
                didChange(object, at: property.offset)
                guard let list = store.entities.inverseList(of: relationship),
                    let owner = registries[relationship.destination][row]
                else { continue }
                dropList(list, of: owner)
            }
        }
    }

    /// Whether an object is changed other than by the inverses of its lists.
    func hasOwnChanges(_ object: ManagedObject) -> Bool {
        guard let state = object.state, state.phase == .updated else { return false }
        return !state.bases.isEmpty || !state.linkBases.isEmpty
            || state.assignedLists.contains { state.listBases[$0] != nil }
    }

    /// Releases the objects that others have deleted and whose unsaved changes were discarded.
    func detachLost() {
        guard !merges.lost.isEmpty else { return }
        var deleted: [Int: Set<Int64>] = [:]
        for (index, rows) in merges.lost {
            let kept = rows.filter { registries[index][$0].map(hasOwnChanges) ?? false }
            deleted[index] = rows.subtracting(kept)
            merges.lost[index] = kept.isEmpty ? nil : kept
        }
        guard deleted.contains(where: { !$0.value.isEmpty }) else { return }
        changing {
            detachDeleted(deleted)
            removeReferences(to: deleted, from: holders(of: deleted), keepingAssigned: true)
        }
    }

    // MARK: Lists

    /// Drops the lists that others have changed, which are read again.
    private func dropLists(changedBy changes: CommitChanges) {
        for entity in store.entities where !registries[entity.index].isEmpty {
            let registry = registries[entity.index]
            for (index, relationship) in entity.relationships.enumerated() where relationship.isToMany {
                let objects: [ManagedObject]
                switch changes.owners(of: index, entity.index, relationship) {
                case .all: objects = registry.objects
                case .rows(let rows): objects = rows.compactMap { registry[$0] }
                }
                for object in objects { dropList(index, of: object) }
            }
        }
    }

    /// Reads the faults in assigned lists, and removes the objects to which others gave another owner.
    private func checkLists() {
        let lists = merges.uncheckedLists.filter { $0.object.core === self }
        merges.uncheckedLists = []
        var faults: [Int: Set<Int64>] = [:]
        for (object, index) in lists {
            let destination = entity(of: object).relationships[index].destination
            for fault in faultsInList(index, of: object) { faults[destination, default: []].insert(fault.row) }
        }
        // The error of an object that cannot be read follows when it is used.
        for (entity, rows) in faults.sorted(by: { $0.key < $1.key }) {
            _ = try? read(store.entities[entity], rows: rows.sorted())
        }
        // Checked later, when the rows are available.
        if reads.ahead?.missing != nil { return merges.uncheckedLists = lists }
        for (object, index) in lists { removeMoved(from: index, of: object) }
    }

    private func faultsInList(_ index: Int, of object: ManagedObject) -> [ManagedObject] {
        (list(index, of: object) ?? []).filter { $0.row > 0 && $0.access.contains(.fault) }
    }

    /// Removes the objects to which others gave another owner from an assigned list.
    private func removeMoved(from index: Int, of object: ManagedObject) {
        let relationship = entity(of: object).relationships[index]
        guard relationship.hasOneOwner, let inverse = relationship.inverse, let objects = list(index, of: object) else {
            return
        }
        let back = entity(of: relationship).type.relationships[inverse]
        let moved = objects.filter { $0.row > 0 && back.row(of: $0) != object.row && !$0.access.contains(.fault) }
        guard !moved.isEmpty else { return }
        let rows = Set(moved.map(\.row))
        object.state?.listBases[index]?.removeAll(where: rows.contains)
        setList(objects.filter { !rows.contains($0.row) }, index, of: object)
        didChange(object, list: index)
    }

    /// Drops a list, unless it was assigned.
    private func dropList(_ index: Int, of object: ManagedObject) {
        guard object.row > 0, object.state?.phase != .deleted else { return }
        if let state = object.state, state.listBases[index] != nil {
            guard !state.assignedLists.contains(index) else {
                if entity(of: object).relationships[index].hasOneOwner, !faultsInList(index, of: object).isEmpty {
                    return merges.uncheckedLists.append((object, index))
                }
                return removeMoved(from: index, of: object)
            }
            // Changes by inverses are applied to the list that is read.
            state.listBases[index] = nil
        }
        renewList(index, of: object)
    }
}

extension CommitChanges {
    /// Returns the rows of an entity that were updated, in ascending order and without duplicates.
    fileprivate func updatedRows(of entity: Int) -> [Int64] {
        guard let rows = rows[entity]?.updated, rows.count > 1 else { return rows[entity]?.updated ?? [] }
        if zip(rows, rows.dropFirst()).allSatisfy(<) { return rows }
        return Set(rows).sorted()
    }

    /// Returns the objects of an entity whose to-many relationship may return other objects, or another order.
    fileprivate func owners(of index: Int, _ entity: Int, _ relationship: StoredEntity.Relationship) -> Owners {
        let destination = relationship.destination
        let isSorted = relationship.sortedBy != nil && !(rows[destination]?.updated.isEmpty ?? true)
        if isAll(entity) || isAll(destination) || isSorted { return .all }
        return lists[Relationship(entity: entity, index: index)] ?? .rows([])
    }
}
