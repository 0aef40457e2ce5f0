public import Observation

/// An object of a store: a row whose columns are properties.
///
/// A subclass is final and declares its attributes and relationships with property wrappers, from which table, columns
/// and indexes are derived:
///
/// ```swift
/// final class ProjectTask: ManagedObject {
///     @Stored(.identity) var taskID = 0
///     @Stored(.indexed) var name = ""
///     @Stored var assignedUserID: Int? = nil
///     @ToOne var assignedUser: User?
/// }
/// ```
///
/// Every stored property that is not transient has a wrapper and an initial value. An object belongs to the context
/// that created it, and to the isolation of that context: it is not `Sendable`. Its ``managed`` property contains its
/// ID, its state and its changes.
open class ManagedObject {
    /// The reasons why access to properties is not direct.
    @usableFromInline struct Access: OptionSet {
        @usableFromInline let rawValue: UInt8
        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No reason: the value is accessed in memory.
        @inlinable static var direct: Access { [] }
        /// The values must be read from the store first.
        static var fault: Access { Access(rawValue: 1) }
        /// Reads are reported to observers.
        @inlinable static var observed: Access { Access(rawValue: 2) }
        /// The object is used to evaluate key paths.
        @usableFromInline static var probe: Access { Access(rawValue: 4) }
        /// Changes are reported to observers, because an observer may have read a property.
        static var watched: Access { Access(rawValue: 8) }
        /// The object was validated and is being saved: changes belong to the next save.
        static var saving: Access { Access(rawValue: 16) }
    }

    // Exclusivity unchecked: an object belongs to one isolation, and no access outlasts a call; the checks take longer
    // than the accesses.
    @safe @exclusivity(unchecked) @usableFromInline final var access = Access.direct
    /// The parts of the identity whose columns are null, as bits: their properties have the default.
    @safe @exclusivity(unchecked) final var unassignedIdentity: UInt8 = 0
    /// The index of the entity in the store.
    @safe @exclusivity(unchecked) final var entityIndex: UInt16 = 0
    /// Whether it is a `DynamicObject`, whose properties have separate memory.
    @safe @exclusivity(unchecked) final var hasSeparateValues = false
    /// The entity index of an object that left its context.
    static let formerEntity = UInt16.max
    /// The row: 0 without a context, negative until the object is saved.
    @safe @exclusivity(unchecked) final var row: Int64 = 0
    /// The context's state; `nil` without a context.
    @safe @exclusivity(unchecked) final var core: ContextCore?
    /// The objects that were fetched together with this one.
    @safe @exclusivity(unchecked) final var batch: FetchBatch?
    /// The state of an object that is new or changed; `nil` for most objects.
    @safe @exclusivity(unchecked) @usableFromInline final var state: ObjectState?
    /// The observation registrar, created when a property is first read in an observed context.
    ///
    /// Set once, together with `uncountedObserver`; not `nil` while the object is watched.
    @safe @exclusivity(unchecked) final var observer: ObjectObserver?
    /// The observer, for reads.
    @safe @exclusivity(unchecked) final var uncountedObserver: Uncounted<ObjectObserver>?

    /// Creates an object without a context.
    public required init() {}

    /// Creates an object and inserts it into a context.
    ///
    /// - Parameter context: The context, which saves the object with its next `save()`.
    public convenience init(in context: ObjectContext) {
        self.init()
        context.insert(self)
    }

    deinit {
        // Can run on any thread.
        // Counting more references would take as long as the removal.
        if let core = core.take(), row != 0 {
            Uncounted(core.registries[Int(entityIndex)]).use { registry in
                registry.removeReleased(self, row)
                // A dynamic object has released its lists.
                if !hasSeparateValues { for offset in registry.lists { releaseList(at: offset) } }
            }
        }
        if let details = state?.details { releaseTargets(in: details) }
    }

    final func releaseList(at offset: Int) {
        if let list = ObjectMemory(self)[offset, as: [ManagedObject]?.self].take() { ReleaseQueue.release(list) }
    }

    private final func releaseTargets(in details: ObjectDetails) {
        if !hasSeparateValues { for offset in details.detachedLists { releaseList(at: offset) } }
        if !details.detachedTargets.isEmpty {
            let targets = Array(details.detachedTargets.values)
            details.detachedTargets = [:]
            ReleaseQueue.release(targets)
        }
        if !details.editedLists.isEmpty {
            let objects = details.editedLists.values.flatMap(\.heldObjects)
            details.editedLists = [:]
            ReleaseQueue.release(objects)
        }
    }

    /// The name of the entity and its table.
    ///
    /// Defaults to the name of the class.
    open class var entityName: String { String(describing: self) }

    /// The names of the entity in earlier versions of the program, the latest one first.
    ///
    /// Defaults to none. Opening a file with one of these names renames its table. See <doc:Migration>.
    ///
    /// ```swift
    /// override class var formerEntityNames: [String] { ["Job"] }
    /// ```
    open class var formerEntityNames: [String] { [] }

    /// Indexes over several attributes.
    ///
    /// Defaults to none.
    ///
    /// ```swift
    /// override class var indexes: [ObjectIndex] { [.index("lastName", "firstName"), .unique("row", "number")] }
    /// ```
    open class var indexes: [ObjectIndex] { [] }

    /// Called after the object was created in a context, and before it is returned.
    ///
    /// See <doc:Hooks> for what hooks can call.
    open func awakeFromInsert() {}

    /// Called after the object was read from the store for the first time.
    open func awakeFromFetch() {}

    /// Called before the object is validated and saved; can change, insert and delete objects, including this one.
    ///
    /// These changes belong to the same save: the hooks of other objects are called as well, once per save. See
    /// <doc:Hooks> for what hooks can call.
    open func willSave() {}

    /// Validates the object before it is saved.
    ///
    /// Change objects in ``willSave()`` instead. If a validation does change objects, these are validated again, and the
    /// changes belong to the same save.
    ///
    /// - Throws: Any error; use a `ValidationFailure` to set the text for the error of `save()`. The other objects are
    ///   validated as well, and `save()` throws one error for all of them.
    open func validateForSave() throws {}
}

// Guards nothing: the conformance is unavailable and only provides the message of the compiler.
@available(*, unavailable, message: "a managed object belongs to its context; pass its ObjectID or a Snapshot instead")
extension ManagedObject: @unchecked Sendable {}

extension ManagedObject: Observable {}

extension ManagedObject: Hashable {
    /// Whether two references are to the same object.
    public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

    /// Hashes the reference.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
