/// The ID, state and changes of a managed object: its ``ManagedObject/managed`` property.
public struct ManagedState<Object: ManagedObject> {
    let object: Object

    /// What a save would do with the object.
    public enum State: Sendable, Hashable {
        /// The object belongs to no context.
        case detached
        /// It is new; a save inserts its row.
        case inserted
        /// It has changes; a save updates its row.
        case updated
        /// It is to be deleted, or was.
        case deleted
        /// It is as in the store.
        case unchanged
    }

    /// A change of one property.
    public struct Change: Sendable, Hashable {
        /// The name of the attribute.
        public let property: String
        /// The value before.
        public let old: StoredValue
        /// The value now.
        public let new: StoredValue
    }

    /// The ID; nil for an object that belongs to no context.
    public var id: ObjectID? {
        guard let core = object.core else { return nil }
        if object.row < 0 { object.state?.hasSharedID = true }
        return core.id(of: object)
    }

    /// What a save would do with the object.
    public var state: State {
        object.core?.reconcile()
        guard object.core != nil else { return object.state?.phase == .deleted ? .deleted : .detached }
        return switch object.state?.phase {
        case .inserted: .inserted
        case .updated: .updated
        case .deleted: .deleted
        case .clean, .detached, nil: .unchanged
        }
    }

    /// The context; nil for an object that belongs to none, or whose context is gone.
    public var context: ObjectContext? { object.core?.context }

    /// Whether the values are still to be read from the store.
    public var isFault: Bool { object.access.contains(.fault) }

    /// Why the values could not be read from the store; nil if they could.
    ///
    /// The properties have their defaults then, and every save of the object throws this error.
    public var error: StoreError? { object.state?.readError }

    /// The attributes that were assigned other values since the object was read or saved.
    public var changes: [Change] {
        guard let entity = object.core?.entity(of: object), object.state?.phase == .updated else { return [] }
        return (object.state?.bases ?? []).compactMap { base in
            let attribute = entity.type.attributes[base.attribute]
            let new = attribute.storedValue(of: object) ?? .null
            return new == base.value ? nil : Change(property: attribute.name, old: base.value, new: new)
        }
    }

    /// The values of all attributes, to be passed between threads.
    public func snapshot() -> Snapshot<Object> {
        let attributes = (try? ManagedClass.of(Object.self).attributes) ?? []
        object.fireIfFault()
        let id = id ?? ObjectID(entity: Object.entityName, row: 0, store: 0)
        return Snapshot(id: id, values: attributes.map { $0.storedValue(of: object) ?? .null })
    }
}

/// Types that inherit from ``ManagedObject``; a protocol, so that `Self` is the class itself.
public protocol ManagedObjectClass: ManagedObject {}

extension ManagedObject: ManagedObjectClass {}

extension ManagedObjectClass {
    /// The object's ID, state, context and changes.
    public var managed: ManagedState<Self> { ManagedState(object: self) }
}
