/// One-to-one relationships and lists, which a remote receives with the other changes of an object, and the file with the
/// answer.
extension UnsavedChanges.List {
    /// Returns other rows of the list with the same changes.
    func applied(to rows: [Int64]) -> [Int64] {
        let (known, added, removed) = (
            Set(rows), self.rows.filter { !old.contains($0) }, Set(old).subtracting(self.rows)
        )
        // The other sides can be in the list already, in another order.
        if known == Set(old) || known == Set(self.rows) { return self.rows }
        return rows.filter { !removed.contains($0) } + added.filter { !known.contains($0) }
    }
}

extension ManagedObject {
    /// Returns the rows of a list in a table of links; `nil` if it is not in memory.
    ///
    /// - Parameter includesNew: Whether they include new objects.
    func listRows(_ index: Int, toNew includesNew: Bool) -> [Int64]? {
        guard let core, core.entity(of: self).relationships[index].storage.isJoinTable else { return nil }
        return core.list(index, of: self)?.filter { $0.state?.phase != .deleted && ($0.row > 0 || includesNew) }
            .map(\.row)
    }

    /// The objects that unsaved one-to-one relationships and lists add or remove, also by their inverses.
    var linkedObjects: [ManagedObject] {
        guard let core, let state, state.phase == .updated || state.phase == .inserted else { return [] }
        let entity = core.entity(of: self)
        var rows: [(entity: Int, row: Int64)] = []
        for index in entity.toOnes where core.store.entities.isOneToOne(entity.relationships[index]) {
            let saved = state.phase == .inserted ? 0 : state.savedRow(of: index)
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

    /// Assigns the lists of changes of the same object in another context.
    func assignLists(of changes: UnsavedChanges) {
        guard let core else { return }
        let entity = core.entity(of: self)
        for list in changes.lists {
            let destination = core.entity(of: entity.relationships[list.relationship])
            assign(list) { core.object(ofRow: $0, destination) }
        }
    }

    /// Assigns the changes of a list.
    ///
    /// - Parameter find: Returns the object of a row; `nil` if it was deleted.
    func assign(_ list: UnsavedChanges.List, _ find: (Int64) -> ManagedObject?) {
        guard let core else { return }
        core.willChangeTargets(of: self, list.relationship)
        let known = core.list(list.relationship, of: self) ?? []
        let objects = Dictionary(known.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = list.applied(to: known.map(\.row))
        core.setList(rows.compactMap { objects[$0] ?? find($0) }, list.relationship, of: self)
        core.reconcile()
    }
}

extension ContextCore {
    /// Returns the object of a saved row; `nil` if it was deleted.
    func object(ofRow row: Int64, _ entity: StoredEntity) -> ManagedObject? {
        registries[entity.index][row] ?? (row > 0 ? try? read(entity, rows: [row]).first : nil)
    }

    /// The targets of one-to-one relationships of an object.
    func oneToOneTargets(of object: ManagedObject) -> [ManagedObject] {
        let entity = entity(of: object)
        return entity.toOnes.filter { store.entities.isOneToOne(entity.relationships[$0]) }.compactMap { index in
            target(of: object, index, row: entity.type.relationships[index].row(of: object))
        }
    }

    // MARK: In the context of the sender

    /// Makes a changed to-one relationship one of a row that another context has saved; without a change if it still has the
    /// row that was sent.
    ///
    /// - Returns: Whether it was changed.
    func rebase(
        _ index: Int, of object: ManagedObject, _ state: ObjectState, to row: Int64, from sent: Int64
    ) -> Bool {
        let property = entity(of: object).type.relationships[index]
        guard let place = state.linkBases.firstIndex(where: { $0.relationship == index }) else { return false }
        if property.row(of: object) == sent, state.assigned.remove(property.offset) {
            state.linkBases.remove(at: place)
        } else {
            state.linkBases[place] = ObjectState.LinkBase(relationship: index, row: row)
        }
        return true
    }

    /// Makes changed lists those of the rows that were sent and saved; without changes if they still have these rows.
    ///
    /// What others have changed is read by the next merge.
    func rebaseLists(of object: ManagedObject, _ state: ObjectState, to lists: [UnsavedChanges.List]) {
        for list in lists where state.listBases[list.relationship] != nil {
            let now = self.list(list.relationship, of: object)?.map(\.row)
            state.listBases[list.relationship] = now == list.rows ? nil : list.rows
        }
    }

    /// Updates the other sides of a one-to-one relationship, which were saved with it: the remote receives them as changes of
    /// their objects.
    func didSendOneToOne(_ index: Int, of object: ManagedObject, from old: Int64, to new: Int64) {
        let relationship = entity(of: object).relationships[index]
        guard let inverse = relationship.inverse else { return }
        let registry = registries[relationship.destination]
        if let former = registry[old], former.state?.savedRow(of: inverse) == object.row {
            didSave(inverse, of: former, 0)
        }
        guard let target = registry[new], let earlier = target.state?.savedRow(of: inverse) else { return }
        if let holder = registries[Int(object.entityIndex)][earlier], holder !== object,
            holder.state?.savedRow(of: index) == new
        {
            didSave(index, of: holder, 0)
        }
        didSave(inverse, of: target, object.row)
    }

    /// Updates a to-one relationship that was saved with its other side.
    private func didSave(_ index: Int, of object: ManagedObject, _ row: Int64) {
        guard let state = object.state, state.phase == .updated,
            let former = state.savedRow(of: index)
        else { return }
        _ = rebase(index, of: object, state, to: row, from: row)
        // Also for a later assignment of the row that the file has now: the remote has the first one.
        if former != row, state.unsentTargets[index] == nil, store.remote?.has(entity(of: object).name) == true {
            state.unsentTargets[index] = former
        }
        settle(object, state)
    }
}
