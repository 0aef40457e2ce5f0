import ObjectMapping
import Synchronization

extension ManagedObjectStore {
    /// Deletes an object that a server no longer has, unless it was deleted before.
    package func delete(_ id: ObjectID) async throws { try await delete(id, since: nil) }

    /// - Parameters:
    ///   - mark: The moment at which a request began: an object that was committed later is not deleted. Defaults to `nil`.
    ///   - companion: Writes something else in the same transaction. Defaults to `nil`.
    func delete(_ id: ObjectID, since mark: CommitMark? = nil, also companion: ChangeSet.Companion? = nil) async throws
    {
        try await perform { context in
            context.core.sending.companion = companion
            if let mark { context.savesResponse(since: mark) }
            do throws(StoreError) { context.delete(try context.object(with: id), unlessWrittenSince: mark) } catch
                where error.kind == .missingObject
            {}
            try context.saveWaiting()
        }
    }

    /// Calls a closure with a new context on another thread, like `perform`; again if others have inserted or deleted the rows
    /// that it has looked up.
    package func performWithLatest<Value: Sendable>(
        _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await performing { self.resultWithLatest(of: body) }
    }

    /// Calls a closure with a new context on the current thread, like ``performWithLatest(_:)``.
    func resultWithLatest<Value>(of body: (ObjectContext) throws -> Value) -> Result<Value, any Error> {
        for _ in 0..<16 {
            let last = commits.lastNumber
            let result = result(of: body)
            guard case .failure(let error as StoreError) = result,
                error.kind == .identityTaken || error.kind == .missingObject, commits.lastNumber != last
            else { return result }
        }
        return result(of: body)
    }
}

extension ObjectContext {
    /// Saves an object that was sent, on another thread and with what a closure makes of a copy in another context.
    ///
    /// Nothing else of this context is saved. Calls that read the store or change relationships wait meanwhile.
    ///
    /// - Parameters:
    ///   - object: A new or saved object.
    ///   - changes: Its changes when it was sent.
    ///   - load: Updates the copy of a new object, or the saved object. Returns the object that was saved, which can be
    ///     another one, and a function that creates the result after the save.
    /// - Returns: The result, and the object of this context that replaced the object; `nil` if the object was deleted.
    nonisolated(nonsending) package func save<Value: Sendable>(
        _ object: ManagedObject, sent changes: UnsavedChanges,
        _ load: @escaping @Sendable (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Value)
    ) async throws -> (value: Value, replacement: ObjectID?)? {
        await core.waitForSave()
        core.reconcile()
        guard object.core === core, let entity = core.store.knownEntity(of: object),
            object.state?.phase != .deleted
        else { return nil }
        let (store, row) = (core.store, object.row)
        let loaded = Mutex<Result<Value?, any Error>?>(nil)
        let save = PendingSave(ChangeSet())
        let sent = SentObject(object, changes)
        core.saves.inFlight = SaveState.InFlight(save: save, objects: [], sent: sent)
        save.run(on: store.savingQueue) { () throws(StoreError) -> SaveOutcome in
            var outcome = SaveOutcome()
            let result = store.resultWithLatest { context -> Value? in
                guard let (saved, value) = try context.saveCopy(of: row, entity, changes, load) else { return nil }
                outcome.copy = SavedCopy(saved)
                outcome.children = context.savedChildren()
                // A hook has deleted it.
                outcome.isCopyDeleted = outcome.copy == nil
                return outcome.isCopyDeleted ? nil : value
            }
            loaded.withLock { $0 = result }
            return outcome
        }
        await save.end()
        if core.saves.inFlight?.save === save { core.finishSaveInFlight() }
        guard let value = try loaded.withLock({ $0 })?.get() else { return nil }
        return (value, sent.replacement)
    }

    // MARK: In the context that saves

    /// Saves a copy of an object of another context, with what a closure makes of it.
    ///
    /// - Returns: The object that was saved and the result of the closure; `nil` if the file no longer has the row.
    func saveCopy<Value>(
        of row: Int64, _ entity: StoredEntity, _ changes: UnsavedChanges,
        _ load: (ObjectContext, ManagedObject) throws -> (ManagedObject, () -> Value)
    ) throws -> (ManagedObject, Value)? {
        let copy = row < 0 ? core.copy(entity.type, changes) : try core.read(entity, rows: [row]).first
        guard let copy else { return nil }
        let (saved, value) = try load(self, copy)
        try saveWaiting()
        return (saved, value())
    }

    /// Declares that the context saves the response of a load whose request began at a moment: it is older than the responses
    /// of requests that began later.
    package func savesResponse(since mark: CommitMark) {
        core.store.commits.noteLoad(by: core.number, since: mark.number)
    }

