/// Unsaved changes of to-many relationships by unsaved changes of their inverses, for lists that are read later.
extension ContextCore {
    /// Makes a list that was read agree with objects in memory, which lack what others committed since the last merge.
    ///
    /// - Parameter former: The rows of objects that others may have removed from the list.
    func align(_ list: inout [ManagedObject], of owner: ManagedObject, _ index: Int, _ former: [Int64]) {
        let relationship = entity(of: owner).relationships[index]
        let back = relationship.inverse.map { entity(of: relationship).type.relationships[$0] }
        guard let back, !back.isToMany else { return }
        func isMember(_ target: ManagedObject) -> Bool {
            back.row(of: target) == owner.row && target.state?.isAssigned(back.offset) != true
        }
        list.removeAll { $0.state?.isAssigned(back.offset) != true && back.row(of: $0) != owner.row }
        guard !former.isEmpty else { return }
        let known = Set(list)
        let missing = former.compactMap { registries[relationship.destination][$0] }.filter { target in
            !target.access.contains(.fault) && isMember(target) && !known.contains(target)
        }
        list += missing
        if !relationship.isOrdered, !missing.isEmpty { list.sort { $0.row < $1.row } }
    }

    /// Returns the rows of objects of lists that others have changed since the last merge, by owner.
    func formerMembers(of index: Int, _ entity: StoredEntity) -> [Int64: [Int64]] {
        let relationship = entity.relationships[index]
        guard hasNews, let inverse = relationship.inverse,
            !self.entity(of: relationship).relationships[inverse].isToMany
        else { return [:] }
        let list = CommitChanges.Relationship(entity: entity.index, index: index)
        // Before the changes of all commits are united.
        if merges.former.last == store.commits.lastNumber, let known = merges.former.members[list] { return known }
        let (last, changes) = store.commits.changes(for: number)
        if merges.former.last != last { merges.former = FormerMembers(last: last) }
        var members: [Int64: [Int64]] = [:]
        if let changes {
            let (destination, registry) = (
                store.entities[relationship.destination], registries[relationship.destination]
            )
            let rows = changes.rows[destination.index]
            let objects =
                changes.isAll(destination.index)
                ? registry.objects : Set((rows?.updated ?? []) + (rows?.deleted ?? [])).compactMap { registry[$0] }
            for object in objects where object.row > 0 {
                members[destination.type.relationships[inverse].row(of: object), default: []].append(object.row)
            }
        }
        merges.former.members[list] = members
        return members
    }

    /// Applies unsaved changes to a list that was read.
    func adjust(_ list: inout [ManagedObject], of owner: ManagedObject, _ index: Int) {
        guard !dirty.objects.isEmpty else { return }
        let (read, changes) = (list, dirty.lists.changes ?? collectListChanges())
        let id = ListID(entity: Int(owner.entityIndex), relationship: index, row: owner.row)
        if let changes = changes[id] { list = changes.changed(list).filter { $0.core === self } }
        let back = entity(of: owner).relationships[index].inverse.map { inverse in
            entity(of: entity(of: owner).relationships[index]).type.relationships[inverse]
        }
        list.removeAll { target in
            guard let state = target.state else { return false }
            if state.phase == .deleted { return true }
            // Others have added an object that has another owner here.
            guard let back, !back.isToMany else { return false }
            return state.isAssigned(back.offset) && back.row(of: target) != owner.row
        }
        // The positions that a later change of the list assumes.
        guard entity(of: owner).relationships[index].linkTable != nil else { return }
        dirty.lists.readRows[id] = read.elementsEqual(list, by: ===) ? nil : read.map(\.row)
    }

    /// Records that an object was added to an ordered list by its own relationship.
    func noteAppend(_ object: ManagedObject, to index: Int, of entity: Int, row: Int64) {
        guard store.entities[entity].relationships[index].isOrdered, let state = object.state else {
            return
        }
        let earlier = dirty.lists.appendOrder.isBroken(by: state.place) ? changesOfLists() : []
        dirty.lists.appendOrder.add(
            object, to: ListID(entity: entity, relationship: index, row: row), place: state.place, earlier: earlier)
    }

    private func collectListChanges() -> [ListID: EditedList] {
        var collected = changesOfLists()
        if dirty.lists.appendOrder.isRecorded {
            let numbers = collected.map { dirty.lists.appendOrder.number(of: $0.object.row, in: $0.list) }
            collected = collected.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { collected[$0] }
        }
        var changes: [ListID: EditedList] = [:]
        for change in collected {
            changes[change.list, default: EditedList()].set(change.object, isMember: change.isMember)
        }
        dirty.lists.changes = changes
        return changes
    }

    /// Returns the changes of lists, in the order of the changed objects.
    private func changesOfLists() -> [ChangedLists.Change] {
        var changes: [ChangedLists.Change] = []
        for object in changedObjects where object.state?.phase != .deleted {
            guard let state = object.state else { continue }
            let entity = entity(of: object)
            for (index, relationship) in entity.relationships.enumerated() {
                guard let inverse = relationship.inverse else { continue }
                let property = entity.type.relationships[index]
                func note(_ row: Int64, isMember: Bool) {
                    let list = ListID(entity: relationship.destination, relationship: inverse, row: row)
                    changes.append(ChangedLists.Change(list: list, object: object, isMember: isMember))
                }
                if !property.isToMany {
                    guard state.isAssigned(property.offset) else { continue }
                    let (base, row) = (state.linkBases.first { $0.relationship == index }, property.row(of: object))
                    // An object that has returned to its owner keeps its position.
                    guard base?.row != row || base?.isOutdated == true else { continue }
                    if let base, base.row != 0, base.row != row { note(base.row, isMember: false) }
                    if row != 0 { note(row, isMember: true) }
                } else if let rows = state.listBases[index],
                    store.entities[relationship.destination].relationships[inverse].isToMany
                {
                    let objects = list(index, of: object) ?? []
                    let (before, now) = (Set(rows), Set(objects.map(\.row)))
                    for row in before.subtracting(now) { note(row, isMember: false) }
                    for row in objects.map(\.row) where !before.contains(row) { note(row, isMember: true) }
                    let own = ListID(entity: entity.index, relationship: index, row: object.row)
                    for target in rows.compactMap({ registries[relationship.destination][$0] })
                    where !now.contains(target.row) {
                        changes.append(ChangedLists.Change(list: own, object: target, isMember: false))
                    }
                    for target in objects where !before.contains(target.row) {
                        changes.append(ChangedLists.Change(list: own, object: target, isMember: true))
                    }
                }
            }
        }
        return changes
    }
}
