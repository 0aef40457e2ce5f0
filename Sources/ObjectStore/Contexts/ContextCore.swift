import Synchronization

/// The state of a context, which its objects share.
///
/// It outlives the context as long as there are objects: their properties can still be read, but not their faults.
final class ContextCore {
    let store: ManagedObjectStore
    /// Whether objects report reads and changes to observers.
    let isObserved: Bool
    /// The number of the context in the log of commits.
    let number: Int
    weak var context: ObjectContext?
    private let hasContext = Atomic(true)
    /// The objects by entity and row.
    let registries: [ObjectRegistry]
    // Exclusivity unchecked for state that is read with objects: a context belongs to one isolation, and no access
    // outlasts a call.
    /// The rows by identity, for entities whose objects were looked up by identity.
    @safe @exclusivity(unchecked) var identities: [IdentityIndex]
    @safe @exclusivity(unchecked) var dirty = ChangedObjects()
    @safe @exclusivity(unchecked) var reads = ReadState()
    @safe @exclusivity(unchecked) var saves = SaveState()
    /// The commits of others that the objects reflect.
    @safe @exclusivity(unchecked) var merges: MergeState
    @safe @exclusivity(unchecked) var hooks = HookState()
    @safe @exclusivity(unchecked) var observation = ObservationState()
    @safe @exclusivity(unchecked) var sending = SendState()
    /// The data source of the mapping engine.
    private(set) lazy var dataSource = ContextDataSource(self)

    init(_ store: ManagedObjectStore, isObserved: Bool) {
        self.store = store
        self.isObserved = isObserved
        let (number, last) = store.commits.addContext()
        self.number = number
        merges = MergeState(last: last)
        let remote = store.remote
        registries = store.entities.map { entity in
            ObjectRegistry(
                lists: entity.type.relationships.filter(\.isToMany).map(\.offset),
                use: remote?.has(entity.name) == true ? remote?.objectsInUse : nil)
        }
        identities = store.entities.map { _ in IdentityIndex() }
        remote?.objectsInUse?.add(registries, of: store)
    }

    /// Whether the context still exists; faster than its weak reference.
    var isOpen: Bool { hasContext.load(ordering: .relaxed) }

    func didReleaseContext() {
        hasContext.store(false, ordering: .relaxed)
        store.commits.removeContext(number)
        store.signal.didEnd(number)
    }

    func entity(of object: ManagedObject) -> StoredEntity {
        let index = Int(object.entityIndex)
        return index < store.entities.count ? store.entities[index] : formerEntity(of: object)
    }

    /// Returns the entity of an object that left the context, for example in a hook.
    @inline(never) private func formerEntity(of object: ManagedObject) -> StoredEntity {
        store.knownEntity(of: object) ?? store.entities[0]
    }

    func property(of object: ManagedObject, at offset: Int) -> PropertyIndex? {
        entity(of: object).type.property(at: offset)
    }

    func id(of object: ManagedObject) -> ObjectID {
        ObjectID(entity: entity(of: object).name, row: object.row, store: store.identity)
    }

    // MARK: Changes

    /// Returns the state of an object whose properties are about to change.
    func willChange(_ object: ManagedObject) -> ObjectState {
        let state = object.state ?? ObjectState(.clean)
        object.state = state
        if state.phase == .clean {
            state.phase = .updated
            addChanged(object, state)
        }
        if object.access.contains(.saving) {
            noteLateChange(of: object, state)
            state.hasLateLinks = true
        }
        return state
    }

    /// Adds an object to the changed ones, which contain it once.
    private func addChanged(_ object: ManagedObject, _ state: ObjectState) {
        if dirty.contains(object, state) { return }
        // Nothing releases the objects of a context that has ended.
        guard isOpen else { return object.logLostChange() }
        dirty.append(object, state)
    }

    /// Whether a save writes a changed object.
    func isChanged(_ object: ManagedObject) -> Bool {
        guard object.core === self, let phase = object.state?.phase else { return false }
        return phase != .clean && phase != .detached
    }

    /// New, changed and deleted objects, in the order of their first change.
    var changedObjects: [ManagedObject] {
        dirty.objects.allSatisfy(isChanged) ? dirty.objects : dirty.objects.filter(isChanged)
    }

    /// Releases a changed object whose changes were discarded.
    ///
    /// Many are released together: each of them alone would take a pass over all.
    func didDiscardChanges() {
        if dirty.noteDiscarded(), !hooks.isRecording { dirty.keep(where: isChanged) }
    }

    /// Adds an object, and those without a context to which it refers.
    func insert(_ object: ManagedObject) {
        guard object.core == nil else {
            if object.core !== self { return note(.otherContext, on: object) }
            if object.state?.phase == .deleted { changing { restore(object) } }
            return
        }
        let targets = add(object)
        guard !targets.isEmpty else {
            if object.core != nil { awakeInserted(object) }
            return
        }
        // A list of work: a chain of objects can be longer than the stack.
        var inserted = [(object: object, targets: targets)]
        var pending = [ManagedObject]()
        func follow(_ targets: [DetachedTargets]) {
            for targets in targets.reversed() { pending += targets.objects.reversed() }
        }
        follow(targets)
        while let next = pending.popLast() {
            guard next.core == nil, next.state?.phase != .deleted else { continue }
            let targets = add(next)
            if next.core != nil { inserted.append((next, targets)) }
            follow(targets)
        }
        changing {
            for (object, targets) in inserted { relate(object, to: targets) }
        }
        for (object, _) in inserted.reversed() where object.core === self { awakeInserted(object) }
    }

