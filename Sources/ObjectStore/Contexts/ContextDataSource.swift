import ObjectMapping

/// The objects that a payload has.
struct StatedObjects {
    var all: [ManagedObject] = []
    /// Those that were removed from relationships with the policy `.replace`, each with the relationship.
    var replaced: [(object: ManagedObject, property: AnyKeyPath)] = []
}

/// Finds, creates and connects the objects of a context for the mapping engine.
final class ContextDataSource: MappingDataSource {
    unowned let core: ContextCore
    /// The objects that were looked up by their identity, by entity; during a decode only.
    private var known: [KnownObjects] = []
    /// The objects that were looked up by other attributes, and those with unsaved changes.
    private var matches: [UniqueKey: MatchedObjects] = [:]
    /// The kinds of the decode.
    private var kinds: [ObjectIdentifier: StoredKind] = [:]
    private var lastKind: StoredKind?
    /// The keys of relationships since the last save.
    var keyed: [ConnectionID: KeyedConnection] = [:]
    /// The objects that the payload has, except for those of skipped elements.
    var stated = StatedObjects()
    var changes: [Change] = []
    private var order = 0
    /// New objects have smaller rows since the last savepoint.
    var firstNewRow: Int64 = 0
    private(set) var isInUse = false
    /// The hook in which the decode began.
    private var outerHook: ContextHook?
    /// The row with the identity that a rejected update would give to another object; 0 for none.
    var rowOfIdentity: Int64 = 0
    /// Whether an update that changes the identity of an object is an issue.
    var keepsIdentities = false

    init(_ core: ContextCore) { self.core = core }

    // MARK: Decodes

    var requiresIdentity: Bool { true }
    var findsAhead: Bool { true }

    func generates(_ properties: [AnyKeyPath], of kind: ObjectKind) -> Bool {
        guard let entity = stored(kind)?.entity else { return false }
        return properties.allSatisfy { property in
            guard case .attribute(let index)? = entity.type.steps(of: property)?.last?.property else { return false }
            return entity.type.attributes[index].isGenerated
        }
    }

    /// The objects with an identity in the payloads so far, and the targets of their connections.
    ///
    /// `nil` unless they are retained.
    var objects: [ManagedObject]?

    func begin() throws {
        try core.prepareFetch()
        try start()
    }

    private func start() throws {
        guard !isInUse else { throw ValidationFailure("the context is in use by another decode") }
        isInUse = true
        outerHook = core.hooks.current
        core.hooks.current = .mapping
        core.hooks.isRecording = true
        known = core.store.entities.map { _ in KnownObjects() }
    }

    /// Returns the result of a lookup; `nil` for an identity that was not looked up.
    private func entry(_ identity: StoredIdentity, _ entity: StoredEntity) -> KnownObjects.Entry? {
        if let entry = known[entity.index][identity] { return entry }
        // New objects, and those with a changed identity, are not found in the store.
        guard let object = core.changedObject(identity.values, entity) else { return nil }
        let entry = object.state?.phase == .inserted ? KnownObjects.Entry.object(object) : .changed(object)
        known[entity.index][identity] = entry
        return entry
    }

    func end() {
        isInUse = false
        core.hooks.isRecording = false
        (changes, stated.all) = ([], [])
        objects? += known.flatMap(\.objects)
        known = []
        matches = [:]
        kinds = [:]
        lastKind = nil
        core.leave(to: outerHook)
    }

    func nextOrder() -> Int {
        order += 1
        return order
    }

    func commit() throws {
        try core.reads.ahead?.check()
        core.reconcile()
        try connectPending()
        deleteReplaced()
        changes = []
    }

    // MARK: Objects

    /// Returns the entity for a kind of the engine; `nil` for a class outside of the model.
    func stored(_ kind: ObjectKind) -> StoredKind? {
        if let lastKind, lastKind.kind === kind { return lastKind }
        if let stored = kinds[ObjectIdentifier(kind)] {
            lastKind = stored
            return stored
        }
        guard let entity = core.store.knownEntity(of: kind.type) else { return nil }
        let stored = StoredKind(kind, entity)
        // A kind lives at least as long as the decode that uses it.
        if isInUse { kinds[ObjectIdentifier(kind)] = stored }
        return stored
    }

    /// Identities of an entity that were not looked up, and the statement that reads their objects.
    private struct Lookup {
        let stored: StoredKind
        var identities: [StoredIdentity] = []
        var json: [String] = []

