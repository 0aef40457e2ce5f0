/// Rows by identity, for the objects of one entity in a context.
final class IdentityIndex {
    // Exclusivity unchecked: an index belongs to one context, and no access outlasts a call.
    /// Most identities are one integer.
    @safe @exclusivity(unchecked)
    private var rowsOfIntegers = IdentityMap(budget: IdentityMap.Budget(bytes: .max), isComplete: false)
    @safe @exclusivity(unchecked) private var rowsOfValues: [[StoredValue]: Int64] = [:]
    /// The number of entries beyond which those of released objects are removed.
    private var limit = 1000
    /// The number of changed objects of the context that were added, while `generation` is the same.
    fileprivate var examined = 0
    fileprivate var generation = 0
    /// Changed objects to which another identity may have been assigned since they were added.
    fileprivate var reassigned: [Int64] = []
    /// Whether objects are added when they are read: after an object was searched by its identity.
    fileprivate(set) var isActive = false

    /// Returns the row of an identity; its object may have another identity by now.
    fileprivate subscript(values: [StoredValue]) -> Int64? {
        values.count == 1 ? self[values[0]] : rowsOfValues[values]
    }

    var count: Int { rowsOfIntegers.count + rowsOfValues.count }

    /// Removes the entries of objects that were released, if there are many entries.
    fileprivate func prune(_ registry: ObjectRegistry) {
        guard count >= limit else { return }
        rowsOfIntegers = rowsOfIntegers.filter { registry[$0] != nil }
        rowsOfValues = rowsOfValues.filter { registry[$0.value] != nil }
        limit = max(1000, count * 2)
    }

    /// Returns the row of an identity with one value.
    fileprivate subscript(value: StoredValue) -> Int64? {
        if case .integer(let value) = value { rowsOfIntegers[value] } else { rowsOfValues[[value]] }
    }

    fileprivate func note(_ row: Int64, for values: some Collection<StoredValue>) {
        if values.count == 1, let value = values.first {
            note(row, for: value)
        } else {
            rowsOfValues[Array(values)] = row
        }
    }

    fileprivate func note(_ row: Int64, for value: StoredValue) {
        if case .integer(let value) = value {
            rowsOfIntegers.insert(value, row: row)
        } else {
            rowsOfValues[[value]] = row
        }
    }
}

/// Finds objects by identity.
extension ContextCore {
    /// Returns the object with an identity, from the context or the store; `nil` if it does not exist.
    func find(_ values: [StoredValue], _ entity: StoredEntity) throws(StoreError) -> ManagedObject? {
        if hasNews { try merge(lookingForOthers: false) }
        // The entry can be older than a change.
        if let object = identities[entity.index][values].flatMap({ registries[entity.index][$0] }),
            identity(of: object, entity) == values
        {
            return object
        }
        return try findInStore(values, entity)
    }

    /// Returns the object with an identity that is not known to belong to an object of the context.
    func findInStore(
        _ values: some Collection<StoredValue>, _ entity: StoredEntity
    ) throws(StoreError) -> ManagedObject? {
        try prepareFetch()
        activateIndex(of: entity)
        if !dirty.objects.isEmpty, let object = changedObject(Array(values), entity) { return object }
        let index = identities[entity.index]
        index.prune(registries[entity.index])
        let found = try read(entity.statements.finding, values) { (rows) throws(StoreError) in
            try firstObject(entity, rows)
        }
        guard let object = found, object.state?.phase != .deleted else { return nil }
        index.note(object.row, for: values)
        // An unsaved change may have given it another identity.
        return object.state == nil || identity(of: object, entity) == Array(values) ? object : nil
    }

    /// Adds an object to the identity index of its entity if the index is active.
    func noteIdentity(of object: ManagedObject, _ entity: StoredEntity) {
        let index = identities[entity.index]
        guard index.isActive else { return }
        if entity.identity.count == 1, object.state == nil, object.unassignedIdentity == 0,
            !object.access.contains(.fault)
        {
            let value = entity.type.attributes[entity.identity[0]].storedValue(of: object) ?? .null
            if !value.isNull { index.note(object.row, for: value) }
        } else if let values = identity(of: object, entity) {
            index.note(object.row, for: values)
        }
    }

    private func activateIndex(of entity: StoredEntity) {
        guard !identities[entity.index].isActive else { return }
        identities[entity.index].isActive = true
        for object in registries[entity.index].objects where object.state?.phase ?? .clean == .clean {
            noteIdentity(of: object, entity)
        }
    }

    /// Returns the new or changed object with an identity.
    func changedObject(_ values: [StoredValue], _ entity: StoredEntity) -> ManagedObject? {
        guard !dirty.objects.isEmpty else { return nil }
        addChanges(to: entity)
        guard let row = identities[entity.index][values], let object = registries[entity.index][row],
            object.state != nil, identity(of: object, entity) == values
        else { return nil }
        return object
    }

