import ObjectMapping

/// Saving: the changes to write, and the updates of the objects afterwards.
extension ContextCore {
    /// - Parameter waits: Whether to wait as long as others in the process write. Defaults to `false`.
    func save(_ policy: MergePolicy, waits: Bool = false) throws(StoreError) {
        try hooks.check("save()")
        try prepareSave { (changes, objects) throws(StoreError) in
            do throws(StoreError) {
                // A handler of statements is called after the objects were updated.
                try store.write(waits: waits) { (connection) throws(StoreError) in
                    try SaveWriter(store, connection, policy, registries, author: number).write(changes)
                } finish: { outcome in
                    didWrite(outcome, objects)
                }
            } catch {
                didNotSave(objects)
                throw error
            }
        }
        // Written in any case: an error is thrown by the next call that merges.
        if hasNews { try? merge(lookingForOthers: false) }
    }

    /// Calls a closure with the changes to write and their objects, unless there are no changes.
    ///
    /// - Throws: `StoreError` with all reasons why objects cannot be saved.
    ///
    /// - Parameters:
    ///   - merges: Whether to merge the commits of others first. Defaults to `true`.
    ///   - earlier: The save that this one continues. Defaults to `nil`, for a new one.
    ///   - isKept: Whether the changes of an object remain unsaved. Defaults to `nil`, for all objects.
    ///   - isStrict: Whether new rows cannot exist, and deleted ones must exist. Defaults to `false`.
    func prepareSave(
        merges: Bool = true, continuing earlier: Int? = nil, keeping isKept: ((ManagedObject) -> Bool)? = nil,
        isStrict: Bool = false,
        _ write: (ChangeSet, [ManagedObject]) throws(StoreError) -> Void
    ) throws(StoreError) {
        reads.releaseTargets()
        reconcile()
        removeDeletedMembers()
        // The transaction looks for other processes; a save without changes has none.
        if merges { try merge(lookingForOthers: !hasUnsavedObjects) }
        if let problem = saves.problems.first { throw problem }
        try hooks.throwMisuse()
        // Observers are notified at the end.
        try calling(.saving) { () throws(StoreError) in
            let objects: [ManagedObject]
            var changes = ChangeSet()
            do throws(StoreError) {
                saves.number += 1
                saves.continued = earlier
                defer { saves.continued = nil }
                objects = try validatedObjects(keeping: isKept)
                changes.rules.isStrict = isStrict
                saves.listsAlone = isStrict ? [:] : nil
                addChanges(of: objects, to: &changes)
                try hooks.throwMisuse()
            } catch {
                didNotSave(dirty.objects)
                throw error
            }
            if !objects.isEmpty || changes.hasOthers {
                try write(changes, objects)
            }
        }
    }

    /// Calls the hooks of the changed objects and validates them, until hooks make no further changes.
    ///
    /// Later changes of the returned objects are recorded.
    private func validatedObjects(
        keeping isKept: ((ManagedObject) -> Bool)?
    ) throws(StoreError) -> [ManagedObject] {
        var rounds = 0
        while true {
            try callWillSave(keeping: isKept)
            let objects = isKept.map { isKept in changedObjects.filter { !isKept($0) } } ?? changedObjects
            let new = rounds == 0 ? objects : objects.filter { $0.state?.lastValidation != saves.number }
            guard let first = new.first else { return objects }
            guard rounds < Self.maximumOfRounds else { throw endless(.validateForSave, first) }
            rounds += 1
            for object in new {
                object.state?.lastValidation = saves.number
                object.access.insert(.saving)
            }
            let generation = dirty.generation
            try validate(new)
            try hooks.throwMisuse()
            // The common case: the validation changed nothing.
            if saves.lateObjects.isEmpty, !dirty.lists.havePending, dirty.objects.count == objects.count,
                dirty.generation == generation,
                objects.allSatisfy(isChanged)
            {
                return objects
            }
            for object in saves.takeLateObjects() {
                guard let state = object.state else { continue }
                if isChangedLate(object, state) { state.lastValidation = 0 }
                (state.lateBases, state.hasLateLinks) = ([], false)
            }
        }
    }

    // MARK: Validation

    private func validate(_ objects: [ManagedObject]) throws(StoreError) {
        var problems: [ObjectProblem] = []
        for object in objects where object.core === self {
            if let error = object.state?.readError { throw error }
            addProblems(of: object, to: &problems)
        }
        guard problems.isEmpty else {
            let count = Set(problems.map(\.object)).count
            throw StoreError(
                .invalidObjects, "cannot save \(count) invalid \(count == 1 ? "object" : "objects"), nothing was saved",
                entity: problems[0].object.entity, problems: problems)
        }
    }

