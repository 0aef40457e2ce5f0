/// The deletion of objects, and what refers to them.
extension ContextCore {
    /// Deletes an object; a new one leaves the context.
    ///
    /// - Parameter keepingTargets: Whether the delete rules of its relationships are ignored. Defaults to `false`.
    func delete(_ object: ManagedObject, keepingTargets: Bool = false) {
        guard object.core === self else {
            if object.core != nil { note(.otherContext, on: object) }
            return
        }
        changing { markDeleted(object, keepingTargets: keepingTargets) }
    }

    private func markDeleted(_ object: ManagedObject, keepingTargets: Bool) {
        reconcile()
        var deleted: [(object: ManagedObject, isNew: Bool)] = []
        // A list of work: a chain of objects can be longer than the stack.
        var pending = [object]
        while let object = pending.popLast() {
            guard object.core === self, object.state?.phase != .deleted else { continue }
            object.fireIfFault()
            deleted.append((object, object.state?.phase == .inserted))
            // Before the targets are read, which may refer to the object.
            willChange(object).phase = .deleted
            didChangeTarget(object)
            guard !keepingTargets else { continue }
            for (index, relationship) in entity(of: object).relationships.enumerated()
            where relationship.deleteRule == .cascade {
                pending += targets(of: object, index).reversed()
            }
        }
        for (object, isNew) in deleted {
            removeFromInverses(object, isNew: isNew, keepingTargets: keepingTargets)
            noteDeletedMember(object)
        }
        for (object, isNew) in deleted where isNew {
            detach(object)
            didDiscardChanges()
        }
        // Observers of lists are notified immediately.
        if isObserved, store.entities.contains(where: { $0.type.observed.haveObservers }) { removeDeletedMembers() }
    }

    /// Removes a deleted object from the relationships of its targets.
    private func removeFromInverses(_ object: ManagedObject, isNew: Bool, keepingTargets: Bool) {
        let entity = entity(of: object)
        for (index, property) in entity.type.relationships.enumerated() {
            let relationship = entity.relationships[index]
            switch keepingTargets ? .nullify : relationship.deleteRule {
            case .cascade: continue
            case .deny where !isNew:
                // In memory, so that the save only has to look at them.
                if property.isToMany { loadTargets(of: object, index) }
            case .deny, .nullify:
                guard let inverse = relationship.inverse else { continue }
                if property.isToMany {
                    for target in list(index, of: object) ?? [] where target.state?.phase != .deleted {
                        link(target, to: object, relationship, isLinked: false)
                    }
                } else {
                    let row = property.row(of: object)
                    if store.entities[relationship.destination].relationships[inverse].isToMany {
                        moveInLists(object, inverse, of: relationship.destination, from: row, to: 0)
                    } else if let target = registries[relationship.destination][row], !target.access.contains(.fault) {
                        clear(inverse, of: target, referringTo: object)
                    }
                }
            }
        }
    }

    /// Adds the relationships because of which a deleted object cannot be deleted.
    func addDenials(of object: ManagedObject, to problems: inout [ObjectProblem]) {
        for (index, relationship) in entity(of: object).relationships.enumerated()
        where relationship.deleteRule == .deny && !targets(of: object, index).isEmpty {
            let name = relationship.name
            problems.append(ObjectProblem(object: id(of: object), property: name, message: RowDeletion.denial(name)))
        }
    }

    /// Whether a required to-one relationship has no object, or one that is deleted.
    func lacksTarget(_ object: ManagedObject, _ index: Int) -> Bool {
        let entity = entity(of: object)
        let row = entity.type.relationships[index].row(of: object)
        guard row != 0 else { return true }
        let target = registries[entity.relationships[index].destination][row]
        // A new object that was deleted has left the context.
        return target.map { $0.state?.phase == .deleted } ?? (row < 0)
    }

