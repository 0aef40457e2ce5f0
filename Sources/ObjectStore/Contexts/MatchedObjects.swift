/// An entity and the attributes by which its objects are looked up; without attributes, the identity.
struct UniqueKey: Hashable, Comparable {
    private let entity: Int
    private let names: [String]

    init(_ stored: StoredKind) { (entity, names) = (stored.entity.index, stored.matching) }

    static func < (a: UniqueKey, b: UniqueKey) -> Bool {
        a.entity != b.entity ? a.entity < b.entity : a.names.lexicographicallyPrecedes(b.names)
    }
}

/// The objects that a decode has looked up by unique attributes other than their identity.
struct MatchedObjects {
    private let entity: StoredEntity
    private let attributes: [ManagedAttribute]
    /// The objects of the store, by the values with which they were looked up; `nil` for none.
    private var found: [StoredIdentity: ManagedObject?] = [:]
    /// The new and changed objects of the context; `nil` before the end of the payload.
    private var changed: [StoredIdentity: ManagedObject]?

    init(_ stored: StoredKind) {
        entity = stored.entity
        attributes = stored.matching.compactMap { name in stored.entity.type.attributes.first { $0.name == name } }
    }

    /// Whether values were looked up.
    func isKnown(_ values: StoredIdentity) -> Bool { found[values] != nil }

    /// Records that values are looked up; returns whether they were not looked up before.
    mutating func look(for values: StoredIdentity) -> Bool {
        guard !isKnown(values) else { return false }
        found[values] = .some(nil)
        return true
    }

    /// Records an object of the store.
    mutating func note(_ object: ManagedObject) {
        if let values = values(of: object) { found[values] = object }
    }

    /// Adds the new and changed objects of a context, once.
    mutating func addChanged(_ core: ContextCore) {
        guard changed == nil else { return }
        var changed: [StoredIdentity: ManagedObject] = [:]
        for object in core.dirty.objects where Int(object.entityIndex) == entity.index && object.core === core {
            if let values = values(of: object), changed[values] == nil { changed[values] = object }
        }
        self.changed = changed
    }

    /// Returns the object with these values now.
    func object(_ values: StoredIdentity, _ core: ContextCore) -> ManagedObject? {
        if let object = changed?[values] { return object }
        // An unsaved change may have given it another value, or deleted it.
        guard let object = found[values] ?? nil, object.core === core, self.values(of: object) == values else {
            return nil
        }
        return object
    }

    private func values(of object: ManagedObject) -> StoredIdentity? {
        guard object.state?.phase != .deleted, !object.access.contains(.fault) else { return nil }
        let values = attributes.compactMap { $0.storedValue(of: object) }
        return values.count == attributes.count && !values.contains(.null) ? StoredIdentity(values) : nil
    }
}