    /// Removes the new objects that cannot be saved, and those that cannot be saved without them.
    ///
    /// - Returns: The reasons.
    func discardInvalidObjects() -> [ObjectProblem] {
        reconcile()
        saves.number += 1
        do throws(StoreError) {
            try calling(.saving) { () throws(StoreError) in try callWillSave() }
        } catch {
            hooks.note(error)
        }
        var discarded: [ObjectProblem] = []
        while true {
            let known = discarded.count
            for object in dirty.objects where object.core === self && object.state?.phase == .inserted {
                let before = discarded.count
                addProblems(of: object, to: &discarded)
                if discarded.count > before { delete(object, keepingTargets: true) }
            }
            if discarded.count == known { return discarded }
        }
    }

    private func addProblems(of object: ManagedObject, to problems: inout [ObjectProblem]) {
        if let details = object.state?.details { problems += details.problems }
        guard object.state?.phase != .deleted else { return addDenials(of: object, to: &problems) }
        let entity = entity(of: object)
        func report(_ property: String?, _ message: String) {
            problems.append(ObjectProblem(object: id(of: object), property: property, message: message))
        }
        for attribute in entity.binding.validated {
            switch attribute.storedValue(of: object) {
            case nil: report(attribute.name, attribute.refusal(of: object))
            case .null? where attribute.isRequired: report(attribute.name, "a value is required, found nil")
            default: break
            }
        }
        for index in entity.toOnes where entity.relationships[index].isRequired && lacksTarget(object, index) {
            let relationship = entity.type.relationships[index]
            // If an object was refused, the reason is reported already.
            let isReported = object.state?.problems.contains { $0.property == relationship.name } ?? false
            let found = relationship.row(of: object) == 0 ? "nil" : "an object that is deleted"
            if !isReported {
                report(relationship.name, "an object is required, found \(found); assign one, or delete this object")
            }
        }
        do {
            try calling(.validateForSave) { try object.validateForSave() }
        } catch {
            report(nil, (error as? ValidationFailure)?.message ?? "\(error)")
        }
    }

    // MARK: What is written

    private func addChanges(of objects: [ManagedObject], to changes: inout ChangeSet) {
        for object in objects {
            guard let state = object.state else { continue }
            switch state.phase {
            case .inserted: addInsertion(of: object, state, to: &changes)
            case .updated:
                let update = update(of: object, state)
                if !update.changes.isEmpty { changes.updates.append(update) }
            case .deleted:
                changes.deletions.append(ChangeSet.RowID(entity: Int(object.entityIndex), row: object.row))
            case .clean, .detached: continue
            }
        }
        // Membership first, which appends; then the lists, which have positions.
        for object in objects {
            if let state = object.state, state.phase != .deleted { addMembership(of: object, state, to: &changes) }
        }
        for object in objects {
            if let state = object.state, state.phase != .deleted { addLinks(of: object, state, to: &changes) }
        }
        if dirty.lists.appendOrder.isRecorded { changes.sortAppended() }
        if !changes.deletions.isEmpty { changes.kept = keptTargets(of: objects) }
        changes.waiting = dataSource.waitingKeys()
        changes.rules.marksUnsent = sending.marksUnsent && store.keepsUnsent
        (changes.isReply, changes.accepted) = (store.keepsUnsent && sending.isReply, acceptedObjects)
        changes.responses = sending.responses
        changes.companion = sending.companion.take()
    }

    private func addInsertion(of object: ManagedObject, _ state: ObjectState, to changes: inout ChangeSet) {
        let entity = entity(of: object)
        var insertion = ChangeSet.Insertion(entity: entity.index, temporary: object.row, start: changes.values.count)
        (insertion.isUnknown, insertion.hasSharedID) = (state.isUnknown, state.hasSharedID)
        changes.insertions.append(insertion)
        var assigned = ColumnSet()
        let memory = ObjectMemory(object)
        let (steps, count) = (entity.loadSteps, entity.columnNames.count)
        for (index, step) in steps.prefix(count).enumerated() {
            let isAssigned = state.isAssigned(step.offset)
            if isAssigned { assigned.append(index) }
            if step.isIdentity, !isAssigned {
                // An identity that was not assigned does not identify an object.
                changes.values.append(.null)
            } else if let direct = step.direct {
                changes.values.append(direct.storedValue(of: memory, at: step.offset))
            } else {
                changes.values.append(entity.type.attributes[index].storedValue(of: object) ?? .null)
            }
        }
        for (place, index) in entity.toOnes.enumerated() {
            if state.isAssigned(steps[count + place].offset) { assigned.append(count + place) }
            changes.values.append(reference(of: object, index))
        }
        changes.assigned.append(assigned)
        if state.details != nil, !entity.identity.isEmpty, !state.assignedLists.isEmpty {
            changes.assignedLists[object.row] = state.assignedLists
        }
    }

