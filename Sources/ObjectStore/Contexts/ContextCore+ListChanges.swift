/// A to-many relationship of a row.
struct ListID: Hashable {
    let entity: Int
    let relationship: Int
    let row: Int64
}

/// Unsaved changes of to-many relationships by unsaved changes of their inverses, for lists that are read later.
extension ContextCore {
    /// Applies unsaved changes to a list that was read.
    func adjust(_ list: inout [ManagedObject], of owner: ManagedObject, _ index: Int) {
        guard !dirty.isEmpty else { return }
        let (read, changes) = (list, listChanges ?? collectListChanges())
        let id = ListID(entity: Int(owner.entityIndex), relationship: index, row: owner.row)
        if let changes = changes[id] { list = changes.changed(list).filter { $0.core === self } }
        list.removeAll { $0.state?.phase == .deleted }
        // The positions that a later change of the list assumes.
        guard entity(of: owner).relationships[index].storage.linkTable?.isOwner ?? false else { return }
        readLists[id] = read.elementsEqual(list, by: ===) ? nil : read.map(\.row)
    }

    /// Records that the inverse of a list has changed, after the first list was read.
    func noteListChange(_ list: @autoclosure () -> ListID, _ object: ManagedObject, isMember: Bool) {
        if listChanges != nil { listChanges?[list(), default: EditedList()].set(object, isMember: isMember) }
    }

    private func collectListChanges() -> [ListID: EditedList] {
        var changes: [ListID: EditedList] = [:]
        for object in changedObjects where object.state?.phase != .deleted {
            guard let state = object.state else { continue }
            let entity = entity(of: object)
            for (index, relationship) in entity.relationships.enumerated() {
                guard let inverse = relationship.inverse else { continue }
                let property = entity.type.relationships[index]
                func note(_ row: Int64, isMember: Bool) {
                    let list = ListID(entity: relationship.destination, relationship: inverse, row: row)
                    changes[list, default: EditedList()].set(object, isMember: isMember)
                }
                if !property.isToMany {
                    guard state.isAssigned(property.offset) else { continue }
                    let base = state.linkBases.first { $0.relationship == index }
                    if let base, base.row != 0 { note(base.row, isMember: false) }
                    if property.row(of: object) != 0 { note(property.row(of: object), isMember: true) }
                } else if let rows = state.listBases[index],
                    store.entities[relationship.destination].type.relationships[inverse].isToMany
                {
                    let objects = list(index, of: object) ?? []
                    let (before, now) = (Set(rows), Set(objects.map(\.row)))
                    for row in before.subtracting(now) { note(row, isMember: false) }
                    for row in objects.map(\.row) where !before.contains(row) { note(row, isMember: true) }
                    let own = ListID(entity: entity.index, relationship: index, row: object.row)
                    for target in rows.compactMap({ registries[relationship.destination][$0] })
                    where !now.contains(target.row) {
                        changes[own, default: EditedList()].set(target, isMember: false)
                    }
                    for target in objects where !before.contains(target.row) {
                        changes[own, default: EditedList()].set(target, isMember: true)
                    }
                }
            }
        }
        listChanges = changes
        return changes
    }
}
