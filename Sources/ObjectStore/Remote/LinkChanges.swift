/// The unsaved one-to-one relationships and lists of an object, which a remote receives with its other changes.
///
/// The file receives them at the end of a save, together with their inverses. Lists are those whose objects do not refer
/// to the object by a to-one relationship, and that were assigned or changed in place.
struct LinkChanges: Sendable, Equatable {
    /// The saved objects of a list.
    struct List: Sendable, Equatable {
        let relationship: Int
        /// In the order of the list, without new objects.
        var rows: [Int64]
        /// When the list was read.
        let old: [Int64]

        /// Returns other rows of the list with the same changes.
        func applied(to rows: [Int64]) -> [Int64] {
            let (known, added, removed) = (
                Set(rows), self.rows.filter { !old.contains($0) }, Set(old).subtracting(self.rows)
            )
            if known == Set(old) { return self.rows }
            return rows.filter { !removed.contains($0) } + added.filter { !known.contains($0) }
        }
    }

    var targets: [UnsavedChanges.Target] = []
    var lists: [List] = []

    var isEmpty: Bool { targets.isEmpty && lists.isEmpty }
}

extension ManagedObject {
    /// The current one-to-one relationships and lists that are unsaved.
    ///
    /// - Parameter includingNew: Whether they include references to new objects, by their temporary rows.
    func linkChanges(includingNew: Bool = false) -> LinkChanges {
        var changes = LinkChanges()
        guard let core, let state, state.phase == .updated || state.phase == .inserted else { return changes }
        core.reconcile()
        let entity = core.entity(of: self)
        for index in entity.toOnes where core.store.entities.isOneToOne(entity.relationships[index]) {
            let saved = state.phase == .inserted ? 0 : state.linkBases.first { $0.relationship == index }?.row
            let row = entity.type.relationships[index].row(of: self)
            guard let saved, row != saved, row >= 0 || includingNew else { continue }
            changes.targets.append(UnsavedChanges.Target(relationship: index, row: row))
        }
        for index in state.assignedLists.sorted() {
            guard entity.relationships[index].storage.isJoinTable, let old = state.listBases[index],
                let objects = core.list(index, of: self)
            else { continue }
            let rows = objects.filter { $0.state?.phase != .deleted && ($0.row > 0 || includingNew) }.map(\.row)
            let isChanged = entity.relationships[index].isOrdered ? rows != old : Set(rows) != Set(old)
            if isChanged { changes.lists.append(LinkChanges.List(relationship: index, rows: rows, old: old)) }
        }
        return changes
    }

    /// The objects that unsaved one-to-one relationships and lists add or remove, also by their inverses.
    var linkedObjects: [ManagedObject] {
        guard let core, let state, state.phase == .updated || state.phase == .inserted else { return [] }
        let entity = core.entity(of: self)
        var rows: [(entity: Int, row: Int64)] = []
        for index in entity.toOnes where core.store.entities.isOneToOne(entity.relationships[index]) {
            let saved = state.phase == .inserted ? 0 : state.linkBases.first { $0.relationship == index }?.row
            let row = entity.type.relationships[index].row(of: self)
            guard let saved, row != saved else { continue }
            rows += [saved, row].map { (entity.relationships[index].destination, $0) }
        }
        for (index, old) in state.listBases where entity.relationships[index].storage.isJoinTable {
            let now = core.list(index, of: self)?.map(\.row) ?? old
            rows += Set(old).symmetricDifference(now).map { (entity.relationships[index].destination, $0) }
        }
        return rows.compactMap { core.registries[$0.entity][$0.row] }
    }

    /// Assigns the changes of the same object in another context.
    ///
    /// - Parameter find: Returns the object of a row of an entity; `nil` if it was deleted.
    func assign(_ changes: LinkChanges, _ find: (Int64, StoredEntity) -> ManagedObject?) {
        guard let core else { return }
        let entity = core.entity(of: self)
        func destination(_ index: Int) -> StoredEntity { core.store.entities[entity.relationships[index].destination] }
        for target in changes.targets {
            let found = target.row == 0 ? nil : find(target.row, destination(target.relationship))
            core.setTarget(found, of: self, target.relationship)
        }
        for list in changes.lists {
            core.willChangeTargets(of: self, list.relationship)
            let known = core.list(list.relationship, of: self) ?? []
            let objects = Dictionary(known.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
            let rows = list.applied(to: known.map(\.row))
            core.setList(
                rows.compactMap { objects[$0] ?? find($0, destination(list.relationship)) }, list.relationship, of: self
            )
            core.reconcile()
        }
    }
}

extension ContextCore {
    /// Returns the object of a saved row; `nil` if it was deleted.
    func object(ofRow row: Int64, _ entity: StoredEntity) -> ManagedObject? {
        registries[entity.index][row] ?? (row > 0 ? try? read(entity, rows: [row]).first : nil)
    }

    /// Forgets one-to-one relationships that an answer has written already, so that they are not a conflict.
    ///
    /// SQL runs on another thread.
    nonisolated(nonsending) func settleLinks() async throws(StoreError) {
        var settled: [(object: ManagedObject, relationship: Int)] = []
        try await reading { () throws(StoreError) in
            settled = []
            for object in changedObjects where object.state?.phase == .updated {
                let entity = entity(of: object)
                for base in object.state?.linkBases ?? []
                where store.entities.isOneToOne(entity.relationships[base.relationship]) {
                    let row = entity.type.relationships[base.relationship].row(of: object)
                    guard row > 0, row != base.row else { continue }
                    let column = entity.relationships[base.relationship].column
                    let stored = try values(
                        "SELECT \(column) FROM \(entity.table) WHERE \"_id\" = ?", [.integer(object.row)])
                    if stored.first?.first?.integer == row { settled.append((object, base.relationship)) }
                }
            }
        }
        for (object, relationship) in settled {
            guard object.core === self, let state = object.state else { continue }
            state.linkBases.removeAll { $0.relationship == relationship }
            _ = state.assigned.remove(entity(of: object).type.relationships[relationship].offset)
            settle(object, state)
        }
    }
}
