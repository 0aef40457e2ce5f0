/// Changes of objects after they were validated by a save, while it is prepared or another thread writes; and the end of a
/// save.
extension ContextCore {
    /// Records the value of an attribute that is assigned after its object was validated.
    func noteLateChange(of object: ManagedObject, at offset: Int) {
        guard let state = object.state, case .attribute(let index)? = property(of: object, at: offset) else { return }
        let attribute = entity(of: object).type.attributes[index]
        guard !attribute.isTransient, !state.lateBases.contains(where: { $0.attribute == index }) else { return }
        noteLateChange(of: object, state)
        state.lateBases.append(ObjectState.Base(attribute: index, value: attribute.storedValue(of: object) ?? .null))
    }

    /// Records that an object changes after it was validated.
    func noteLateChange(of object: ManagedObject, _ state: ObjectState) {
        if state.lateBases.isEmpty, !state.hasLateLinks { saves.lateObjects.append(object) }
    }

    /// Whether an object differs from its validated values.
    func isChangedLate(_ object: ManagedObject, _ state: ObjectState) -> Bool {
        let attributes = entity(of: object).type.attributes
        return state.hasLateLinks
            || state.lateBases.contains { attributes[$0.attribute].storedValue(of: object) ?? .null != $0.value }
    }

    // MARK: The end of a save

    /// Updates the context after its changes were written: objects that changed since remain changed.
    func didWrite(_ outcome: SaveOutcome, _ objects: [ManagedObject]) {
        let late =
            saves.lateObjects.isEmpty
            ? [] : saves.takeLateObjects().filter { $0.access.contains(.saving) }.flatMap(lateChanges)
        dirty.didSave(objects) { isChanged($0) && !$0.access.contains(.saving) }
        for object in objects { object.access.remove(.saving) }
        changing {
            finishSave(outcome, objects)
            // Changed objects that were not saved can refer to new ones that were.
            for object in dirty.objects where object.core === self { updateReferences(of: object, outcome) }
            var read: ManagedObject?
            for change in late where change.object.core === self {
                if change.object.access.contains(.fault) {
                    // The row has values of others, which were not visible when the attribute was assigned.
                    change.object.fireIfFault()
                    read = change.object
                }
                note(change, isRead: read === change.object)
            }
        }
    }

    /// Updates objects with the rows that were written for them.
    func finishSave(_ outcome: SaveOutcome, _ objects: [ManagedObject]) {
        reads.didRead()
        var deleted = outcome.cascaded
        for object in objects {
            guard let state = object.state else { continue }
            switch state.phase {
            case .inserted:
                let temporary = object.row
                guard let row = outcome.rows[temporary] else { continue }
                if state.hasSharedID { store.identity.remember(row, for: temporary) }
                registries[Int(object.entityIndex)].move(object, from: temporary, to: row)
                object.row = row
                updateReferences(of: object, outcome)
                applyEdits(to: object, state)
                noteSavedIdentity(of: object, state)
                object.state = nil
                if outcome.adopted.contains(temporary) { makeFault(object) }
                didSaveAlone(object, temporary, state)
            case .updated:
                updateReferences(of: object, outcome)
                applyEdits(to: object, state)
                if object.unassignedIdentity != 0 { noteSavedIdentity(of: object, state) }
                object.state = nil
                didSaveAlone(object, object.row, state)
            case .deleted:
                deleted[Int(object.entityIndex), default: []].insert(object.row)
                detach(object)
            case .clean, .detached: break
            }
        }
        for object in merges.unwritten where object.core === self && object.state == nil { makeFault(object) }
        merges.unwritten = []
        detachDeleted(outcome.cascaded)
        if !deleted.isEmpty {
            removeReferences(to: deleted, from: holders(of: deleted))
            if saves.listsAlone != nil { removeSavedMembers(deleted) }
        }
        for row in outcome.merged {
            if let object = registries[row.entity][row.row] { makeFaultKeepingChanges(object) }
        }
        if !outcome.merged.isEmpty {
            // The lists of their owners.
            for object in registries.flatMap(\.objects) where !isChanged(object) { dropLists(of: object) }
        }
        dataSource.forgetKeys()
        for connected in outcome.connected { follow(connected) }
    }

    /// Keeps the lists of an object that loses its state.
    func applyEdits(to object: ManagedObject, _ state: ObjectState) {
        guard let lists = state.details?.editedLists else { return }
        for index in lists.keys { _ = list(index, of: object) }
    }

    /// Updates references to new objects with their rows.
    func updateReferences(of object: ManagedObject, _ outcome: SaveOutcome) {
        let entity = entity(of: object)
        for index in entity.toOnes {
            let relationship = entity.type.relationships[index]
            let row = relationship.row(of: object)
            if row < 0, let saved = outcome.rows[row] { relationship.setRow(saved, of: object) }
        }
    }

    /// Updates both sides of a relationship that was connected by key.
    func follow(_ connected: ConnectionUpdate.Connected) {
        func set(_ entity: StoredEntity, _ row: Int64, _ index: Int, _ target: Int64) {
            guard let object = registries[entity.index][row], !object.access.contains(.fault) else { return }
            let property = entity.type.relationships[index]
            if property.isToMany { setList(nil, index, of: object) } else { property.setRow(target, of: object) }
            didChange(object, at: property.offset)
        }
        let entity = store.entities[connected.entity]
        let relationship = entity.relationships[connected.relationship]
        set(entity, connected.row, connected.relationship, connected.target)
        guard let inverse = relationship.inverse else { return }
        set(store.entities[relationship.destination], connected.target, inverse, connected.row)
    }

    /// Keeps the changes of objects that were not written.
    func didNotSave(_ objects: [ManagedObject]) {
        merges.unwritten = []
        for object in objects { object.access.remove(.saving) }
        for object in saves.takeLateObjects() {
            if let state = object.state { (state.lateBases, state.hasLateLinks) = ([], false) }
        }
    }

    /// An attribute that was assigned while its object was written.
    private struct LateChange {
        let object: ManagedObject
        let attribute: Int
        let base: StoredValue
        let value: StoredValue
        /// Whether the object was new: the value of the row with its identity is not one that others changed.
        let isNew: Bool
    }

    private func lateChanges(of object: ManagedObject) -> [LateChange] {
        let attributes = entity(of: object).type.attributes
        return (object.state?.lateBases ?? []).compactMap { base in
            // A value that cannot be stored differs from the written one.
            let value = attributes[base.attribute].storedValue(of: object)
            guard value != base.value else { return nil }
            return LateChange(
                object: object, attribute: base.attribute, base: base.value, value: value ?? .null,
                isNew: object.state?.phase == .inserted)
        }
    }

    /// Marks an attribute that was assigned while its object was written as changed.
    ///
    /// - Parameter isRead: Whether the row was read again, so that the object lacks the assigned value.
    private func note(_ change: LateChange, isRead: Bool) {
        let object = change.object
        let attribute = entity(of: object).type.attributes[change.attribute]
        var base = change.base
        if isRead {
            if change.isNew { base = attribute.storedValue(of: object) ?? .null }
            _ = attribute.load(change.value, into: object)
        }
        let state = willChange(object)
        if state.assign(attribute.offset) {
            state.bases.append(ObjectState.Base(attribute: change.attribute, value: base))
        }
    }
}
