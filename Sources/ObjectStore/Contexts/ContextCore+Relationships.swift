/// Relationships in memory: every change is applied to both sides.
extension ContextCore {
    /// Returns the target of a to-one relationship; reads it, and those of the objects that were fetched together with
    /// this one.
    func target(of object: ManagedObject, _ index: Int, row: Int64) -> ManagedObject? {
        guard row != 0 else { return nil }
        let relationship = entity(of: object).relationships[index]
        let target = registries[relationship.destination][row] ?? readTarget(of: object, index, row: row)
        return target?.state?.phase == .deleted && !reads.areOfSavedValues ? nil : target
    }

    func setTarget(_ target: ManagedObject?, of object: ManagedObject, _ index: Int) {
        let relationship = entity(of: object).relationships[index]
        if let target, target.state?.phase == .deleted {
            return note(.deletedTarget, of: relationship.name, on: object)
        }
        if let target, target.core == nil { insert(target) }
        if let target, target.core !== self {
            return note(.otherContext, of: relationship.name, on: object)
        }
        object.state?.removeProblems(of: relationship.name)
        let property = entity(of: object).type.relationships[index]
        let old = property.row(of: object)
        guard old != target?.row ?? 0 else { return }
        setRow(target?.row ?? 0, of: object, index)
        guard let inverse = relationship.inverse else { return }
        if entity(of: relationship).relationships[inverse].isToMany {
            moveInLists(object, inverse, of: relationship.destination, from: old, to: target?.row ?? 0)
        } else {
            let back = entity(of: relationship).type.relationships[inverse]
            if old != 0, let former = self.target(of: object, index, row: old) {
                clear(inverse, of: former, referringTo: object)
            }
            guard let target else { return }
            target.fireIfFault()
            if let holder = self.target(of: target, inverse, row: back.row(of: target)), holder !== object {
                clear(index, of: holder, referringTo: target)
            }
            setRow(object.row, of: target, inverse)
        }
    }

    /// Clears a one-to-one relationship on this side, unless others or a conflict gave it another target.
    func clear(_ index: Int, of object: ManagedObject, referringTo target: ManagedObject) {
        object.fireIfFault()
        if entity(of: object).type.relationships[index].row(of: object) == target.row { setRow(0, of: object, index) }
    }

    /// Sets the row of a to-one relationship, on this side only.
    func setRow(_ row: Int64, of object: ManagedObject, _ index: Int) {
        object.fireIfFault()
        let property = entity(of: object).type.relationships[index]
        let old = property.row(of: object)
        guard old != row else { return }
        let state = willChange(object)
        if hooks.isRecording { dataSource.willSetRow(of: object, index) }
        if state.assign(property.offset), state.phase != .inserted {
            state.linkBases.append(ObjectState.LinkBase(relationship: index, row: old))
        }
        property.setRow(row, of: object)
        didChange(object, at: property.offset)
        guard dirty.lists.changes != nil else { return }
        let relationship = entity(of: object).relationships[index]
        guard let inverse = relationship.inverse, entity(of: relationship).relationships[inverse].isToMany
        else { return }
        for (row, isMember) in [(old, false), (row, true)] where row != 0 {
            dirty.lists.note(
                ListID(entity: relationship.destination, relationship: inverse, row: row), object, isMember: isMember)
        }
    }

    func entity(of relationship: StoredEntity.Relationship) -> StoredEntity {
        store.entities[relationship.destination]
    }

    /// Moves an object between the lists of two owners, if these are in memory.
    func moveInLists(_ object: ManagedObject, _ list: Int, of entity: Int, from old: Int64, to new: Int64) {
        if old != 0, let owner = registries[entity][old] { edit(list, of: owner, object, isMember: false) }
        guard new != 0 else { return }
        noteAppend(object, to: list, of: entity, row: new)
        if let owner = registries[entity][new] { edit(list, of: owner, object, isMember: true) }
    }

