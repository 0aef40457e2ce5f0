/// Lists after one object was saved, and no other one: each side of a relationship is compared with what the file has.
extension ContextCore {
    /// Returns the rows that a list has in the file when its owner is saved alone.
    ///
    /// New objects are missing, because they add themselves when they are saved; and so are changes of lists whose objects
    /// have one owner, which those objects save.
    func rowsAlone(
        of objects: [ManagedObject], _ before: [Int64], _ relationship: StoredEntity.Relationship
    ) -> [Int64] {
        func isSaved(_ target: ManagedObject) -> Bool { target.access.contains(.saving) }
        let known = relationship.hasOneOwner ? Set(before) : []
        var rows = objects.filter { target in
            target.state?.phase != .deleted
                && (isSaved(target) || target.row > 0 && (!relationship.hasOneOwner || known.contains(target.row)))
        }.map(\.row)
        guard relationship.hasOneOwner else { return rows }
        let members = Set(rows)
        rows += before.filter { row in
            !members.contains(row) && !(registries[relationship.destination][row].map(isSaved) ?? false)
        }
        return rows
    }

    /// Updates the saved rows of the lists of other changed objects after one object was saved alone.
    ///
    /// An ordered list that has other objects than the file remains a change of its owner, which has the order.
    ///
    /// - Parameters:
    ///   - former: The row of the object before the save.
    ///   - state: Its state before the save.
    func didSaveAlone(_ object: ManagedObject, _ former: Int64, _ state: ObjectState) {
        guard let lists = saves.listsAlone else { return }
        let entity = entity(of: object)
        for index in entity.toOnes {
            let row = entity.type.relationships[index].row(of: object)
            let saved = state.savedRow(of: index)
            if former < 0 || saved != nil { didSend(index, of: object, from: saved ?? 0, to: row) }
        }
        for (index, before) in state.listBases.sorted(by: { $0.key < $1.key }) {
            let relationship = entity.relationships[index]
            guard
                let written = lists[ListID(entity: entity.index, relationship: index, row: former)]?
                    .map({ $0 == former ? object.row : $0 })
            else { continue }
            let id = ListID(entity: entity.index, relationship: index, row: object.row)
            dirty.lists.readRows[id] = nil
            if !relationship.hasOneOwner, let inverse = relationship.inverse {
                let (old, new) = (Set(before), Set(written))
                for (rows, isMember) in [(old.subtracting(new), false), (new.subtracting(old), true)] {
                    for row in rows {
                        let list = ListID(entity: relationship.destination, relationship: inverse, row: row)
                        noteSaved(object.row, in: list, isMember: isMember)
                    }
                }
            }
            guard relationship.isOrdered, !hasSaved(written, index, of: object) else { continue }
            let remaining = willChange(object)
            remaining.listBases[index] = written
            if state.assignedLists.contains(index) { remaining.assignedLists.insert(index) }
        }
    }

    /// Removes deleted rows from the saved rows of lists.
    func removeSavedMembers(_ deleted: [Int: Set<Int64>]) {
        for object in changedObjects {
            guard let state = object.state else { continue }
            let entity = entity(of: object)
            for (index, rows) in state.listBases {
                guard let deleted = deleted[entity.relationships[index].destination],
                    rows.contains(where: deleted.contains)
                else { continue }
                state.listBases[index] = rows.filter { !deleted.contains($0) }
            }
            settle(object, state)
        }
    }

    /// Whether a list in memory has the rows of the file; its order is compared if the file has it.
    func hasSaved(_ rows: [Int64], _ index: Int, of object: ManagedObject) -> Bool {
        guard let now = list(index, of: object)?.map(\.row) else { return false }
        return now == rows
            || entity(of: object).relationships[index].linkTable?.isOwner != true && Set(now) == Set(rows)
    }
}