    /// Brings back a deleted object that was not saved yet, with its values and relationships.
    ///
    /// Objects that its delete rules deleted remain deleted, and objects that received another owner keep it.
    func restore(_ object: ManagedObject) {
        reconcile()
        guard let state = object.state, state.phase == .deleted else { return }
        state.phase = .updated
        dirty.lists.changes = nil
        if object.access.contains(.saving) { noteLateChange(of: object, state) }
        didChangeTarget(object)
        dirty.restoredRows[Int(object.entityIndex), default: []].insert(object.row)
        restoreMember(object)
        let entity = entity(of: object)
        for (index, property) in entity.type.relationships.enumerated() {
            let relationship = entity.relationships[index]
            guard let inverse = relationship.inverse else { continue }
            let back = self.entity(of: relationship).type.relationships[inverse]
            if property.isToMany {
                guard let objects = list(index, of: object) else { continue }
                let kept = objects.filter { target in
                    target.core === self && target.state?.phase != .deleted
                        && (back.isToMany || [0, object.row].contains(back.row(of: target)))
                }
                for target in kept { link(target, to: object, relationship, isLinked: true) }
                guard kept.count != objects.count else { continue }
                noteList(index, of: object, objects)
                setList(kept, index, of: object)
                didChange(object, at: property.offset)
            } else if let target = target(of: object, index, row: property.row(of: object)) {
                if back.isToMany {
                    moveInLists(object, inverse, of: relationship.destination, from: 0, to: target.row)
                } else if [0, object.row].contains(back.row(of: target)) {
                    setRow(object.row, of: target, inverse)
                } else {
                    setRow(0, of: object, index)
                }
            }
        }
    }

    /// Releases the objects of rows that were deleted.
    func detachDeleted(_ rows: [Int: Set<Int64>]) {
        for (index, rows) in rows {
            for object in rows.compactMap({ registries[index][$0] }) {
                let state = object.state ?? ObjectState(.deleted)
                state.phase = .deleted
                object.state = state
                detach(object)
            }
        }
    }

    /// Returns the objects in memory of the entities with relationships to rows.
    func holders(of rows: [Int: Set<Int64>]) -> [ManagedObject] {
        store.entities.filter { entity in entity.relationships.contains { rows[$0.destination] != nil } }
            .flatMap { registries[$0.index].objects }
    }

    /// Removes references to rows that were deleted.
    ///
    /// - Parameter keepingAssigned: Whether the save of an unsaved reference throws. Defaults to `false`: it is removed.
    func removeReferences(
        to rows: [Int: Set<Int64>], from objects: [ManagedObject], keepingAssigned: Bool = false
    ) {
        for object in objects {
            let entity = entity(of: object)
            for (index, property) in entity.type.relationships.enumerated() {
                guard let rows = rows[entity.relationships[index].destination] else { continue }
                if !property.isToMany {
                    if rows.contains(property.row(of: object)),
                        !keepingAssigned || object.state?.isAssigned(property.offset) != true
                    {
                        property.setRow(0, of: object)
                        didChange(object, at: property.offset)
                    }
                    continue
                }
                let keepsChanged =
                    keepingAssigned
                    && (!entity.relationships[index].storage.isJoinTable
                        || object.state?.assignedLists.contains(index) ?? false)
                func isDeleted(_ target: ManagedObject) -> Bool {
                    target.core !== self
                        || rows.contains(target.row) && !(keepsChanged && hasOwnChanges(target))
                }
                if let targets = list(index, of: object), targets.contains(where: isDeleted) {
                    if keepingAssigned { noteLostTargets(targets.filter(isDeleted), index, of: object) }
                    setList(targets.filter { !isDeleted($0) }, index, of: object)
                    didChange(object, at: property.offset)
                }
            }
        }
    }

    /// Records that objects were added to a list and deleted by others.
    private func noteLostTargets(_ targets: [ManagedObject], _ index: Int, of object: ManagedObject) {
        // An object with one owner has own changes, which cannot be saved either.
        guard entity(of: object).relationships[index].storage.isJoinTable, let state = object.state,
            state.assignedLists.contains(index)
        else { return }
        let base = state.listBases[index] ?? []
        let isLost = targets.contains { $0.row > 0 && !base.contains($0.row) && $0.state?.phase != .deleted }
        if isLost { note(.lostTarget, of: entity(of: object).relationships[index].name, on: object) }
    }

    /// Returns the objects of a relationship, which are read if necessary.
    func targets(of object: ManagedObject, _ index: Int) -> [ManagedObject] {
        let property = entity(of: object).type.relationships[index]
        guard property.isToMany else {
            return target(of: object, index, row: property.row(of: object)).map { [$0] } ?? []
        }
        loadTargets(of: object, index)
        return (list(index, of: object) ?? []).filter { $0.state?.phase != .deleted }
    }

    // MARK: What a save deletes