    /// Adds an object to a list in memory, or removes it.
    private func edit(_ index: Int, of owner: ManagedObject, _ object: ManagedObject, isMember: Bool) {
        let (entity, property) = (entity(of: owner), entity(of: owner).type.relationships[index])
        let isEdited = owner.state.map { !$0.editedLists.isEmpty && $0.editedLists[index] != nil } ?? false
        guard isEdited || property.hasObjects(owner) else { return }
        didChange(owner, at: property.offset)
        noteList(index, of: owner, nil)
        // An object that receives another owner is not in the list yet, so that it can be added in place.
        if isMember, !isEdited, entity.relationships[index].sortedBy == nil,
            case .inverseColumn = entity.relationships[index].storage
        {
            if property.append(object, to: owner) { record(.appended(owner, index, object)) }
            return
        }
        let state = owner.state ?? ObjectState(.clean)
        owner.state = state
        if !isEdited, let objects = property.objects(of: owner) {
            record(.editing(owner, index))
            state.editedLists[index] = EditedList(objects)
            property.setObjects(nil, of: owner)
        }
        if hooks.isRecording, let entry = state.editedLists[index]?.entry(of: object) {
            record(.edited(owner, index, object, entry))
        }
        state.editedLists[index]?.set(object, isMember: isMember)
    }

    /// Returns the objects of a to-many relationship; `nil` if they are not in memory.
    func list(_ index: Int, of object: ManagedObject) -> [ManagedObject]? {
        let property = entity(of: object).type.relationships[index]
        if let objects = property.objects(of: object) { return objects }
        guard let state = object.state, !state.editedLists.isEmpty,
            let edited = state.editedLists.removeValue(forKey: index)
        else { return nil }
        record(.applied(object, index, edited))
        var objects = edited.objects
        let relationship = entity(of: object).relationships[index]
        if edited.hasAdditions, let attribute = relationship.sortedBy {
            sort(&objects, by: entity(of: relationship).type.attributes[attribute])
        }
        property.setObjects(objects, of: object)
        return objects
    }

    /// Sets the objects of a to-many relationship, on this side only; `nil` if they must be read.
    func setList(_ objects: [ManagedObject]?, _ index: Int, of object: ManagedObject) {
        if let state = object.state, !state.editedLists.isEmpty { state.editedLists[index] = nil }
        entity(of: object).type.relationships[index].setObjects(objects, of: object)
    }

    // MARK: Lists

    /// Records a list before its first change.
    func willChangeTargets(of object: ManagedObject, _ index: Int) {
        let bit = UInt64(1) << UInt64(min(index, 63))
        let isMarked = (object.state?.pendingLists ?? 0) & bit != 0
        if isMarked,
            index < 63 || dirty.lists.pending.contains(where: { $0.object === object && $0.relationship == index })
        {
            return
        }
        reconcile()
        removeDeletedMembers()
        loadTargets(of: object, index)
        let state = willChange(object)
        state.pendingLists |= bit
        state.assignedLists.insert(index)
        let before = entity(of: object).type.relationships[index].objects(of: object) ?? []
        dirty.lists.pending.append(ChangedLists.Pending(object: object, relationship: index, before: before))
    }

    /// Updates the inverses of changed lists.
    func reconcile() {
        finishSaveInFlight()
        if !dirty.lists.pending.isEmpty { changing { reconcileLists() } }
    }

    private func reconcileLists() {
        // Before the changes of one list edit another one.
        for pending in dirty.lists.pending where dirty.lists.pending.count > 1 && pending.object.core === self {
            noteList(pending.relationship, of: pending.object, pending.before)
        }
        // A list that is being changed in place has left its property: by code that the change calls.
        var current: [ChangedLists.Pending] = []
        while let pending = dirty.lists.pending.popLast() {
            let object = pending.object
            guard object.core === self else { continue }
            guard list(pending.relationship, of: object) != nil else {
                current.append(pending)
                continue
            }
            object.state?.pendingLists &= ~(UInt64(1) << UInt64(min(pending.relationship, 63)))
            reconcile(pending)
        }
        dirty.lists.pending = current
    }

