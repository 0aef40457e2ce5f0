import Dispatch
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
    /// New, changed and deleted objects, in the order of their first change; some may be unchanged again, or may have
    /// left the context.
    @safe @exclusivity(unchecked) var dirty: [ManagedObject] = [] {
        didSet {
            if dirty.count <= dirtyCount { dirtyGeneration += 1 }
            dirtyCount = dirty.count
            if dirty.isEmpty { forgetLists() }
        }
    }
    @safe @exclusivity(unchecked) private var dirtyCount = 0
    /// The number of objects in `dirty` whose changes were discarded.
    @safe @exclusivity(unchecked) private var discardedCount = 0
    /// Changes when objects are removed from `dirty`, or when their identities change unnoticed.
    @safe @exclusivity(unchecked) var dirtyGeneration = 0
    /// Unsaved changes of to-many relationships by their inverses; `nil` until a list is read.
    @safe @exclusivity(unchecked) var listChanges: [ListID: EditedList]?
    /// The rows in the store of ordered lists that were read with unsaved changes.
    @safe @exclusivity(unchecked) var readLists: [ListID: [Int64]] = [:]
    /// The order of additions to ordered lists.
    @safe @exclusivity(unchecked) var appendOrder = AppendOrder()
    /// The entities of deleted objects that lists in memory may still contain.
    @safe @exclusivity(unchecked) var deletedMembers: Set<Int> = []
    /// The lists from which deleted objects were removed, by object.
    @safe @exclusivity(unchecked) var removedMembers: [ObjectIdentifier: [RemovedMember]] = [:]
    /// The rows of objects that were deleted and inserted again, by entity.
    @safe @exclusivity(unchecked) var restoredRows: [Int: Set<Int64>] = [:]
    /// To-many relationships that were changed and whose inverses were not updated yet, with their earlier objects.
    @safe @exclusivity(unchecked) var pendingLists: [PendingList] = []
    /// Targets that were read for several objects together, retained until the next fetch or save.
    @safe @exclusivity(unchecked) var recentTargets: [[ManagedObject]] = []
    /// Objects that were created for rows, and whose hook was not called yet.
    @safe @exclusivity(unchecked) var fetched: [ManagedObject] = []
    /// The save that another thread is writing.
    @safe @exclusivity(unchecked) var saveInFlight: SaveInFlight?
    /// Whether objects currently have their saved values.
    var readsSavedValues = false
    /// The rows that another thread has read for the current read.
    @safe @exclusivity(unchecked) var readAhead: ReadAhead?
    /// The turn of a read that was delayed too often; `nil` while all reads run concurrently.
    @safe @exclusivity(unchecked) var readTurn: ReadTurn?
    /// The serial queue of statements that do not block the thread of the context.
    private(set) lazy var readingQueue = DispatchQueue(label: "MappingKit.ObjectContext.reading")
    /// The number of the last read or save whose values the objects have.
    @safe @exclusivity(unchecked) var lastRead = 0
    /// The number of the last read that was started.
    @safe @exclusivity(unchecked) private(set) var readNumber = 0
    /// The reasons why nothing can be saved.
    @safe @exclusivity(unchecked) var problems: [StoreError] = []
    /// The commits of others that the objects reflect.
    @safe @exclusivity(unchecked) var merges: MergeState
    /// The rows by identity, for entities whose objects were looked up by identity.
    @safe @exclusivity(unchecked) var identities: [IdentityIndex]

    /// The number of saves that were prepared.
    @safe @exclusivity(unchecked) var saveNumber = 0
    /// The code of the program that runs inside an operation; `nil` outside of operations.
    @safe @exclusivity(unchecked) var hook: ContextHook?
    /// The error of a call that cannot throw, and that was made in a hook.
    @safe @exclusivity(unchecked) var misuse: StoreError?
    /// The changes whose observers are notified after the current operation.
    @safe @exclusivity(unchecked) var notifications: [Notification] = []
    /// The number of operations in progress that change objects, one inside the other.
    @safe @exclusivity(unchecked) var changeDepth = 0
    /// Whether an observer is being notified.
    @safe @exclusivity(unchecked) var isNotifying = false
    /// Lists of observed objects that were dropped, and not read again yet.
    @safe @exclusivity(unchecked) var renewedLists: [RenewedList] = []
    /// Objects that were changed after they were validated, until they are validated again or saved.
    @safe @exclusivity(unchecked) var lateObjects: [ManagedObject] = []

    /// Whether a decode is in progress, which may have to undo changes of relationships.
    @safe @exclusivity(unchecked) var isRecording = false
    /// The data source of the mapping engine.
    private(set) lazy var dataSource = ContextDataSource(self)

    struct PendingList {
        let object: ManagedObject
        let relationship: Int
        let before: [ManagedObject]
    }

    init(_ store: ManagedObjectStore, isObserved: Bool) {
        self.store = store
        self.isObserved = isObserved
        let (number, last) = store.commits.addContext()
        self.number = number
        merges = MergeState(last: last)
        registries = store.entities.map { entity in
            ObjectRegistry(lists: entity.type.relationships.filter(\.isToMany).map(\.offset))
        }
        identities = store.entities.map { _ in IdentityIndex() }
    }

    /// Whether the context still exists; faster than its weak reference.
    var isOpen: Bool { hasContext.load(ordering: .relaxed) }

    func didReleaseContext() {
        hasContext.store(false, ordering: .relaxed)
        store.commits.removeContext(number)
        store.signal.didEnd(number)
    }

    var hasPendingLists: Bool { !pendingLists.isEmpty || !deletedMembers.isEmpty }

    func entity(of object: ManagedObject) -> StoredEntity {
        let index = Int(object.entityIndex)
        return index < store.entities.count ? store.entities[index] : formerEntity(of: object)
    }

    /// Returns the entity of an object that left the context, for example in a hook.
    @inline(never) private func formerEntity(of object: ManagedObject) -> StoredEntity {
        store.knownEntity(of: type(of: object)) ?? store.entities[0]
    }

    func property(of object: ManagedObject, at offset: Int) -> PropertyIndex? {
        entity(of: object).type.property(at: offset)
    }

    func id(of object: ManagedObject) -> ObjectID {
        ObjectID(entity: entity(of: object).name, row: object.row, store: store.identity)
    }

    /// Returns a number for a new read; later reads have greater numbers.
    func nextReadNumber() -> Int {
        readNumber += 1
        return readNumber
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
        if state.place < dirty.count, dirty[state.place] === object { return }
        // Nothing releases the objects of a context that has ended.
        guard isOpen else { return object.logLostChange() }
        state.place = dirty.count
        dirty.append(object)
    }

    /// Whether a save writes an object of `dirty`.
    func isChanged(_ object: ManagedObject) -> Bool {
        guard object.core === self, let phase = object.state?.phase else { return false }
        return phase != .clean && phase != .detached
    }

    /// New, changed and deleted objects, in the order of their first change.
    var changedObjects: [ManagedObject] { dirty.allSatisfy(isChanged) ? dirty : dirty.filter(isChanged) }

    /// Releases the changed objects that do not meet a condition.
    func keepChanges(where isKept: (ManagedObject) -> Bool) {
        dirty = dirty.filter(isKept)
        (discardedCount, listChanges) = (0, nil)
        appendOrder.last = dirty.count - 1
        for (place, object) in dirty.enumerated() { object.state?.place = place }
    }

    /// Releases a changed object whose changes were discarded.
    ///
    /// Many are released together: each of them alone would take a pass over all.
    func didDiscardChanges() {
        discardedCount += 1
        if discardedCount * 2 > dirty.count, !isRecording { keepChanges(where: isChanged) }
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
            entity = try store.entity(of: type(of: object))
        } catch {
            problems.append(error)
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
        for offset in entity.binding?.generated ?? [] { _ = state.assign(offset) }
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
    var hasUnsavedObjects: Bool { dirty.contains(where: isChanged) }

    /// Forgets the changes of lists without changed objects.
    private func forgetLists() {
        (discardedCount, listChanges, readLists, appendOrder) = (0, nil, [:], AppendOrder())
        (deletedMembers, removedMembers, restoredRows) = ([], [:], [:])
    }

    // MARK: Ends

    /// Undoes all changes: new objects leave the context, changed and deleted ones are read again.
    func rollback() {
        guard allows("rollback()") else { return }
        finishSaveInFlight()
        changing { undoChanges() }
    }

    private func undoChanges() {
        let objects = dirty
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
        for relationship in (try? ManagedClass.of(type(of: object)))?.relationships ?? [] {
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
        guard allows("reset()") else { return }
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
        pendingLists = []
        (problems, misuse) = ([], nil)
        dirty = []
        fetched = []
        renewedLists = []
        releaseRecentTargets()
    }
}
