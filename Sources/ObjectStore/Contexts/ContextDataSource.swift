import ObjectMapping

/// Finds, creates and connects the objects of a context for the mapping engine.
final class ContextDataSource: MappingDataSource {
    /// The objects of an entity with an identity.
    private struct IdentityKey: Hashable {
        let entity: Int
        let values: [StoredValue]
    }

    /// A relationship of an object.
    private struct ConnectionID: Hashable {
        let object: ObjectIdentifier
        let property: AnyKeyPath
    }

    /// The keys of a relationship since the last save: some of their targets are missing, or were.
    private struct KeyedConnection {
        let object: ManagedObject
        let connection: ObjectConnection
        /// Empty if the relationship waits for nothing.
        var keys: [ObjectKey]
        /// The position among those of the context.
        let order: Int
        /// The number of targets that were found and assigned; nil before the first time.
        var targetCount: Int?
    }

    private unowned let core: ContextCore
    /// Objects that were not saved, or whose identity was changed; those in the store are found there.
    private var unsaved: [IdentityKey: ManagedObject] = [:]
    private var keyed: [ConnectionID: KeyedConnection] = [:]
    /// Objects that relationships with the policy `.replace` no longer hold, each with the relationship.
    private var replaced: [(object: ManagedObject, property: AnyKeyPath)] = []
    private var undo: [() -> Void] = []
    private var order = 0
    private var isInUse = false
    /// Whether an update that changes the identity of an object is an issue.
    var keepsIdentities = false

    init(_ core: ContextCore) { self.core = core }

    // MARK: Decodes

    var requiresIdentity: Bool { true }

    func begin() throws {
        guard !isInUse else { throw ValidationFailure("the context is in use by another decode") }
        isInUse = true
        core.prepareFetch()
        unsaved = [:]
        for object in core.dirty {
            guard let phase = object.state?.phase, phase == .inserted || phase == .updated,
                let key = identity(of: object)
            else { continue }
            unsaved[key] = object
        }
    }

    func end() {
        isInUse = false
        undo = []
    }

    func nextOrder() -> Int {
        order += 1
        return order
    }

    func savepoint() -> Int { undo.count }

    func rollback(to savepoint: Int) {
        core.reconcile()
        while undo.count > savepoint { undo.removeLast()() }
    }

    func commit() throws {
        core.reconcile()
        try connectPending()
        deleteReplaced()
        undo = []
    }

    // MARK: Objects

    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject? {
        guard let entity = entity(of: kind), let key = identity(key, of: kind, entity) else { return nil }
        return try object(key, entity)
    }

    private func object(_ key: IdentityKey, _ entity: StoredEntity) throws(StoreError) -> ManagedObject? {
        if let known = unsaved[key] { return known }
        guard let row = try row(of: key, entity) else { return nil }
        if let known = core.registries[entity.index][row] {
            known.fireIfFault()
            // Its identity may have been changed in the context, or it is deleted.
            return identity(of: known) == key ? known : nil
        }
        let object = try core.read(entity, rows: [row]).first
        // Found again in this payload, and kept until it is saved.
        if let object { unsaved[key] = object }
        return object
    }