    /// Saves, and waits as long as others in the process write: a server has done its part.
    package func saveWaiting() throws(StoreError) { try core.save(mergePolicy, waits: true) }

    fileprivate func delete(_ object: ManagedObject, unlessWrittenSince mark: CommitMark?) {
        let isRecent = mark?.changes?.isWritten(Int(object.entityIndex))(object.row) ?? false
        if !isRecent { delete(object) }
    }

    /// Throws the error with which the deletion of a saved object would fail.
    package func checkDeletion(of id: ObjectID) throws(StoreError) {
        let object = try object(with: id)
        let (entity, store) = (core.entity(of: object), core.store)
        try store.write { (connection) throws(StoreError) in
            try connection.transaction(isShort: true) { () throws(StoreError) in
                try connection.run("SAVEPOINT \"deletion\"")
                var deletion = RowDeletion(store, connection)
                let all = try deletion.rowsWithCascade([entity.index: [object.row]])
                for (entity, rows) in all { try deletion.delete(rows.sorted(), of: store.entities[entity]) }
                try deletion.checkRequired()
                try connection.run("ROLLBACK TO \"deletion\"")
                try connection.run("RELEASE \"deletion\"")
            }
        }
    }

    /// Saves a sent object with its response: in the context that saves, with its copy.
    ///
    /// - Parameters:
    ///   - copy: The copy of a new object, or the saved object.
    ///   - changes: The changes that were sent.
    ///   - texts: Values of attributes, for a new object whose identity the response does not have.
    ///   - mark: The moment at which the request began.
    ///   - map: Maps the response onto an object.
    /// - Returns: The object that is saved, which is another one if that one has the identity in the response.
    package func updateSent(
        _ copy: ManagedObject, _ changes: UnsavedChanges, identity texts: [String: String], since mark: CommitMark,
        _ map: (ManagedObject) throws -> Void
    ) throws -> ManagedObject {
        savesReply()
        let isNew = copy.managed.state == .inserted
        let current = isNew ? SavedProperties() : copy.savedProperties
        let others = try objects(sentIn: changes)
        let saved = try updateOrMerge(copy, changes, identity: texts) { object in
            let isCopy = !isNew && object === copy
            try update((isCopy ? [SentCopy(object, changes)] : []) + others, since: mark) { try map(object) }
            guard !isCopy else { return }
            object.compareUnsent(changes, object.savedProperties)
            object.assignUnsent(changes)
        }
        var changes = changes
        if saved !== copy { changes.reverted.formUnion(saved.assignEdits(current, since: changes)) }
        try noteCreated(changes.children, in: saved)
        accept(saved, changes, isMerged: saved !== copy)
        accept(others)
        let kept = [saved, copy] + others.map(\.object)
        discardChanges(committedSince: mark, except: kept + core.oneToOneTargets(of: saved))
        try keepUnsentValues(except: kept)
        forgetResponses(savedSince: mark)
        // Not a part of the response: what refers to the copy is moved even if its rows are newer.
        if saved !== copy { try core.replaceReferences(to: copy, by: saved) }
        return saved
    }

    /// Assigns the changes of a saved object that were sent, and maps the response onto it.
    ///
    /// Properties are kept that others have saved since the request began, and saved edits that the server has not accepted.
    package func update<Result>(
        _ object: ManagedObject, _ changes: UnsavedChanges, since mark: CommitMark, _ map: () throws -> Result
    ) throws -> Result {
        try update([SentCopy(object, changes)], since: mark, map)
    }

    /// Assigns the changes of saved objects that were sent in one request, and maps the response.
    private func update<Result>(
        _ sent: [SentCopy], since mark: CommitMark, _ map: () throws -> Result
    ) throws -> Result {
        for sent in sent {
            // Without what an earlier call has assigned.
            let before = sent.object.unsavedChanges.saved
            sent.object.assign(
                sent.changes, except: try sent.object.laterProperties(before, than: sent.changes, since: mark))
        }
        let result = try map()
        core.reconcile()
        for sent in sent where sent.object.core === core && sent.object.state?.phase != .deleted {
            // The mapping merges what others commit until it assigns a property.
            let current = sent.object.unsavedChanges.saved
            sent.object.compareUnsent(sent.changes, current)
            let later = try sent.object.laterProperties(current, than: sent.changes, since: mark)
            sent.object.restore(current, later, sent.changes)
        }
        return result
    }