        var statement: ReadStatement {
            ReadStatement(
                sql: stored.entity.findingAll(matching: stored.matching),
                arguments: [.text("[\(json.joined(separator: ","))]")])
        }
    }

    /// Reads the objects of identities that were not looked up, with one query per entity.
    ///
    /// Objects with unsaved changes are read as well: their other properties receive the values of the store.
    func prefetch(_ request: IdentityRequest) throws {
        let missing = lookups(request)
        do {
            for lookup in missing {
                let (entity, statement) = (lookup.stored.entity, lookup.statement)
                // Unsaved changes may have given an object another identity, or deleted it.
                for object in try core.objects(entity, statement.sql, statement.arguments) {
                    if !lookup.stored.matching.isEmpty {
                        matches[UniqueKey(lookup.stored)]?.note(object)
                    } else if let identity = identity(of: object) {
                        known[entity.index][identity] = .object(object)
                    }
                }
            }
        } catch {
            // All of them: those that were not read must not be taken for absent.
            for lookup in missing {
                for identity in lookup.identities { known[lookup.stored.entity.index][identity] = nil }
                matches[UniqueKey(lookup.stored)] = nil
            }
            throw error
        }
    }

    /// Returns the statements that `prefetch` would execute if a decode began now.
    func statements(_ request: IdentityRequest) -> [ReadStatement] {
        core.reconcile()
        guard (try? start()) != nil else { return [] }
        defer { end() }
        return lookups(request).map(\.statement)
    }

