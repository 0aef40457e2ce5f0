import ObjectMapping

/// Undoes the effects of a decode on the objects of a context.
extension ContextDataSource {
    /// A change by a decode.
    enum Change {
        /// The number of changed objects at a savepoint.
        case savepoint(Int)
        case added(ManagedObject)
        /// The earlier result of looking up an identity of an entity.
        case known(Int, StoredIdentity, KnownObjects.Entry?)
        /// An object whose properties were copied; without its state if it was unchanged.
        case updated(RecordedState?, restore: () -> Void)
        /// A to-one relationship, with its earlier row and assigned properties.
        case row(ManagedObject, Int, Int64, AssignedProperties)
        case appended(ManagedObject, Int, ManagedObject)
        case removed(ManagedObject, Int, ManagedObject, Int)
        case list(ManagedObject, Int, [ManagedObject]?)
        /// The earlier number of replaced objects.
        case replaced(Int)
        case keyed(ConnectionID, KeyedConnection?)
    }

    /// The recorded changes of an object that had unsaved changes before the decode.
    struct RecordedState {
        private let object: ManagedObject
        private let assigned: AssignedProperties
        private let bases: [ObjectState.Base]

        init?(_ object: ManagedObject) {
            guard let state = object.state else { return nil }
            self.object = object
            (assigned, bases) = (state.assigned, state.bases)
        }

        func restore() {
            object.state?.assigned = assigned
            object.state?.bases = bases
        }
    }

    func savepoint() -> Int {
        core.reconcile()
        firstNewRow = core.store.nextTemporaryRow()
        changes.append(.savepoint(core.dirty.count))
        return changes.count - 1
    }

    func rollback(to savepoint: Int) {
        core.reconcile()
        core.isRecording = false
        while changes.count > savepoint { undo(changes.removeLast()) }
        core.isRecording = isInUse
    }

    /// Records the row of a to-one relationship before it changes, unless its object is undone completely.
    func willSetRow(of object: ManagedObject, _ index: Int) {
        guard object.row >= firstNewRow, let state = object.state else { return }
        let row = core.entity(of: object).type.relationships[index].row(of: object)
        changes.append(.row(object, index, row, state.assigned))
    }

    private func undo(_ change: Change) {
        switch change {
        case .savepoint(let count): clean(after: count)
        case .added(let object): core.detach(object)
        case .known(let entity, let identity, let old): store(old, identity, entity)
        case .updated(let state, let restore):
            restore()
            core.reconcile()
            state?.restore()
        case .row(let object, let index, let row, let assigned): undo(row, of: object, index, assigned)
        case .appended(let owner, let index, let object):
            edit(index, of: owner) { objects in
                if let position = objects.lastIndex(where: { $0 === object }) { objects.remove(at: position) }
            }
        case .removed(let owner, let index, let object, let position):
            edit(index, of: owner) { objects in
                if !objects.contains(where: { $0 === object }) {
                    objects.insert(object, at: min(position, objects.count))
                }
            }
        case .list(let owner, let index, let objects):
            if owner.core === core { core.entity(of: owner).type.relationships[index].setObjects(objects, of: owner) }
        case .replaced(let count): replaced.removeSubrange(count...)
        case .keyed(let id, let old): keyed[id] = old
        }
    }

    /// Restores the saved values of objects that were changed since a savepoint; new objects were removed before.
    private func clean(after count: Int) {
        for object in core.dirty.dropFirst(count) where object.core === core {
            guard let state = object.state else { continue }
            for base in state.bases {
                _ = core.entity(of: object).type.attributes[base.attribute].load(base.value, into: object)
            }
            state.clear(.clean)
        }
        if core.dirty.count > count { core.dirty.removeSubrange(count...) }
    }

    private func undo(_ row: Int64, of object: ManagedObject, _ index: Int, _ assigned: AssignedProperties) {
        guard object.core === core else { return }
        let entity = core.entity(of: object)
        let (property, relationship) = (entity.type.relationships[index], entity.relationships[index])
        let new = property.row(of: object)
        property.setRow(row, of: object)
        if !assigned.contains(property.offset) { object.state?.linkBases.removeAll { $0.relationship == index } }
        object.state?.assigned = assigned
        let target = core.store.entities[relationship.destination]
        guard let inverse = relationship.inverse, target.type.relationships[inverse].isToMany else { return }
        // Lists that were read after the change are read again.
        for (owner, isMember) in [(row, true), (new, false)] where owner > 0 {
            guard let owner = core.registries[target.index][owner] else { continue }
            let objects = target.type.relationships[inverse].objects(of: owner)
            if let objects, objects.contains(where: { $0 === object }) != isMember {
                target.type.relationships[inverse].setObjects(nil, of: owner)
            }
        }
    }

    private func edit(_ index: Int, of owner: ManagedObject, _ body: (inout [ManagedObject]) -> Void) {
        guard owner.core === core else { return }
        let property = core.entity(of: owner).type.relationships[index]
        guard var objects = property.objects(of: owner) else { return }
        body(&objects)
        property.setObjects(objects, of: owner)
    }
}