    /// Adds the objects to the identity index that were changed, or whose identity was assigned, since the last call.
    private func addChanges(to entity: StoredEntity) {
        let index = identities[entity.index]
        if index.generation != dirty.generation {
            index.generation = dirty.generation
            index.examined = 0
        }
        for object in dirty.objects[min(index.examined, dirty.objects.count)...]
        where Int(object.entityIndex) == entity.index && object.core === self {
            addChanged(object, entity)
        }
        index.examined = dirty.objects.count
        guard !index.reassigned.isEmpty else { return }
        for object in index.reassigned.compactMap({ registries[entity.index][$0] }) { addChanged(object, entity) }
        index.reassigned = []
    }

    private func addChanged(_ object: ManagedObject, _ entity: StoredEntity) {
        guard let state = object.state, !state.isIndexed, state.phase == .inserted || state.phase == .updated
        else { return }
        state.isIndexed = true
        for index in entity.identity { state.watch(entity.type.attributes[index].offset) }
        if let values = identity(of: object, entity) { identities[entity.index].note(object.row, for: values) }
    }

    /// Removes a changed object from the identity index before a part of its identity is assigned.
    func identityMayChange(of object: ManagedObject, _ state: ObjectState, at offset: Int) {
        let entity = entity(of: object)
        guard entity.identity.contains(where: { entity.type.attributes[$0].offset == offset }) else { return }
        state.isIndexed = false
        identities[entity.index].reassigned.append(object.row)
    }

    /// Returns the registered object with an identity of one value; `nil` if it is not known to be registered.
    func registered(_ value: StoredValue, _ entity: StoredEntity) -> ManagedObject? {
        guard entity.identity.count == 1, let row = identities[entity.index][value],
            let object = registries[entity.index][row], !object.access.contains(.fault),
            object.state?.phase != .deleted
        else { return nil }
        // The entry can be older than a change.
        let attribute = entity.type.attributes[entity.identity[0]]
        return attribute.storedValue(of: object) == value && object.hasIdentity(attribute, entity) ? object : nil
    }

    /// Returns the identity of an object; `nil` if the object is deleted, a fault, or without identity.
    func identity(of object: ManagedObject, _ entity: StoredEntity) -> [StoredValue]? {
        guard object.state?.phase != .deleted, !object.access.contains(.fault) else { return nil }
        var values: [StoredValue] = []
        for index in entity.identity {
            let attribute = entity.type.attributes[index]
            guard object.hasIdentity(attribute, entity), let value = attribute.storedValue(of: object), !value.isNull
            else { return nil }
            values.append(value)
        }
        return values
    }

    /// Sets the identity of a new object.
    func setIdentity(_ values: [StoredValue], of object: ManagedObject, _ entity: StoredEntity) {
        for (index, value) in zip(entity.identity, values) {
            let attribute = entity.type.attributes[index]
            object.noteAssignment(at: attribute.offset)
            _ = attribute.load(value, into: object)
        }
        if let state = object.state, state.phase == .inserted { addChanged(object, entity) }
    }

    /// Records which parts of its identity an object has after a save.
    func noteSavedIdentity(of object: ManagedObject, _ state: ObjectState) {
        let entity = entity(of: object)
        for index in entity.identity {
            let attribute = entity.type.attributes[index]
            let isAssigned = state.isAssigned(attribute.offset)
            if isAssigned || state.phase == .inserted { object.setIdentity(isAssigned: isAssigned, attribute, entity) }
        }
    }
}

extension ManagedObject {
    /// Whether a part of the identity is assigned, so that its value is not only the default of the property.
    func hasIdentity(_ attribute: ManagedAttribute, _ entity: StoredEntity) -> Bool {
        let isNull = unassignedIdentity != 0 && unassignedIdentity & entity.identityBit(attribute) != 0
        guard isNull || state?.phase == .inserted else { return true }
        return state?.isAssigned(attribute.offset) ?? false
    }

    /// Records whether a part of the identity has a value in the store.
    func setIdentity(isAssigned: Bool, _ attribute: ManagedAttribute, _ entity: StoredEntity) {
        let bit = entity.identityBit(attribute)
        if isAssigned { unassignedIdentity &= ~bit } else { unassignedIdentity |= bit }
    }
}

extension StoredEntity {
    /// The bit of a part of the identity; the parts after the seventh share one.
    fileprivate func identityBit(_ attribute: ManagedAttribute) -> UInt8 {
        1 << min(identity.firstIndex { type.attributes[$0] === attribute } ?? 0, 7)
    }
}