    /// Returns the identities that were not looked up, and makes their objects known as absent, or as those of the context.
    private func lookups(_ request: IdentityRequest) -> [Lookup] {
        var missing: [UniqueKey: Lookup] = [:]
        for (kind, keys) in request.groups {
            guard let stored = stored(kind) else { continue }
            let entity = stored.entity.index
            var lookup = missing.removeValue(forKey: UniqueKey(stored)) ?? Lookup(stored: stored)
            for key in keys {
                guard let identity = stored.identity(key), let json = identity.json else { continue }
                guard stored.matching.isEmpty else {
                    let isNew = matches[UniqueKey(stored), default: MatchedObjects(stored)].look(for: identity)
                    if isNew { lookup.json.append(json) }
                    continue
                }
                switch entry(identity, stored.entity) {
                case nil: known[entity][identity] = .absent
                case .changed(let object): known[entity][identity] = .object(object)
                case .object, .absent: continue
                }
                lookup.identities.append(identity)
                lookup.json.append(json)
            }
            missing[UniqueKey(stored)] = lookup
        }
        return missing.filter { !$0.value.json.isEmpty }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Stores the result of a lookup.
    func store(_ entry: KnownObjects.Entry?, _ identity: StoredIdentity, _ entity: Int) {
        known[entity][identity] = entry
    }

    /// Makes new and changed objects known that connections look up by other attributes than the identity.
    func noteChanges(of kind: ObjectKind) {
        guard kind.isMatching, let stored = stored(kind) else { return }
        matches[UniqueKey(stored), default: MatchedObjects(stored)].addChanged(core)
    }

    /// Returns a function that tests whether the object with a key was found or created.
    func isKnown(_ kind: ObjectKind) -> (ObjectKey) -> Bool {
        guard let stored = stored(kind) else { return { _ in false } }
        guard stored.matching.isEmpty else {
            let matches = matches[UniqueKey(stored)] ?? MatchedObjects(stored)
            return { [core] key in stored.identity(key).map { matches.object($0, core) != nil } ?? false }
        }
        return { key in
            stored.identity(key).flatMap { self.entry($0, stored.entity) }?.object != nil
        }
    }

    func find(_ key: ObjectKey, of kind: ObjectKind) throws -> AnyObject? {
        guard let stored = stored(kind), let identity = stored.identity(key) else { return nil }
        guard !stored.matching.isEmpty else { return try object(identity, stored.entity) }
        // Called after the payload was read, which looks up the other keys.
        if matches[UniqueKey(stored)]?.isKnown(identity) != true {
            var request = IdentityRequest()
            request.add([key], of: kind)
            try prefetch(request)
        }
        noteChanges(of: kind)
        return matches[UniqueKey(stored)]?.object(identity, core)
    }

    private func object(_ identity: StoredIdentity, _ entity: StoredEntity) throws(StoreError) -> ManagedObject? {
        if let entry = entry(identity, entity) { return entry.object }
        let objects = try core.objects(entity, entity.statements.finding, identity.values)
        let object = objects.first { self.identity(of: $0) == identity }
        known[entity.index][identity] = object.map { KnownObjects.Entry.object($0) } ?? .absent
        return object
    }

    func add(_ object: AnyObject, _ key: ObjectKey?, of kind: ObjectKind, order: Int) throws {
        guard let object = object as? ManagedObject else { return }
        guard let entity = core.store.knownEntity(of: object) else {
            throw ValidationFailure("the class \(type(of: object)) is not part of the store's model")
        }
        // An object of a relationship may have inserted it before.
        let isNew = object.core == nil || object.row < firstNewRow
        core.insert(object)
        stated.all.append(object)
        if isNew { changes.append(.added(object)) }
        if let identity = key.flatMap({ stored(kind)?.identity($0) }) { note(object, identity, entity) }
    }

    private func note(_ object: ManagedObject, _ identity: StoredIdentity, _ entity: StoredEntity) {
        changes.append(.known(entity.index, identity, known[entity.index][identity]))
        store(.object(object), identity, entity.index)
    }

    func willUpdate(
        _ object: AnyObject, of kind: ObjectKind, isNewer: Bool, keepState: () -> () -> Void
    ) throws -> Bool {
        guard isNewer else { return false }
        guard let object = object as? ManagedObject else {
            changes.append(.updated(nil, nil, restore: keepState()))
            return true
        }
        stated.all.append(object)
        object.fireIfFault()
        if let error = object.state?.readError { throw ValidationFailure(error.message) }
        // The context records the values of stored properties before their first change.
        let isClean = object.state?.phase ?? .clean == .clean
        if !isClean || !(stored(kind)?.setsStoredPropertiesOnly ?? false) {
            changes.append(.updated(object, isClean ? nil : RecordedState(object), restore: keepState()))
        }
        return true
    }

    func didUpdate(_ object: AnyObject, of kind: ObjectKind, _ change: IdentityChange) throws {
        guard change.old != change.new else { return }
        if keepsIdentities, change.old != nil {
            throw ValidationFailure("a patch cannot change the identity of an object")
        }
        guard let object = object as? ManagedObject, let stored = stored(kind),
            let identity = change.new.flatMap(stored.identity)
        else { return }
        if let other = try self.object(identity, stored.entity), other !== object {
            rowOfIdentity = other.row
            throw ValidationFailure("another \(stored.entity.name) of the context has the same identity")
        }
        note(object, identity, stored.entity)
    }

    func didReplace(_ old: [AnyObject], in object: AnyObject, at property: AnyKeyPath) throws {
        // Deleted by `commit` only: the payload may give them another owner, or be rolled back.
        changes.append(.replaced(stated.replaced.count))
        stated.replaced += old.compactMap { object in (object as? ManagedObject).map { ($0, property) } }
    }

    /// Deletes the objects that were removed from relationships, unless the payload has them or gave them another owner.
    private func deleteReplaced() {
        guard !stated.replaced.isEmpty else { return }
        let objects = stated.replaced
        stated.replaced = []
        let kept = Set(stated.all)
        for (object, property) in objects
        where object.core === core && !kept.contains(object) && !isHeld(object, by: property) {
            core.delete(object)
        }
    }

    /// Whether the inverse of a relationship refers from an object to an owner.
    private func isHeld(_ object: ManagedObject, by property: AnyKeyPath) -> Bool {
        guard let type = type(of: property).rootType as? ManagedObject.Type,
            let source = core.store.knownEntity(of: type),
            case .relationship(let index)? = source.type.steps(of: property)?.last?.property,
            let inverse = source.relationships[index].inverse
        else { return false }
        object.fireIfFault()
        return !core.targets(of: object, inverse).isEmpty
    }

    /// Returns the identity of an object; `nil` if a part of it is missing or null.
    private func identity(of object: ManagedObject) -> StoredIdentity? {
        let entity = core.entity(of: object)
        return entity.identity.isEmpty ? nil : core.identity(of: object, entity).map { StoredIdentity($0) }
    }
}

extension StoreError: DataSourceError {
    package var reason: String { "\(message) (\(kind))" }
}
