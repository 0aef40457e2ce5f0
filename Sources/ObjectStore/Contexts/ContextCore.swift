import Dispatch
import Synchronization

/// The state of a context, which its objects share.
///
/// It outlives the context as long as there are objects: their properties can still be read, but not their faults.
final class ContextCore {
    let store: ManagedObjectStore
    /// Whether objects report reads and changes to observers.
    let isObserved: Bool
    weak var context: ObjectContext?
    private let hasContext = Atomic(true)
    /// The objects by entity and row.
    let registries: [ObjectRegistry]
    /// New, changed and deleted objects, in the order of their first change; some may be unchanged again.
    var dirty: [ManagedObject] = [] {
        didSet {
            if dirty.count <= dirtyCount { dirtyGeneration += 1 }
            dirtyCount = dirty.count
        }
    }
    private var dirtyCount = 0
    /// Changes when objects are removed from `dirty`.
    private(set) var dirtyGeneration = 0
    // Exclusivity unchecked for state that is read with objects: a context belongs to one isolation, and no access
    // outlasts a call.
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
    /// The serial queue of statements that do not block the thread of the context.
    private(set) lazy var readingQueue = DispatchQueue(label: "MappingKit.ObjectContext.reading")
    /// The number of the last read or save whose values the objects have.
    @safe @exclusivity(unchecked) var lastRead = 0
    /// The number of the last read that was started.
    @safe @exclusivity(unchecked) private(set) var readNumber = 0
    /// The reasons why nothing can be saved.
    var problems: [StoreError] = []
    /// The number of SQL statements of the user that the objects reflect.
    @safe @exclusivity(unchecked) var seenStatements: Int
    /// The rows by identity, for entities whose objects were looked up by identity.
    @safe @exclusivity(unchecked) var identities: [IdentityIndex]

    /// The number of saves that were prepared.
    var saveNumber = 0

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
        seenStatements = store.touchedTables.count
        registries = store.entities.map { _ in ObjectRegistry() }
        identities = store.entities.map { _ in IdentityIndex() }
    }

    /// Whether the context still exists; faster than its weak reference.
    var isOpen: Bool { hasContext.load(ordering: .relaxed) }

    func didReleaseContext() { hasContext.store(false, ordering: .relaxed) }

    var hasPendingLists: Bool { !pendingLists.isEmpty }

    func entity(of object: ManagedObject) -> StoredEntity { store.entities[Int(object.entityIndex)] }

    func property(of object: ManagedObject, at offset: Int) -> ManagedClass.Property? {
        entity(of: object).type.property(at: offset)
    }

    func id(of object: ManagedObject) -> ObjectID {
        ObjectID(entity: entity(of: object).name, row: object.row, store: store.number)
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
            dirty.append(object)
        }
        return state
    }

    func insert(_ object: ManagedObject) {
        guard object.core == nil else {
            if object.core !== self { note(.otherContext, on: object) }
            return
        }
        let entity: StoredEntity
        do {
            entity = try store.entity(of: type(of: object))
        } catch {
            return problems.append(error)
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
        object.state = state
        object.core = self
        object.entityIndex = UInt16(entity.index)
        object.row = store.nextTemporaryRow()
        // An object that returns may have observers.
        if isObserved { object.access.insert(object.observer == nil ? .observed : [.observed, .watched]) }
        registries[entity.index].add(object, object.row)
        dirty.append(object)
        let detachedTargets = state.detachedTargets
        state.detachedTargets = [:]
        for (index, relationship) in entity.type.relationships.enumerated() {
            if relationship.isToMany {
                let targets = relationship.objects(of: object) ?? []
                relationship.setObjects([], of: object)
                guard !targets.isEmpty else { continue }
                willChangeTargets(of: object, index)
                relationship.setObjects(targets, of: object)
                // Immediately, because targets without a context cannot request it later.
                reconcile()
            } else if let target = detachedTargets[relationship.offset] {
                setTarget(target, of: object, index)
            }
        }
        object.awakeFromInsert()
    }

    /// Records why an object, or this context with an object of another one, cannot be saved.
    func note(_ misuse: Misuse, of property: String? = nil, on object: ManagedObject) {
        if let owner = object.core, owner !== self {
            let id = owner.id(of: object)
            return problems.append(StoreError(.misuse, "\(id): \(misuse.rawValue)", entity: id.entity))
        }
        let problem = ObjectProblem(object: id(of: object), property: property, message: misuse.rawValue)
        let state = willChange(object)
        if !state.problems.contains(problem) { state.problems.append(problem) }
    }

    enum Misuse: String {
        case otherContext = "the object belongs to another context; fetch it in this one by its ID"
        case deletedTarget = "the relationship was set to an object that is deleted"
    }

    /// Whether there is anything to save.
    var hasChanges: Bool {
        reconcile()
        return dirty.contains { $0.state.map { $0.phase != .clean && $0.phase != .detached } ?? false }
    }

    /// Releases the targets that were read for several objects together.
    func releaseRecentTargets() { recentTargets = [] }

    // MARK: Ends

    /// Undoes all changes: new objects leave the context, changed and deleted ones are read again.
    func rollback() {
        finishSaveInFlight()
        dataSource.forgetKeys()
        pendingLists = []
        problems = []
        let objects = dirty
        dirty = []
        for object in objects {
            guard let state = object.state else { continue }
            switch state.phase {
            case .inserted: detach(object)
            case .updated, .deleted: object.row < 0 ? detach(object) : makeFault(object)
            case .clean, .detached: break
            }
        }
        // Lists in memory can contain objects that left, or lack objects that moved.
        for object in registries.flatMap(\.objects) { dropLists(of: object) }
    }

    /// Releases an object from the context; its properties keep their values.
    func detach(_ object: ManagedObject) {
        registries[Int(object.entityIndex)].remove(object.row)
        object.core = nil
        object.row = 0
        object.entityIndex = ManagedObject.formerEntity
        object.batch = nil
        object.access = .direct
        let wasDeleted = object.state?.phase == .deleted
        object.state?.clear(wasDeleted ? .deleted : .detached)
        for relationship in (try? ManagedClass.of(type(of: object)))?.relationships ?? [] {
            if relationship.isToMany {
                relationship.setObjects([], of: object)
            } else {
                relationship.setRow(0, of: object)
            }
        }
    }

    /// Makes an object a fault: its values are read again on the next access.
    func makeFault(_ object: ManagedObject) {
        object.state?.clear(.clean)
        object.state?.readError = nil
        object.access.insert(.fault)
        dropLists(of: object)
    }

    func dropLists(of object: ManagedObject) {
        for relationship in entity(of: object).type.relationships where relationship.isToMany {
            relationship.setObjects(nil, of: object)
        }
    }

    /// Releases all objects.
    func reset() {
        finishSaveInFlight()
        dataSource.forgetKeys()
        pendingLists = []
        problems = []
        identities = store.entities.map { _ in IdentityIndex() }
        dirty = []
        for object in registries.flatMap(\.objects) { detach(object) }
        for registry in registries { registry.removeAll() }
        releaseRecentTargets()
    }
}