    /// Returns the other saved objects that were sent with changes of an object, unless they were deleted.
    private func objects(sentIn changes: UnsavedChanges) throws(StoreError) -> [SentCopy] {
        var found: [SentCopy] = []
        for other in changes.others {
            guard let object = try core.read(core.store.entities[other.entity], rows: [other.row]).first else {
                continue
            }
            found.append(SentCopy(object, other.changes))
            core.sending.children.saved[ChangeSet.RowID(entity: other.entity, row: other.row)] = object
        }
        for child in changes.children {
            if child.row > 0, let object = try core.read(core.store.entities[child.entity], rows: [child.row]).first {
                found.append(SentCopy(object, child.changes, isEdited: false))
            }
            found += try objects(sentIn: child.changes)
        }
        return found
    }

    /// Updates an object by a closure; if it receives the identity of another object, that one receives its values, and is
    /// updated instead.
    ///
    /// - Parameters:
    ///   - changes: The changes that were sent.
    ///   - texts: Values of attributes, for an object whose identity the closure does not assign.
    /// - Returns: The updated object.
    private func updateOrMerge(
        _ object: ManagedObject, _ changes: UnsavedChanges, identity texts: [String: String],
        _ update: (ManagedObject) throws -> Void
    ) throws -> ManagedObject {
        core.dataSource.rowOfIdentity = 0
        let (entity, identity) = (core.entity(of: object), object.identityValues)
        let other: ManagedObject?
        do {
            try update(object)
            // A part of the identity that was assigned is not replaced.
            guard let values = entity.identity(from: texts), object.identityValues.allSatisfy({ $0 == nil }) else {
                return object
            }
            other = try core.objects(entity, entity.statements.finding, values).first { $0 !== object }
            guard other != nil else {
                for (index, value) in zip(entity.identity, values) { object.set(value, at: index) }
                return object
            }
        } catch {
            // A response may have wrapped the error of its mapping.
            let row = core.dataSource.rowOfIdentity
            guard row > 0, identity.allSatisfy({ $0 == nil }) else { throw error }
            other = try core.read(entity, rows: [row]).first
        }
        guard let other else { return object }
        core.moveValues(of: object, to: other)
        other.assignAll(changes)
        try update(other)
        return other
    }

    /// Discards the changes of saved objects whose rows others have committed since a moment, and the new objects with the
    /// identities of rows that others have deleted since.
    ///
    /// Of rows that later loads have committed, the properties are discarded that these have written.
    ///
    /// - Parameters:
    ///   - mark: The moment.
    ///   - kept: Objects that keep their changes. Defaults to none.
    /// - Returns: Whether there were any.
    @discardableResult package func discardChanges(
        committedSince mark: CommitMark, except kept: [ManagedObject] = []
    ) -> Bool {
        core.reconcile()
        guard let changes = mark.changes else { return false }
        let (saves, loads) = (mark.saves, mark.laterLoads)
        var isDiscarded = false
        for entity in core.store.entities {
            let isWritten = saves?.isWritten(entity.index) ?? { _ in false }
            let (loaded, deleted) = (
                loads?.rows[entity.index]?.properties ?? [:], changes.deletedIdentities[entity.index] ?? []
            )
            let changed = core.changedObjects.filter { changed in
                Int(changed.entityIndex) == entity.index && !kept.contains { $0 === changed }
            }
            let objects = changed.filter { $0.state?.phase == .updated && isWritten($0.row) }
            for object in objects { refresh(object) }
            for object in loaded.isEmpty ? [] : changed {
                guard let properties = loaded[object.row] else { continue }
                if core.revert(properties, of: object) { isDiscarded = true }
            }
            let restored = changed.filter { object in
                object.state?.phase == .inserted && !deleted.isEmpty
                    && deleted.contains(object.identityValues.compactMap(\.self))
            }
            for object in restored { core.delete(object, keepingTargets: true) }
            if !objects.isEmpty || !restored.isEmpty { isDiscarded = true }
        }
        return isDiscarded
    }
}

extension StoredEntity {
    /// Returns the values of the identity from texts by attribute; `nil` if one of them is missing or has another type.
    fileprivate func identity(from texts: [String: String]) -> [StoredValue]? {
        let values = identity.compactMap { index -> StoredValue? in
            let attribute = type.attributes[index]
            return texts[attribute.name].flatMap { value(of: $0, attribute) }
        }
        return values.isEmpty || values.count < identity.count ? nil : values
    }
}

extension StoredEntity {
    /// Returns the value of an attribute in a text; `nil` for one of another type.
    func value(of text: String, _ attribute: ManagedAttribute) -> StoredValue? {
        attribute.canonical(.text(text)) ?? Int64(text).flatMap { attribute.canonical(.integer($0)) }
    }
}
