/// Reads and changes the objects of a store, and saves them together.
///
/// A context has one object for each row. It refers to objects weakly: objects without changes live as long as the
/// program references them. It belongs to one isolation: a closure of ``ManagedObjectStore/perform(_:)``, the main
/// actor (``ManagedObjectStore/mainContext``), or the actor that creates it.
///
/// ```swift
/// actor Importer {
///     let context: ObjectContext
///     init(_ store: ManagedObjectStore) { context = ObjectContext(store) }
/// }
/// ```
public final class ObjectContext {
    let core: ContextCore

    /// The store.
    public var store: ManagedObjectStore { core.store }

    /// The policy of a save for attributes that others changed as well.
    ///
    /// Defaults to `.throwConflict`.
    public var mergePolicy = MergePolicy.throwConflict

    /// Whether a save marks edits until a server accepts them, in the store of an `ObjectManager`.
    ///
    /// Loads keep marked attributes and new objects. Set it to `false` before values that a server has are saved, such as those
    /// of `map(_:with:)`. Defaults to `true`.
    public var marksUnsentEdits: Bool {
        get { core.sending.marksUnsent }
        set { core.sending.marksUnsent = newValue }
    }

    /// Creates a context for the current isolation.
    ///
    /// - Parameter store: The store.
    public init(_ store: ManagedObjectStore) {
        core = ContextCore(store, isObserved: false)
        core.context = self
    }

    init(_ store: ManagedObjectStore, isObserved: Bool) {
        core = ContextCore(store, isObserved: isObserved)
        core.context = self
    }

    deinit {
        core.didReleaseContext()
        core.endInIsolation()
    }

    // MARK: Objects

    /// Creates an object, which the next save inserts.
    ///
    /// - Parameter type: The class, which must belong to the store's model; otherwise the next save throws.
    @discardableResult public func insert<Object: ManagedObjectClass>(_ type: Object.Type) -> Object {
        let object = Object()
        core.insert(object)
        return object
    }

    /// Adds an object without a context, which the next save inserts.
    ///
    /// An object of this context that was deleted and not saved yet is no longer deleted: its row, values and
    /// relationships remain. Objects that its delete rules deleted remain deleted.
    public func insert(_ object: ManagedObject) { core.insert(object) }

    /// Marks an object as deleted, and applies the delete rules of its relationships; the next save deletes its row.
    public func delete(_ object: ManagedObject) { core.delete(object) }

    /// Returns the object with an ID.
    ///
    /// - Parameters:
    ///   - id: An ID of the same store, temporary or not.
    ///   - type: The class of the object.
    /// - Throws: `StoreError` of kind `missingObject` if it does not exist.
    @_disfavoredOverload public func object<Object: ManagedObjectClass>(
        with id: ObjectID, as type: Object.Type = Object.self
    ) throws(StoreError)
        -> Object
    {
        guard let object = try object(with: id) as? Object else {
            throw StoreError(.misuse, "the object \(id) is not of the class \(Object.self)", entity: id.entity)
        }
        return object
    }

    /// Returns the object with an ID.
    ///
    /// - Parameter id: An ID of the same store, temporary or not.
    /// - Throws: `StoreError` of kind `missingObject` if it does not exist.
    @_disfavoredOverload public func object(with id: ObjectID) throws(StoreError) -> ManagedObject {
        core.finishSaveInFlight()
        guard id.row != 0 else {
            throw StoreError(
                .missingObject, "the object \(id) was obtained without a context, so that its ID finds nothing",
                advice: "insert and save the object, and get its ID again", entity: id.entity)
        }
        guard id.store == core.store.identity, let entity = core.store.entities.first(where: { $0.name == id.entity })
        else {
            throw StoreError(.misuse, "the object \(id) belongs to another store", entity: id.entity)
        }
        if id.isTemporary, let object = core.registries[entity.index][id.row] { return object }
        guard let row = core.store.identity.row(of: id) else {
            throw StoreError(
                .missingObject, "the object \(id) has not been saved yet",
                advice: "save the context that inserted it first",
                entity: id.entity)
        }
        if let known = core.registries[entity.index][row] { return known }
        guard let object = try core.read(entity, rows: [row]).first else {
            throw StoreError(.missingObject, "the object \(id) is not in the store", entity: id.entity)
        }
        return object
    }

    /// The objects that the next save inserts.
    public var insertedObjects: Set<ManagedObject> { objects(in: .inserted) }
    /// The objects that the next save updates.
    public var updatedObjects: Set<ManagedObject> { objects(in: .updated) }
    /// The objects that the next save deletes.
    public var deletedObjects: Set<ManagedObject> { objects(in: .deleted) }

    private func objects(in phase: ObjectState.Phase) -> Set<ManagedObject> {
        core.reconcile()
        return Set(core.changedObjects.filter { $0.state?.phase == phase })
    }

    /// The objects of the context that the program references; for tests of memory.
    public var registeredObjects: Set<ManagedObject> { Set(core.registries.flatMap(\.objects)) }

    // MARK: Changes

    /// Whether there are changes to save.
    public var hasChanges: Bool { core.hasChanges }

    /// Removes the new objects that a save would reject, such as those that a payload left incomplete.
    ///
    /// ```swift
    /// _ = try context.map(data, with: ProjectTask.mapping)
    /// for problem in context.discardInvalidObjects() { print(problem) }
    /// try context.save()
    /// ```
    ///
    /// It first calls `willSave` of all changed objects. Objects that require a removed one are removed as well. Saved
    /// objects are not removed, and delete rules are not applied: the targets of removed objects remain.
    ///
    /// - Returns: The reasons, at least one for each removed object.
    @discardableResult public func discardInvalidObjects() -> [ObjectProblem] {
        guard core.hooks.allows("discardInvalidObjects()") else { return [] }
        return core.discardInvalidObjects()
    }

    /// Discards all changes since the last save.
    ///
    /// New objects are removed from the context; their properties keep their values.
    public func rollback() { core.rollback() }

    /// Makes an object a fault: its values are read again on the next access.
    ///
    /// Its changes are lost, on both sides of its to-one relationships.
    public func refresh(_ object: ManagedObject) {
        guard core.hooks.allows("refresh(_:)") else { return }
        core.reconcile()
        // What cannot be read now is merged later.
        try? core.merge()
        guard object.core === core, object.row > 0, object.state?.phase != .deleted else { return }
        let isChanged = core.isChanged(object)
        core.changing {
            core.restoreTargets(of: object)
            core.makeFault(object)
        }
        core.dirty.lists.changes = nil
        if isChanged { core.didDiscardChanges() }
        core.detachLost()
    }

    /// Makes all objects without changes faults: their values are read again on the next access.
    public func refresh() {
        guard core.hooks.allows("refresh()") else { return }
        core.reconcile()
        core.reads.releaseTargets()
        try? core.merge()
        core.changing {
            for object in core.registries.flatMap(\.objects) where object.state?.phase ?? .clean == .clean {
                core.makeFault(object)
            }
        }
    }

    /// Releases all objects, with their changes.
    ///
    /// Their properties keep their values.
    public func reset() { core.reset() }
}

// Guards nothing: the conformance is unavailable and only provides the message of the compiler.
@available(*, unavailable, message: "a context belongs to one isolation; use store.perform { context in … } elsewhere")
extension ObjectContext: @unchecked Sendable {}
