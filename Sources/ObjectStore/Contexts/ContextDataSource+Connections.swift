import ObjectMapping

extension ContextDataSource {
    /// A relationship of an object.
    struct ConnectionID: Hashable {
        let object: ObjectIdentifier
        let property: AnyKeyPath
    }

    /// The keys of a relationship since the last save, for which some targets are or were missing.
    struct KeyedConnection {
        let object: ManagedObject
        let connection: ObjectConnection
        /// Empty if the relationship waits for no targets.
        var keys: [ObjectKey]
        /// The position among those of the context.
        let order: Int
        /// The number of targets that were found and assigned; `nil` before the first time.
        var targetCount: Int?
    }

    func connect(_ object: AnyObject, _ connection: ObjectConnection, _ keys: [ObjectKey]?) throws {
        guard let object = object as? ManagedObject else { return }
        var new = KeyedConnection(object: object, connection: connection, keys: distinct(keys), order: nextOrder())
        if keys == nil { connection.assign(nil, to: object) } else { try assign(&new) }
        // Other keys of a changed object may be waiting in the store.
        let isOfInterest = !new.keys.isEmpty || object.state?.phase == .updated
        guard isOfInterest || !keyed.isEmpty else { return }
        let id = ConnectionID(object: ObjectIdentifier(object), property: connection.destination)
        let old = keyed[id]
        guard isOfInterest || old != nil else { return }
        keyed[id] = isOfInterest ? new : nil
        changes.append(.keyed(id, old))
    }

    /// A relationship contains an object once.
    private func distinct(_ keys: [ObjectKey]?) -> [ObjectKey] {
        guard let keys, keys.count > 1 else { return keys ?? [] }
        var known: Set<ObjectKey> = []
        return keys.filter { known.insert($0).inserted }
    }

    /// Connects an object with the existing targets.
    private func assign(_ keyed: inout KeyedConnection) throws {
        let targets = try keyed.keys.compactMap { try find($0, of: keyed.connection.target) }
        // Without a new target nothing is assigned again: other objects may have received these targets since.
        guard targets.count != keyed.targetCount else { return }
        keyed.targetCount = targets.count
        keyed.connection.assign(targets, to: keyed.object)
        if targets.count == keyed.keys.count { keyed.keys = [] }
    }

    /// Connects objects with targets that the payload has added to the context.
    ///
    /// Targets that others have added to the store are connected by the save.
    func connectPending() throws {
        for (_, connection) in keyed { noteChanges(of: connection.connection.target) }
        let waiting = keyed.filter { $0.value.keys.contains(where: isKnown($0.value.connection.target)) }
            .sorted { $0.value.order < $1.value.order }
        guard !waiting.isEmpty else { return }
        var request = IdentityRequest()
        for (_, connection) in waiting { request.add(connection.keys, of: connection.connection.target) }
        try prefetch(request)
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

    /// Returns the keys that the next save writes to the table of unresolved connections, or removes from it.
    func waitingKeys() -> [ChangeSet.WaitingKeys] {
        keyed.values.sorted { $0.order < $1.order }.compactMap { keyed in
            let (object, connection) = (keyed.object, keyed.connection)
            guard object.core === core, object.state?.phase != .deleted, let target = stored(connection.target),
                case .relationship(let index)? = core.entity(of: object).type.steps(of: connection.destination)?.last?
                    .property
            else { return nil }
            let relationship = core.entity(of: object).type.relationships[index]
            // A to-one relationship that was assigned does not wait.
            let isSet = !relationship.isToMany && relationship.row(of: object) != 0
            // The keys may have been assigned since.
            let waiting = isSet || keyed.keys.isEmpty ? [] : distinct(connection.keys(of: object))
            let keys = waiting.compactMap { target.identity($0)?.values }
            return ChangeSet.WaitingKeys(
                entity: Int(object.entityIndex), row: object.row, relationship: index, keys: keys,
                matching: target.matching)
        }
    }

    /// Discards the keys of all relationships: they are saved, or rolled back.
    func forgetKeys() { keyed = [:] }
}
