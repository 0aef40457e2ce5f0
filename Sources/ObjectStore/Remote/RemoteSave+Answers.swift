import ObjectMapping

/// What the remote has saved, in the file and in the context.
extension RemoteSave {
    /// Writes what the remote has saved.
    nonisolated(nonsending) func store(
        _ outcome: RemoteOutcome, _ change: RemoteChange, _ object: ManagedObject, _ row: Int64,
        _ changes: UnsavedChanges, _ links: LinkChanges, since mark: CommitMark
    ) async -> ObjectOutcome {
        let (id, operation, key) = (change.object.id, change.operation, change.idempotencyKey)
        let answer: RemoteObjects?
        switch outcome {
        case .refused(let reason):
            remote.setUnknownInsertion(nil, row)
            refusedKeys.append(key)
            return ObjectOutcome(id, operation, .refused, reason.message, errors: reason.errors)
        case .conflict(let reason):
            remote.setUnknownInsertion(nil, row)
            refusedKeys.append(key)
            return ObjectOutcome(id, operation, .conflict, reason.message, errors: reason.errors)
        case .saved(let objects): answer = objects
        }
        // References to objects that are still new follow as a second change, and relationships with an inverse at the end.
        let later =
            operation == .delete ? nil : SaveJournal.Entry(laterOf: object, operation, core.entity(of: object))
        if let later { keys[ObjectIdentifier(object)] = later.key }
        let save = journal.save
        let entity = core.store.entities.first { $0.name == id.entity }
        do {
            if operation == .delete {
                remote.didDelete(
                    id.entity,
                    entity?.identity.map { change.object.identity[entity?.description.attributes[$0].name ?? ""] } ?? []
                )
                try await core.store.delete(id) { (connection, _) throws(StoreError) in
                    try SaveJournal.didSave(key, row: row, connection)
                }
                // Without its unsaved changes, it is detached.
                if object.core === core { context.refresh(object) }
            } else {
                let update: @Sendable (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Bool) = {
                    context, copy in
                    context.core.sending.savesCopy = true
                    let identity = answer?.identity ?? [:]
                    let saved = try context.updateSent(copy, changes, identity: identity, since: mark) { object in
                        context.core.setKeys(of: object, for: changes, links)
                        try answer?.update(object, keepingIdentityIn: context)
                    }
                    if operation == .insert, let name = saved.unassignedIdentityName {
                        throw RemoteError(
                            .invalidResult,
                            "the remote saved the object and returned no value of its identity (\(name)); return its "
                                + "values from save(_:), or assign it by identities(for:)")
                    }
                    let (savedRow, isOwn) = (saved.row, saved === copy)
                    context.core.sending.companion = { (connection, rowInFile) throws(StoreError) in
                        let row = rowInFile(savedRow)
                        try SaveJournal.didSave(key, row: row, connection)
                        guard var later else { return }
                        later.row = row
                        try SaveJournal.insert(later, save, connection)
                    }
                    return (saved, { isOwn })
                }
                if try await context.save(object, sent: changes, update) == nil {
                    guard let entity else { return ObjectOutcome(id, operation, .notStored, "unknown entity") }
                    let isPending = try await saveDeleted(row, entity, changes, update)
                    remote.setUnknownInsertion(nil, row)
                    return ObjectOutcome(
                        id, operation, .deleted,
                        isPending
                            ? "the object was deleted here meanwhile; the next save sends the deletion"
                            : "the object was deleted meanwhile")
                }
            }
        } catch {
            noteUnknown(change, row, changes)
            return ObjectOutcome(id, operation, .notStored, "\(error)")
        }
        remote.setUnknownInsertion(nil, row)
        core.sending.unknownUpdates.remove(id)
        if !links.isEmpty { sentLinks[ObjectIdentifier(object)] = links }
        // Saved in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        return ObjectOutcome(id, operation, .saved)
    }

    /// Writes the answer for an object that was deleted in the context while its change was sent, and keeps the deletion for the
    /// next save.
    ///
    /// - Returns: Whether there is a deletion; `false` if the file no longer has the object.
    private nonisolated(nonsending) func saveDeleted(
        _ row: Int64, _ entity: StoredEntity, _ changes: UnsavedChanges,
        _ update: @escaping @Sendable (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Bool)
    ) async throws -> Bool {
        let saved = try await core.store.performWithLatest { context -> (row: Int64, isOwn: Bool)? in
            guard let (saved, isOwn) = try context.saveCopy(of: row, entity, changes, update) else { return nil }
            return saved.core == nil ? nil : (saved.row, isOwn)
        }
        guard let saved else { return false }
        guard row < 0 else { return true }
        core.store.identity.remember(saved.row, for: row)
        // The remote has merged it into an object that existed before.
        guard saved.isOwn else { return false }
        var object: ManagedObject?
        try await core.reading { () throws(StoreError) in object = try core.read(entity, rows: [saved.row]).first }
        if let object { context.delete(object) }
        return object != nil
    }
}
