import ObjectMapping

/// What the remote has saved, in the file and in the context.
extension RemoteSave {
    /// Writes what the remote has saved.
    nonisolated(nonsending) func store(
        _ outcome: RemoteOutcome, _ change: RemoteChange, _ sent: SentChange, since mark: CommitMark
    ) async -> ObjectOutcome {
        let (id, operation, key) = (change.object.id, change.operation, change.idempotencyKey)
        let answer: RemoteObjects?
        var replacement: ObjectID?
        switch outcome {
        case .refused(let reason), .conflict(let reason):
            let refusal = if case .refused = outcome { ObjectOutcome.Kind.refused } else { ObjectOutcome.Kind.conflict }
            let kind = kind(ofRefused: key, refusal)
            return ObjectOutcome(id, operation, kind, reason.message, errors: reason.errors)
        case .saved(let objects): answer = objects
        }
        do {
            if operation == .delete {
                try await delete(change, sent)
            } else {
                let update = updating(change, sent, answer, since: mark)
                if let saved = try await context.save(sent.object, sent: sent.changes, update) {
                    replacement = saved.replacement
                } else {
                    let entity = core.store.entities.first { $0.name == id.entity }
                    guard let entity else { return ObjectOutcome(id, operation, .notStored, "unknown entity") }
                    let isPending = try await saveDeleted(sent, entity, update)
                    note(change, sent, isUnknown: false)
                    return ObjectOutcome(
                        id, operation, .deleted,
                        isPending
                            ? "the object was deleted here meanwhile; the next save sends the deletion"
                            : "the object was deleted meanwhile")
                }
            }
        } catch {
            note(change, sent, isUnknown: true)
            return ObjectOutcome(id, operation, .notStored, "\(error)")
        }
        note(change, sent, isUnknown: false)
        // Saved in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        guard let replacement else { return ObjectOutcome(id, operation, .saved) }
        core.store.identity.remember(replacement.row, for: sent.row)
        return ObjectOutcome(id, operation, .saved, "the context already had the object, which replaces the new one")
    }

    /// Deletes an object that the remote has deleted.
    private nonisolated(nonsending) func delete(_ change: RemoteChange, _ sent: SentChange) async throws {
        let (id, key, row, replaced) = (change.object.id, change.idempotencyKey, sent.row, earlierKeys(of: sent))
        let entity = core.store.entities.first { $0.name == id.entity }
        remote.didDelete(
            id.entity,
            entity?.identity.map { change.object.identity[entity?.description.attributes[$0].name ?? ""] } ?? [])
        try await core.store.delete(id) { (connection, _) throws(StoreError) in
            try SaveJournal.didSave(key, row: row, connection)
            for key in replaced { try SaveJournal.remove(key: key, connection) }
        }
        guard sent.object.core === core else { return }
        // Before it is detached: it did not get lost from its lists.
        core.removeDeletedMembers()
        // Without its unsaved changes, it is detached.
        context.refresh(sent.object)
    }

    /// Returns a closure that writes an answer in the context that saves it, with what the journal needs of it.
    private func updating(
        _ change: RemoteChange, _ sent: SentChange, _ answer: RemoteObjects?, since mark: CommitMark
    ) -> @Sendable (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Bool) {
        // References to objects that are still new follow as a second change.
        let object = sent.object
        let isJournaled = keys[ObjectIdentifier(object)] != nil
        let later = isJournaled ? nil : SaveJournal.Entry(after: sent, core)
        if let later { keys[ObjectIdentifier(object)] = later.key }
        let (key, save, changes) = (change.idempotencyKey, journal.save, sent.changes)
        let (replaced, names) = (earlierKeys(of: sent), change.propertyNames)
        return { context, copy in
            context.core.sending.savesCopy = true
            let saved = try context.updateSent(copy, changes, identity: answer?.identity ?? [:], since: mark) {
                object in
                context.core.setKeys(of: object, for: changes)
                try answer?.update(object, keepingIdentityIn: context)
            }
            if change.operation == .insert, let name = saved.unassignedIdentityName {
                throw RemoteError(
                    .invalidResult,
                    "the remote saved the object and returned no value of its identity (\(name)); return its "
                        + "values from save(_:), or assign it by identities(for:)")
            }
            let (savedRow, isOwn) = (saved.row, saved === copy)
            context.core.sending.companion = { (connection, rowInFile) throws(StoreError) in
                let row = rowInFile(savedRow)
                try SaveJournal.didSave(key, row: row, connection)
                for key in replaced { try SaveJournal.remove(names, from: key, connection) }
                guard var later else { return }
                later.row = row
                try SaveJournal.insert(later, save, connection)
            }
            return (saved, { isOwn })
        }
    }

    /// Writes a new object that the remote has, and that the context gave up.
    ///
    /// - Returns: The saved object; `nil` if the file had it already.
    nonisolated(nonsending) func saveAbandoned(
        _ sent: SentChange, _ entity: StoredEntity, _ answer: RemoteObjects, since mark: CommitMark
    ) async throws -> ManagedObject? {
        let (row, changes) = (sent.row, sent.changes)
        let saved = try await core.store.performWithLatest { context in
            try context.saveCopy(of: row, entity, changes) { context, copy in
                context.core.sending.savesCopy = true
                let saved = try context.updateSent(copy, changes, identity: answer.identity, since: mark) { object in
                    try answer.update(object, keepingIdentityIn: context)
                }
                let isOwn = saved === copy
                return (saved, { isOwn ? saved.row : 0 })
            }?.1
        }
        guard let saved, saved > 0 else { return nil }
        core.store.identity.remember(saved, for: row)
        var object: ManagedObject?
        try await core.reading { () throws(StoreError) in object = try core.read(entity, rows: [saved]).first }
        return object
    }

    /// Writes the answer for an object that was deleted in the context while its change was sent, and keeps the deletion for the
    /// next save.
    ///
    /// - Returns: Whether there is a deletion; `false` if the file no longer has the object.
    private nonisolated(nonsending) func saveDeleted(
        _ sent: SentChange, _ entity: StoredEntity,
        _ update: @escaping @Sendable (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Bool)
    ) async throws -> Bool {
        let (row, changes) = (sent.row, sent.changes)
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