    private func reconcile(_ pending: ChangedLists.Pending) {
        let (object, index) = (pending.object, pending.relationship)
        let entity = entity(of: object)
        let property = entity.type.relationships[index]
        let relationship = entity.relationships[index]
        let now = list(index, of: object) ?? []
        // The reasons why earlier objects were refused.
        object.state?.removeProblems(of: property.name)
        let common = zip(pending.before, now).prefix { $0 === $1 }.count
        guard common < max(now.count, pending.before.count) else { return }
        record(.list(object, index, pending.before))
        noteList(index, of: object, pending.before)
        var members = Set(pending.before.prefix(common).map(ObjectIdentifier.init))
        let before = Set(pending.before.dropFirst(common).map(ObjectIdentifier.init))
        var kept: [ManagedObject] = Array(now.prefix(common))
        for target in now.dropFirst(common) where members.insert(ObjectIdentifier(target)).inserted {
            guard target.state?.phase != .deleted else {
                // An object that is deleted while the list is changed leaves the list.
                if !before.contains(ObjectIdentifier(target)) { note(.deletedTarget, of: property.name, on: object) }
                continue
            }
            if target.core == nil { insert(target) }
            if target.core !== self {
                note(.otherContext, of: property.name, on: object)
            } else {
                kept.append(target)
                if !before.contains(ObjectIdentifier(target)) { link(target, to: object, relationship, isLinked: true) }
            }
        }
        for target in pending.before.dropFirst(common) where !members.contains(ObjectIdentifier(target)) {
            link(target, to: object, relationship, isLinked: false)
        }
        if kept.count != now.count {
            setList(kept, index, of: object)
            didChange(object, at: property.offset)
        }
    }

    /// Updates the other side of a to-many relationship.
    func link(
        _ target: ManagedObject, to object: ManagedObject, _ relationship: StoredEntity.Relationship, isLinked: Bool
    ) {
        guard let inverse = relationship.inverse else { return }
        target.fireIfFault()
        let back = entity(of: relationship).type.relationships[inverse]
        if back.isToMany {
            if isLinked { noteAppend(object, to: inverse, of: Int(target.entityIndex), row: target.row) }
            edit(inverse, of: target, object, isMember: isLinked)
            guard dirty.lists.changes != nil else { return }
            let index = entity(of: relationship).relationships[inverse].inverse ?? 0
            for (owner, list, member) in [(target, inverse, object), (object, index, target)] {
                dirty.lists.note(
                    ListID(entity: Int(owner.entityIndex), relationship: list, row: owner.row), member,
                    isMember: isLinked)
            }
        } else if isLinked {
            let old = back.row(of: target)
            setRow(object.row, of: target, inverse)
            guard old != object.row, old != 0 else { return }
            let list = entity(of: target).relationships[inverse].inverse
            if let list { moveInLists(target, list, of: Int(object.entityIndex), from: old, to: 0) }
        } else if back.row(of: target) == object.row {
            setRow(0, of: target, inverse)
        }
    }

    /// Records the rows of a list in a table of links, before its first change.
    ///
    /// - Parameter objects: The objects; `nil` for those of the list in memory.
    func noteList(_ index: Int, of object: ManagedObject, _ objects: [ManagedObject]?) {
        guard entity(of: object).relationships[index].linkTable != nil else { return }
        let state = willChange(object)
        if state.listBases[index] == nil {
            let id = ListID(entity: Int(object.entityIndex), relationship: index, row: object.row)
            // Objects without a row are not in the file, even if this object was saved.
            state.listBases[index] = (dirty.lists.readRows[id] ?? (objects ?? list(index, of: object) ?? []).map(\.row))
                .filter { $0 > 0 }
        }
    }
}