    private func awakeInserted(_ object: ManagedObject) {
        calling(.awakeFromInsert) { object.awakeFromInsert() }
    }

    /// The targets of a relationship of an object without a context.
    struct DetachedTargets {
        let relationship: Int
        let objects: [ManagedObject]
    }

    /// Adds an object without its targets.
    ///
    /// - Returns: The targets.
    func add(_ object: ManagedObject) -> [DetachedTargets] {
        let entity: StoredEntity
        do {
            entity = try store.entity(of: object)
        } catch {
            saves.problems.append(error)
            return []
        }
        let state = object.state ?? ObjectState(.inserted)
        state.phase = .inserted
        if object.entityIndex == ManagedObject.formerEntity {
            // Its values are those of its former row or of assignments that were rolled back.
            for attribute in entity.type.attributes
            where !attribute.isIdentity || attribute.storedValue(of: object) != attribute.defaultValue {
                _ = state.assign(attribute.offset)
            }
        }
        for offset in entity.binding.generated { _ = state.assign(offset) }
        object.state = state
        object.core = self
        object.entityIndex = UInt16(entity.index)
        object.row = store.identity.nextTemporaryRow()
        // An object that returns may have observers.
        if isObserved { object.access.insert(object.observer == nil ? .observed : [.observed, .watched]) }
        registries[entity.index].add(object, object.row)
        addChanged(object, state)
        let detachedTargets = state.details?.detachedTargets
        if let details = state.details { (details.detachedLists, details.detachedTargets) = ([], [:]) }
        var targets: [DetachedTargets] = []
        for (index, relationship) in entity.type.relationships.enumerated() {
            if relationship.isToMany {
                let objects = relationship.objects(of: object) ?? []
                relationship.setObjects([], of: object)
                if !objects.isEmpty { targets.append(DetachedTargets(relationship: index, objects: objects)) }
            } else if let target = detachedTargets?[relationship.offset] {
                targets.append(DetachedTargets(relationship: index, objects: [target]))
            }
        }
        return targets
    }

    /// Sets the relationships of an object that was added.
    private func relate(_ object: ManagedObject, to targets: [DetachedTargets]) {
        for targets in targets where object.core === self {
            let (index, relationship) = (
                targets.relationship, entity(of: object).type.relationships[targets.relationship]
            )
            guard relationship.isToMany else {
                setTarget(targets.objects[0], of: object, index)
                continue
            }
            willChangeTargets(of: object, index)
            relationship.setObjects(targets.objects, of: object)
            // Immediately, because targets without a context cannot request it later.
            reconcile()
        }
    }

    /// Whether there is anything to save.
    var hasChanges: Bool {
        reconcile()
        return hasUnsavedObjects
    }

    /// Whether there is anything to save, after ``reconcile()``.
    var hasUnsavedObjects: Bool { dirty.objects.contains(where: isChanged) }

    // MARK: Ends

    /// Undoes all changes: new objects leave the context, changed and deleted ones are read again.
    func rollback() {
        guard hooks.allows("rollback()") else { return }
        finishSaveInFlight()
        changing { undoChanges() }
    }

    private func undoChanges() {
        let objects = dirty.objects
        forgetChanges()
        for object in objects where object.core === self {
            guard let state = object.state else { continue }
            switch state.phase {
            case .inserted: detach(object)
            case .updated, .deleted: object.row < 0 ? detach(object) : makeFault(object)
            case .clean, .detached: break
            }
        }
        // Lists in memory can contain objects that left, or lack objects that moved.
        for object in registries.flatMap(\.objects) {
            dropLists(of: object)
            didChangeRelationships(of: object)
        }
        detachLost()
    }

    /// Releases an object from the context; its properties keep their values.
    func detach(_ object: ManagedObject) {
        guard object.core === self else { return }
        registries[Int(object.entityIndex)].remove(object.row)
        object.core = nil
        object.row = 0
        object.entityIndex = ManagedObject.formerEntity
        object.batch = nil
        object.access.formIntersection([.observed, .watched])
        let wasDeleted = object.state?.phase == .deleted
        object.state?.clear(wasDeleted ? .deleted : .detached)
        object.state?.removeEditedLists()
        for relationship in object.managedClass?.relationships ?? [] {
            if relationship.isToMany {
                relationship.setObjects([], of: object)
            } else {
                relationship.setRow(0, of: object)
            }
            didChange(object, at: relationship.offset)
        }
    }

    /// Makes an object a fault: its values are read again on the next access.
    func makeFault(_ object: ManagedObject) {
        object.state?.clear(.clean)
        object.state?.readError = nil
        object.access.insert(.fault)
        dropLists(of: object)
        didChange(object)
    }

    func dropLists(of object: ManagedObject) {
        object.state?.removeEditedLists()
        for relationship in entity(of: object).type.relationships where relationship.isToMany {
            relationship.setObjects(nil, of: object)
            didChange(object, at: relationship.offset)
        }
    }

    /// Releases all objects.
    func reset() {
        guard hooks.allows("reset()") else { return }
        finishSaveInFlight()
        changing {
            forgetChanges()
            merges.lost = [:]
            identities = store.entities.map { _ in IdentityIndex() }
            for object in registries.flatMap(\.objects) { detach(object) }
            for registry in registries { registry.removeAll() }
        }
    }

    /// Releases the objects that the context retains.
    func forgetChanges() {
        dataSource.forgetKeys()
        dirty.lists.pending = []
        saves.problems = []
        hooks.forgetMisuse()
        dirty.removeAll()
        reads.fetched = []
        observation.renewedLists = []
        reads.releaseTargets()
    }
}
