/// Objects with their saved values, without the changes of the context.
extension ContextCore {
    /// Calls a closure while the properties of an object have the values that were last read or saved.
    func withSavedValues(of object: ManagedObject, _ body: () -> Void) {
        reconcile()
        removeDeletedMembers()
        let entity = entity(of: object)
        dirty.lists.changes = nil
        var restorations: [() -> Void] = []
        var (bases, linkBases) = (object.state?.bases ?? [], object.state?.linkBases ?? [])
        // The first ones are restored last.
        if let (changed, values) = sending.valuesOfServer, changed === object {
            // Properties that were assigned to their saved values again have only the saved edit.
            bases.removeAll { entity.type.attributes[$0.attribute].storedValue(of: object) == $0.value }
            linkBases.removeAll { entity.type.relationships[$0.relationship].row(of: object) == $0.row }
            for (property, value) in values.previous {
                switch property {
                case .attribute(let index):
                    restorations.append(entity.type.attributes[index].keep(object))
                    _ = entity.type.attributes[index].load(value, into: object)
                case .relationship(let index):
                    let (relationship, row) = (
                        entity.type.relationships[index], entity.type.relationships[index].row(of: object)
                    )
                    restorations.append { relationship.setRow(row, of: object) }
                    relationship.setRow(value.integer ?? 0, of: object)
                }
            }
        }
        for base in bases {
            let attribute = entity.type.attributes[base.attribute]
            restorations.append(attribute.keep(object))
            _ = attribute.load(base.value, into: object)
        }
        for base in linkBases {
            let property = entity.type.relationships[base.relationship]
            let row = property.row(of: object)
            restorations.append { property.setRow(row, of: object) }
            property.setRow(base.row, of: object)
        }
        for (index, property) in entity.type.relationships.enumerated() {
            guard property.isToMany, let objects = list(index, of: object) else { continue }
            restorations.append { property.setObjects(objects, of: object) }
            let saved = savedTargets(of: object, index, now: objects)
            property.setObjects(saved.filter { !sending.children.hidden.contains($0) }, of: object)
        }
        let outer = reads.areOfSavedValues
        reads.areOfSavedValues = true
        body()
        reads.areOfSavedValues = outer
        for restore in restorations.reversed() { restore() }
        dirty.lists.changes = nil
    }

    /// Returns the saved objects of a to-many relationship.
    private func savedTargets(of object: ManagedObject, _ index: Int, now: [ManagedObject]) -> [ManagedObject] {
        let relationship = entity(of: object).relationships[index]
        let destination = store.entities[relationship.destination]
        let id = ListID(entity: Int(object.entityIndex), relationship: index, row: object.row)
        if let rows = object.state?.listBases[index] ?? dirty.lists.readRows[id] {
            let missing = rows.filter { $0 > 0 && registries[destination.index][$0] == nil }
            // Deleted objects are not in a list.
            let read = try? read(destination, rows: missing)
            return withExtendedLifetime(read) { rows.compactMap { registries[destination.index][$0] } }
        }
        guard let inverse = relationship.inverse, !destination.relationships[inverse].isToMany else { return now }
        let back = destination.type.relationships[inverse]
        func wasTarget(_ target: ManagedObject) -> Bool {
            guard target.core === self, target.state?.phase != .inserted else { return false }
            return target.state?.savedRow(of: inverse) ?? back.row(of: target) == object.row
        }
        let known = Set(now)
        let former = changedObjects.filter { target in
            Int(target.entityIndex) == destination.index && !known.contains(target) && wasTarget(target)
        }
        return now.filter(wasTarget) + former.sorted { $0.row < $1.row }
    }

    /// Returns the stored form of an earlier reference when it is replaced: a deletion by the same save has cleared it.
    func savedReference(to row: Int64, _ entity: Int) -> StoredValue {
        let state = row == 0 ? nil : registries[entity][row]?.state
        let isCleared = state.map { $0.phase == .deleted && $0.lastValidation == saves.number } ?? false
        return row == 0 || isCleared ? .null : .integer(row)
    }
}