    private func update(of object: ManagedObject, _ state: ObjectState) -> ChangeSet.Update {
        let entity = entity(of: object)
        var changes: [ChangeSet.Change] = []
        for base in state.bases {
            let attribute = entity.type.attributes[base.attribute]
            let value = attribute.storedValue(of: object) ?? .null
            // An identity that was not assigned is NULL in the file and has the default in memory.
            guard !attribute.isTransient,
                value != base.value || base.isOutdated
                    || attribute.isIdentity && value == entity.valueForNull(of: .attribute(base.attribute))
            else {
                if !attribute.isTransient { noteUnwritten(.attribute(base.attribute), of: object) }
                continue
            }
            changes.append(ChangeSet.Change(property: .attribute(base.attribute), old: base.value, new: value))
        }
        for base in state.linkBases {
            guard entity.type.relationships[base.relationship].row(of: object) != base.row || base.isOutdated else {
                noteUnwritten(.relationship(base.relationship), of: object)
                continue
            }
            changes.append(
                ChangeSet.Change(
                    property: .relationship(base.relationship),
                    old: savedReference(to: base.row, entity.relationships[base.relationship].destination),
                    new: reference(of: object, base.relationship)))
        }
        return ChangeSet.Update(entity: entity.index, row: object.row, changes: changes)
    }

    private func reference(of object: ManagedObject, _ relationship: Int) -> StoredValue {
        let entity = entity(of: object)
        let row = entity.type.relationships[relationship].row(of: object)
        return reference(to: row, entity.relationships[relationship].destination)
    }

    /// Returns the stored form of a reference to a row.
    private func reference(to row: Int64, _ entity: Int) -> StoredValue {
        row == 0 || registries[entity][row]?.state?.phase == .deleted ? .null : .integer(row)
    }

    /// Updates the membership in ordered lists with the to-one relationships.
    private func addMembership(of object: ManagedObject, _ state: ObjectState, to changes: inout ChangeSet) {
        let entity = entity(of: object)
        for index in entity.toOnes {
            let (property, relationship) = (entity.type.relationships[index], entity.relationships[index])
            guard state.isAssigned(property.offset), let inverse = relationship.inverse,
                store.entities[relationship.destination].relationships[inverse].hasOneOwner
            else { continue }
            // An object that has returned to its owner keeps its position.
            if let base = state.linkBases.first(where: { $0.relationship == index }),
                base.row == property.row(of: object), !base.isOutdated
            {
                continue
            }
            // The list of an owner that is deleted may not be in memory, so that its new objects still refer to it.
            let owner = reference(of: object, index).integer ?? 0
            changes.links.append(
                ChangeSet.Link(
                    entity: relationship.destination, relationship: inverse, owner: owner, target: object.row,
                    change: owner == 0 ? .remove : .add(position: nil),
                    order: dirty.lists.appendOrder.number(
                        of: object.row, in: ListID(entity: relationship.destination, relationship: inverse, row: owner))
                ))
        }
    }

    private func addLinks(of object: ManagedObject, _ state: ObjectState, to changes: inout ChangeSet) {
        guard let lists = state.details?.listBases, !lists.isEmpty else { return }
        let entity = entity(of: object)
        for (index, before) in lists.sorted(by: { $0.key < $1.key }) {
            guard let table = entity.relationships[index].linkTable,
                let objects = list(index, of: object)
            else { continue }
            let relationship = entity.relationships[index]
            let now: [Int64]
            if saves.listsAlone != nil {
                now = rowsAlone(of: objects, before, relationship)
                saves.listsAlone?[ListID(entity: entity.index, relationship: index, row: object.row)] = now
            } else {
                now = objects.filter { $0.state?.phase != .deleted }.map(\.row)
            }
            func link(_ target: Int64, _ change: ChangeSet.Link.Change) {
                let list = ListID(
                    entity: relationship.destination, relationship: relationship.inverse ?? 0, row: target)
                changes.links.append(
                    ChangeSet.Link(
                        entity: entity.index, relationship: index, owner: object.row, target: target, change: change,
                        order: dirty.lists.appendOrder.number(of: object.row, in: list)))
            }
            if table.isOwner, object.row > 0, before != now {
                changes.lists.append(
                    ChangeSet.List(
                        entity: entity.index, relationship: index, owner: object.row, old: before, new: now))
            }
            let positions = Dictionary(before.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            let members = Set(now)
            for target in before where !members.contains(target) && !relationship.hasOneOwner { link(target, .remove) }
            for (position, target) in now.enumerated() {
                if positions[target] == nil {
                    link(target, .add(position: table.isOwner ? position : nil))
                } else if positions[target] != position, table.isOwner {
                    link(target, .move(position: position))
                }
            }
        }
    }
}