    private func row(of key: IdentityKey, _ entity: StoredEntity) throws(StoreError) -> Int64? {
        try core.store.read { (connection) throws(StoreError) in
            try connection.integer(entity.lookup, key.values)
        }
    }

    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        guard let object = object as? ManagedObject, let entity = entity(of: kind) else { return }
        core.insert(object)
        if let key = key.flatMap({ identity($0, of: kind, entity) }) {
            unsaved[key] = object
            undo.append { [unowned self] in unsaved[key] = nil }
        }
        undo.append { [core] in
            core.dirty.removeAll { $0 === object }
            core.detach(object)
        }
    }

    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool {
        guard isNewer else { return false }
        if let object = object as? ManagedObject {
            object.fireIfFault()
            if let error = object.state?.readError { throw ValidationFailure(error.message) }
        }
        let restore = keepState()
        let wasClean = (object as? ManagedObject)?.state?.phase ?? .clean == .clean
        undo.append { [unowned core] in
            restore()
            if wasClean, let object = object as? ManagedObject { core.cleanIfUnchanged(object) }
        }
        return true
    }

    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        if keepsIdentities, change.old != nil, change.old != change.new {
            throw ValidationFailure("a patch cannot change the identity of an object")
        }
        guard change.old != change.new, let object = object as? ManagedObject, let entity = entity(of: kind),
            let new = change.new.flatMap({ identity($0, of: kind, entity) })
        else { return }
        if let other = try self.object(new, entity), other !== object {
            throw ValidationFailure("another \(entity.name) of the context has the same identity")
        }
        unsaved[new] = object
        undo.append { [unowned self] in unsaved[new] = nil }
    }

    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws {
        // Deleted by `commit` only: the payload may give them another owner, or be rolled back.
        let count = replaced.count
        replaced += old.compactMap { object in (object as? ManagedObject).map { ($0, property) } }
        undo.append { [unowned self] in replaced.removeSubrange(count...) }
    }

    /// Deletes the objects that relationships no longer hold, unless the payload gave them another owner.
    private func deleteReplaced() {
        let objects = replaced
        replaced = []
        for (object, property) in objects where object.core === core && !isHeld(object, by: property) {
            core.delete(object)
        }
    }

    /// Whether the inverse of a relationship leads from an object to an owner.
    private func isHeld(_ object: ManagedObject, by property: AnyKeyPath) -> Bool {
        guard let type = type(of: property).rootType as? ManagedObject.Type,
            let source = core.store.knownEntity(of: type),
            case .relationship(let index)? = source.type.steps(of: property)?.last?.property,
            let inverse = source.relationships[index].inverse
        else { return false }
        object.fireIfFault()
        return !core.targets(of: object, inverse).isEmpty
    }

    // MARK: Connections

    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws {
        guard let object = object as? ManagedObject else { return }
        let id = ConnectionID(object: ObjectIdentifier(object), property: connection.destination)
        var new = KeyedConnection(object: object, connection: connection, keys: distinct(keys), order: nextOrder())
        if keys == nil { connection.assign(nil, to: object) } else { try assign(&new) }
        // Other keys of a changed object may wait in the store.
        let isOfInterest = !new.keys.isEmpty || object.state?.phase == .updated
        let old = keyed[id]
        guard isOfInterest || old != nil else { return }
        keyed[id] = isOfInterest ? new : nil
        undo.append { [unowned self] in keyed[id] = old }
    }

    /// A relationship holds an object once.
    private func distinct(_ keys: [ObjectKey]?) -> [ObjectKey] {
        var known: Set<ObjectKey> = []
        return (keys ?? []).filter { known.insert($0).inserted }
    }

    /// Connects an object with the existing ones of its targets.
    private func assign(_ keyed: inout KeyedConnection) throws {
        let targets = try keyed.keys.compactMap { try find($0, of: keyed.connection.target) }
        // Without a new target nothing is assigned again: others may have received these since.
        guard targets.count != keyed.targetCount else { return }
        keyed.targetCount = targets.count
        keyed.connection.assign(targets, to: keyed.object)
        if targets.count == keyed.keys.count { keyed.keys = [] }
    }

    private func connectPending() throws {
        let waiting = keyed.filter { !$0.value.keys.isEmpty }.sorted { $0.value.order < $1.value.order }
        for (id, connection) in waiting {
            guard connection.object.core === core else {
                keyed[id] = nil
                continue
            }
            var connection = connection
            try assign(&connection)
            keyed[id] = connection
        }
    }

    /// The keys that the next save writes to the table of pending connections, or removes from it.
    func waitingKeys() -> [SaveBatch.WaitingKeys] {
        keyed.values.sorted { $0.order < $1.order }.compactMap { keyed in
            let (object, connection) = (keyed.object, keyed.connection)
            guard object.core === core, object.state?.phase != .deleted,
                let target = entity(of: connection.target),
                case .relationship(let index)? = core.entity(of: object).type.steps(of: connection.destination)?.last?
                    .property
            else { return nil }
            let relationship = core.entity(of: object).type.relationships[index]
            // A relationship to one that was set by hand waits for nothing.
            let isSet = !relationship.isToMany && relationship.row(of: object) != 0
            // The keys may have been assigned by hand since.
            let waiting = isSet || keyed.keys.isEmpty ? [] : distinct(connection.keys(of: object))
            let keys = waiting.compactMap { identity($0, of: connection.target, target)?.values }
            return SaveBatch.WaitingKeys(
                entity: Int(object.entityIndex), row: object.row, relationship: index, keys: keys)
        }
    }

    /// Forgets the keys of all relationships: they are saved, or rolled back.
    func forgetKeys() { keyed = [:] }

    // MARK: Identities

    private func entity(of kind: ObjectKind) -> StoredEntity? {
        core.store.knownEntity(of: kind.type)
    }

    /// The identity of an object; nil if it has none, or a part of it was not assigned or is null.
    private func identity(of object: ManagedObject) -> IdentityKey? {
        let entity = core.entity(of: object)
        guard !entity.identity.isEmpty else { return nil }
        return core.identity(of: object, entity).map { IdentityKey(entity: entity.index, values: $0) }
    }

    /// The identity that a key of the payload means; nil if the properties of the key are not the identity.
    private func identity(_ key: ObjectKey, of kind: ObjectKind, _ entity: StoredEntity) -> IdentityKey? {
        let parts = key.parts
        let names = kind.properties.map { entity.type.steps(of: $0)?.last?.name }
        guard parts.count == names.count, parts.count == entity.identity.count else { return nil }
        var values: [StoredValue] = []
        for index in entity.identity {
            guard let position = names.firstIndex(of: entity.type.attributes[index].name),
                let value = parts[position].storedValue
            else { return nil }
            values.append(value)
        }
        return IdentityKey(entity: entity.index, values: values)
    }
}

extension ObjectKey {
    /// A key of one property as a column holds it; nil for what no column holds.
    fileprivate var storedValue: StoredValue? {
        switch self {
        case .integer(let value): .integer(value)
        case .string(let value): .text(value)
        case .uuid(let value): value.storedValue
        case .date(let value): value.storedValue
        case .other(let key): (key.value.base as? any AttributeValue)?.storedValue
        case .unsigned, .compound: nil
        }
    }
}