    /// Returns the objects that were removed from relationships of deleted objects, and those that were restored after a
    /// deletion: the file contains them in these relationships until the save.
    func keptTargets(of objects: [ManagedObject]) -> Set<ChangeSet.KeptTarget> {
        var kept: Set<ChangeSet.KeptTarget> = []
        func keep(_ target: Int64, _ entity: StoredEntity, _ index: Int) {
            guard entity.relationships[index].deleteRule != .nullify else { return }
            kept.insert(ChangeSet.KeptTarget(entity: entity.index, relationship: index, target: target))
        }
        for object in objects {
            guard let state = object.state else { continue }
            let (entity, isDeleted) = (entity(of: object), state.phase == .deleted)
            for base in state.linkBases {
                let (property, relationship) = (
                    entity.type.relationships[base.relationship], entity.relationships[base.relationship]
                )
                guard property.row(of: object) != base.row else { continue }
                if isDeleted { keep(base.row, entity, base.relationship) }
                if let inverse = relationship.inverse {
                    keep(object.row, store.entities[relationship.destination], inverse)
                }
            }
            for (index, rows) in state.listBases {
                let (relationship, now) = (entity.relationships[index], Set((list(index, of: object) ?? []).map(\.row)))
                for row in rows where !now.contains(row) {
                    if isDeleted { keep(row, entity, index) }
                    guard relationship.storage.isJoinTable, let inverse = relationship.inverse else { continue }
                    keep(object.row, store.entities[relationship.destination], inverse)
                }
            }
        }
        for (destination, rows) in dirty.restoredRows {
            for entity in store.entities {
                for (index, relationship) in entity.relationships.enumerated()
                where relationship.destination == destination {
                    for row in rows { keep(row, entity, index) }
                }
            }
        }
        return kept
    }

    // MARK: Lists

    /// Records that lists in memory may contain a deleted object.
    ///
    /// Only a search finds the lists of one-sided relationships, and those whose other side is not in memory. It follows
    /// when a list is accessed, for all deleted objects together.
    private func noteDeletedMember(_ object: ManagedObject) {
        let index = Int(object.entityIndex)
        guard !dirty.lists.deletedMembers.contains(index) else { return }
        let isListed = store.entities.contains { entity in
            entity.relationships.contains { $0.destination == index && $0.storage.isJoinTable }
        }
        if isListed { dirty.lists.deletedMembers.insert(index) }
    }

    /// Removes deleted objects from the lists in memory that may contain them.
    func removeDeletedMembers() {
        guard !dirty.lists.deletedMembers.isEmpty else { return }
        let entities = dirty.lists.deletedMembers
        // A list that is being changed in place has left its property.
        if dirty.lists.pending.isEmpty { dirty.lists.deletedMembers = [] }
        changing {
            for entity in store.entities {
                for (index, relationship) in entity.relationships.enumerated()
                where relationship.storage.isJoinTable && entities.contains(relationship.destination) {
                    for owner in registries[entity.index].objects { removeDeleted(from: index, of: owner) }
                }
            }
        }
    }

    private func removeDeleted(from index: Int, of owner: ManagedObject) {
        guard let objects = list(index, of: owner), objects.contains(where: { $0.state?.phase == .deleted }) else {
            return
        }
        // The save removes the rows of deleted objects from the table: the list itself is not changed.
        let id = ListID(entity: Int(owner.entityIndex), relationship: index, row: owner.row)
        if owner.state?.listBases[index] == nil, dirty.lists.readRows[id] == nil {
            dirty.lists.readRows[id] = objects.map(\.row)
        }
        record(.list(owner, index, objects))
        for (position, object) in objects.enumerated() where object.state?.phase == .deleted && object.core === self {
            let member = ChangedLists.RemovedMember(owner: owner, relationship: index, position: position)
            dirty.lists.removedMembers[ObjectIdentifier(object), default: []].append(member)
        }
        setList(objects.filter { $0.state?.phase != .deleted }, index, of: owner)
        didChange(owner, list: index)
    }

    /// Adds an object that was restored after its deletion to the lists that contained it.
    private func restoreMember(_ object: ManagedObject) {
        for member in dirty.lists.removedMembers.removeValue(forKey: ObjectIdentifier(object)) ?? [] {
            let (owner, index) = (member.owner, member.relationship)
            guard owner.core === self, var objects = list(index, of: owner), !objects.contains(where: { $0 === object })
            else { continue }
            objects.insert(object, at: min(member.position, objects.count))
            setList(objects, index, of: owner)
            didChange(owner, list: index)
        }
    }
}
