/// The ID, state and changes of a managed object: its ``ManagedObject/managed`` property.
public struct ManagedState<Object: ManagedObject> {
    let object: Object

    /// The state of an object, which determines the effect of a save.
    public enum State: Sendable, Hashable {
        /// The object has no context.
        case detached
        /// The object is new; a save inserts its row.
        case inserted
        /// The object has changes; a save updates its row.
        case updated
        /// The object is or was deleted.
        case deleted
        /// The object is unchanged.
        case unchanged
    }

    /// A change of one property.
    public struct Change: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The name of the attribute.
        public let property: String
        /// The earlier value.
        public let old: StoredValue
        /// The current value.
        public let new: StoredValue

        /// The name of the attribute, without the values.
        public var description: String { "'\(property)' was changed" }

        /// The name of the attribute, without the values.
        public var customMirror: Mirror { Mirror(self, children: ["property": property]) }
    }

    /// The ID; that of an object without a context finds nothing.
    public var id: ObjectID {
        guard let core = object.core else { return .detached(object.managedClass?.name ?? Object.entityName) }
        if object.row < 0 { object.state?.hasSharedID = true }
        return core.id(of: object)
    }

    /// The state of the object.
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

    /// The context; `nil` without a context, or if the context was released.
    public var context: ObjectContext? { object.core?.context }

    /// Whether the object is a fault: its values are read on the next access.
    public var isFault: Bool { object.access.contains(.fault) }

    /// The reason why the values could not be read from the store; `nil` if they could.
    ///
    /// The properties then have their defaults, and every save of the object throws this error.
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

    /// The values of all attributes, which can be passed between threads.
    public func snapshot() -> Snapshot<Object> {
        let type = object.managedClass
        object.fireIfFault()
        let values = type?.attributes.map { $0.storedValue(of: object) ?? .null } ?? []
        return Snapshot(id: id, type: type, values: values)
    }
}

extension ManagedObjectClass {
    /// The ID and the state of the object, which are printed instead of its values: `Book/7 (unchanged)`.
    public var debugDescription: String {
        // `managed.id` would remember a temporary ID.
        let id = core.map { $0.id(of: self) } ?? .detached(managedClass?.name ?? Self.entityName)
        return core == nil ? "\(id)" : "\(id) (\(managed.state))"
    }

    /// The object's ID, state, context and changes.
    public var managed: ManagedState<Self> { ManagedState(object: self) }
}
