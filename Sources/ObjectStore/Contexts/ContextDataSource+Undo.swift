import ObjectMapping

/// Undoes the effects of a decode on the objects of a context.
extension ContextDataSource {
    /// A change by a decode.
    enum Change {
        /// The numbers of changed objects, and of those that the payload has, at a savepoint.
        case savepoint(Int, stated: Int)
        case added(ManagedObject)
        /// The earlier result of looking up an identity of an entity.
        case known(Int, StoredIdentity, KnownObjects.Entry?)
        /// An object whose properties were copied; without its state if it was unchanged.
        case updated(ManagedObject?, RecordedState?, restore: () -> Void)
        /// A to-one relationship, with its earlier row and assigned properties.
        case row(ManagedObject, Int, Int64, AssignedProperties)
        /// An object that was added to a list.
        case appended(ManagedObject, Int, ManagedObject)
        /// A list whose later changes are collected.
        case editing(ManagedObject, Int)
        /// An object that was added to the changes of a list or removed from it, with its earlier changes.
        case edited(ManagedObject, Int, ManagedObject, EditedList.Entry)
        /// A list whose changes were applied.
        case applied(ManagedObject, Int, EditedList)
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
            (assigned, bases) = (state.allAssigned, state.bases)
        }

        func restore() {
            object.state?.allAssigned = assigned
            object.state?.bases = bases
        }
    }

    func savepoint() -> Int {
        core.reconcile()
        firstNewRow = core.store.identity.nextTemporaryRow()
        changes.append(.savepoint(core.dirty.objects.count, stated: stated.all.count))
        return changes.count - 1
    }

    func rollback(to savepoint: Int) {
        core.reconcile()
        core.hooks.isRecording = false
        while changes.count > savepoint { undo(changes.removeLast()) }
        core.hooks.isRecording = isInUse
        // Identities and relationships of changed objects may have been restored.
        core.dirty.didRestore()
    }

    /// Records the row of a to-one relationship before it changes, unless its object is undone completely.
    func willSetRow(of object: ManagedObject, _ index: Int) {
        guard object.row >= firstNewRow, let state = object.state else { return }
        let row = core.entity(of: object).type.relationships[index].row(of: object)
        changes.append(.row(object, index, row, state.allAssigned))
    }

    private func undo(_ change: Change) {
        switch change {
        case .savepoint(let count, let stated):
            clean(after: count)
            self.stated.all.removeSubrange(stated...)
        case .added(let object): if object.core === core { core.detach(object) }
        case .known(let entity, let identity, let old): store(old, identity, entity)
        case .updated(let object, let state, let restore):
            restore()
            core.reconcile()
            state?.restore()
            if let object { core.didChange(object) }
        case .row(let object, let index, let row, let assigned): undo(row, of: object, index, assigned)
        case .appended(let owner, let index, let object):
            guard owner.core === core, var objects = core.list(index, of: owner),
                let position = objects.lastIndex(where: { $0 === object })
            else { return }
            objects.remove(at: position)
            core.setList(objects, index, of: owner)
            core.didChange(owner, list: index)
        case .editing(let owner, let index): if owner.core === core { _ = core.list(index, of: owner) }
        case .edited(let owner, let index, let object, let entry):
            guard owner.core === core else { return }
            owner.state?.editedLists[index]?.restore(entry, of: object)
            core.didChange(owner, list: index)
        case .applied(let owner, let index, let list):
            guard owner.core === core else { return }
            core.setList(nil, index, of: owner)
            let state = owner.state ?? ObjectState(.clean)
            owner.state = state
            state.editedLists[index] = list
        case .list(let owner, let index, let objects):
            guard owner.core === core else { break }
            core.setList(objects, index, of: owner)
            core.didChange(owner, list: index)
        case .replaced(let count): stated.replaced.removeSubrange(count...)
        case .keyed(let id, let old): keyed[id] = old
        }
    }

    /// Restores the saved values of objects that were changed since a savepoint; new objects were removed before.
    private func clean(after count: Int) {
        for object in core.dirty.objects.dropFirst(count) where object.core === core {
            guard let state = object.state else { continue }
            for base in state.bases {
                _ = core.entity(of: object).type.attributes[base.attribute].load(base.value, into: object)
            }
            state.clear(.clean)
            core.didChange(object)
        }
        core.dirty.removeAll(after: count)
    }

    private func undo(_ row: Int64, of object: ManagedObject, _ index: Int, _ assigned: AssignedProperties) {
        guard object.core === core else { return }
        let property = core.entity(of: object).type.relationships[index]
        property.setRow(row, of: object)
        core.didChange(object, at: property.offset)
        if !assigned.contains(property.offset) { object.state?.linkBases.removeAll { $0.relationship == index } }
        object.state?.allAssigned = assigned
    }
}

extension ContextCore {
    /// Records a change that a decode may have to undo.
    func record(_ change: @autoclosure () -> ContextDataSource.Change) {
        if hooks.isRecording { dataSource.changes.append(change()) }
    }

    /// Sets the to-one relationships of an object to its last targets, on both sides.
    func restoreTargets(of object: ManagedObject) {
        let entity = entity(of: object)
        for base in object.state?.linkBases ?? [] where entity.relationships[base.relationship].inverse != nil {
            setTarget(target(of: object, base.relationship, row: base.row), of: object, base.relationship)
        }
    }
}
