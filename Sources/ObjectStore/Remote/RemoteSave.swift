import ObjectMapping

/// A save of a context through the remote of its store: one change after the other, each with its own transaction.
///
/// It belongs to the isolation of the context.
final class RemoteSave {
    private let context: ObjectContext
    private let remote: RemoteConnection
    private let journal: SaveJournal
    private var core: ContextCore { context.core }
    /// The outcomes so far.
    private var outcomes: [ObjectOutcome] = []
    /// The objects whose changes were not saved.
    private var unsaved: Set<ObjectIdentifier> = []
    /// The keys of the changes in the journal.
    private var keys: [ObjectIdentifier: String] = [:]
    /// Whether nothing further is sent, because the remote was not reached.
    private var isUnavailable = false

    init(_ context: ObjectContext, _ remote: RemoteConnection) {
        self.context = context
        self.remote = remote
        journal = SaveJournal(context.store)
    }

    nonisolated(nonsending) func run() async throws(StoreError) {
        core.reconcile()
        try await context.merge()
        // Hooks and validation first: nothing is sent if an object is invalid.
        try core.prepareSave(merges: false) { (_, objects) in core.didNotSave(objects) }
        let objects = objects { _ in true }
        if !objects.isEmpty { try await send(objects) }
        // What only the file has: lists and local entities. Changes that were made meanwhile are those of the next save.
        try await core.save(context.mergePolicy) { [self] object in isSent(object) }
    }

    private nonisolated(nonsending) func send(_ objects: [ManagedObject]) async throws(StoreError) {
        var inserted = SaveOrder.parentsFirst(objects.filter { $0.state?.phase == .inserted })
        try await assignIdentities(to: inserted)
        try await journal.begin(objects.map(entry), replacing: core.sending.restoredSaves)
        core.sending.restoredSaves = []
        while !inserted.isEmpty {
            for object in inserted { await save(object, .insert) }
            // Other objects may refer to those that were inserted meanwhile.
            inserted = SaveOrder.parentsFirst(self.objects { $0 == .inserted })
        }
        // With those of the new objects that refer to each other in a cycle.
        for object in self.objects(where: { $0 == .updated }) { await save(object, .update) }
        let deleted = SaveOrder.parentsFirst(self.objects { $0 == .deleted })
        for object in deleted.reversed() { await save(object, .delete) }
        try await journal.end()
        guard outcomes.allSatisfy({ $0.kind == .saved || $0.kind == .deleted }) else {
            let count = outcomes.count { $0.kind != .saved && $0.kind != .deleted }
            throw StoreError(
                .notSaved, "\(count) of \(outcomes.count) changes were not saved by the remote and remain unsaved",
                outcomes: outcomes)
        }
    }

    /// The changed objects of the remote that have no outcome yet.
    private func objects(where isIncluded: (ObjectState.Phase) -> Bool) -> [ManagedObject] {
        core.changedObjects.filter { object in
            object.state.map { isIncluded($0.phase) } ?? false && !unsaved.contains(ObjectIdentifier(object))
                && isSent(object)
        }
    }

    /// Whether the remote saves the changes of an object.
    private func isSent(_ object: ManagedObject) -> Bool {
        guard let phase = object.state?.phase, remote.has(core.entity(of: object).name) else { return false }
        return phase != .updated || !object.unsavedChanges.isEmpty
    }

    private nonisolated(nonsending) func assignIdentities(to inserted: [ManagedObject]) async throws(StoreError) {
        let objects = inserted.filter { $0.identityValues.contains { $0 == nil } }
        guard !objects.isEmpty else { return }
        let remote = remote
        let identities: [[String: StoredValue]]
        do {
            let described = objects.map { $0.described(as: $0.managed.id) }
            identities = try await SharedTask.value { try await remote.remote.identities(for: described) }
        } catch {
            throw StoreError(
                .notSaved, "the remote assigned no identities: \(error)",
                outcomes: objects.map { ObjectOutcome($0.managed.id, .insert, .notSent) })
        }
        for (object, identity) in zip(objects, identities) where object.core === core {
            for (index, attribute) in core.entity(of: object).type.attributes.enumerated() where attribute.isIdentity {
                guard let value = identity[attribute.name] else { continue }
                object.set(value, at: index)
            }
        }
    }

    // MARK: One change

    private func entry(of object: ManagedObject) -> SaveJournal.Entry {
        let key = remote.key(ofUnknownInsertion: object.row) ?? UUID().uuidString
        keys[ObjectIdentifier(object)] = key
        let operation: ChangeOperation =
            switch object.state?.phase {
            case .inserted: .insert
            case .deleted: .delete
            default: .update
            }
        return SaveJournal.Entry(object, operation, key, core.entity(of: object))
    }

    private nonisolated(nonsending) func save(_ object: ManagedObject, _ operation: ChangeOperation) async {
        guard object.core === core else { return }
        let id = object.managed.id
        guard !isUnavailable, !Task.isCancelled else {
            return end(ObjectOutcome(id, operation, .notSent, "the save ended before"), object)
        }
        if let parent = unsavedTarget(of: object) {
            return end(ObjectOutcome(id, operation, .notSent, "\(parent) was not saved"), object)
        }
        // Of a cycle, an object that was inserted has a second change.
        let key = operation == .update ? UUID().uuidString : keys[ObjectIdentifier(object)] ?? UUID().uuidString
        let changes = object.unsavedChanges
        let change: RemoteChange
        do {
            change = try await core.store.change(
                operation, of: object.row, core.entity(of: object), changes, id, key, remote)
        } catch {
            return end(ObjectOutcome(id, operation, .refused, "\(error)"), object)
        }
        let mark = core.store.commitMark()
        remote.report(.willSave(change))
        let outcome: ObjectOutcome
        do {
            try await journal.willSend(SaveJournal.Entry(object, operation, key, core.entity(of: object)))
            outcome = await store(try await send(change, object.row), change, object, changes, since: mark)
        } catch {
            outcome = failure(error, change, object)
        }
        remote.report(.didSave(change, outcome))
        end(outcome, object)
    }

    /// Sends a change; looks for an insertion first if an earlier attempt has no outcome.
    private nonisolated(nonsending) func send(_ change: RemoteChange, _ row: Int64) async throws -> RemoteOutcome {
        let remote = remote
        if change.operation == .insert, remote.key(ofUnknownInsertion: row) != nil,
            !remote.metadata.acceptsIdempotencyKeys
        {
            switch try await SharedTask.value(of: { try await remote.remote.find(change) }) {
            case .found(let objects): return .saved(objects)
            case .notFound: remote.setKey(nil, ofUnknownInsertion: row)
            case .unknown:
                throw RemoteError(
                    .noAnswer,
                    "an earlier insertion may have arrived, and the remote cannot look for it; use allowsSendingAgain(_:) "
                        + "after you have made sure that it did not")
            }
        }
        return try await SharedTask.value { try await remote.remote.save(change) }
    }

    private func failure(_ error: any Error, _ change: RemoteChange, _ object: ManagedObject) -> ObjectOutcome {
        let kind: ObjectOutcome.Kind
        switch (error as? RemoteError)?.kind {
        case .unavailable: (kind, isUnavailable) = (.unavailable, true)
        case .refused, .unsupported, .invalidResult: kind = .refused
        case .noAnswer, nil: kind = error is StoreError ? .notSent : .unknown
        }
        if kind == .unknown, change.operation == .insert, object.core === core {
            remote.setKey(change.idempotencyKey, ofUnknownInsertion: object.row)
        }
        return ObjectOutcome(change.object.id, change.operation, kind, "\(error)")
    }

    /// Writes what the remote has saved.
    private nonisolated(nonsending) func store(
        _ outcome: RemoteOutcome, _ change: RemoteChange, _ object: ManagedObject, _ changes: UnsavedChanges,
        since mark: CommitMark
    ) async -> ObjectOutcome {
        let (id, operation) = (change.object.id, change.operation)
        let answer: RemoteObjects?
        switch outcome {
        case .refused(let reason):
            return ObjectOutcome(id, operation, .refused, reason.message, errors: reason.errors)
        case .conflict(let reason):
            return ObjectOutcome(id, operation, .conflict, reason.message, errors: reason.errors)
        case .saved(let objects): answer = objects
        }
        let (row, key) = (object.row, change.idempotencyKey)
        do {
            if operation == .delete {
                try await core.store.delete(id) { (connection, _) throws(StoreError) in
                    try SaveJournal.didSave(key, row: row, connection)
                }
                // Without its unsaved changes, it is detached.
                context.refresh(object)
            } else {
                let saved: (value: Void, replacement: ObjectID?)? = try await context.save(object, sent: changes) {
                    context, copy in
                    context.savesReply()
                    let saved = try context.update(copy, changes, answer)
                    context.accept(saved, changes, isMerged: saved !== copy)
                    context.discardChanges(committedSince: mark, except: saved)
                    let savedRow = saved.row
                    context.core.sending.companion = { (connection, outcome) throws(StoreError) in
                        let row = savedRow > 0 ? savedRow : outcome.rows[savedRow] ?? 0
                        try SaveJournal.didSave(key, row: row, connection)
                    }
                    return (saved, {})
                }
                guard saved != nil else {
                    return ObjectOutcome(id, operation, .deleted, "the object was deleted meanwhile")
                }
            }
        } catch {
            if operation == .insert { remote.setKey(key, ofUnknownInsertion: row) }
            return ObjectOutcome(id, operation, .notStored, "\(error)")
        }
        remote.setKey(nil, ofUnknownInsertion: row)
        // Saved in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        return ObjectOutcome(id, operation, .saved)
    }

    private func end(_ outcome: ObjectOutcome, _ object: ManagedObject) {
        outcomes.append(outcome)
        if outcome.kind != .saved { unsaved.insert(ObjectIdentifier(object)) }
    }

    /// The new object to which an object refers, and which was not saved.
    private func unsavedTarget(of object: ManagedObject) -> ObjectID? {
        guard object.state?.phase != .deleted else { return nil }
        let entity = core.entity(of: object)
        for index in entity.toOnes {
            let row = entity.type.relationships[index].row(of: object)
            guard row < 0, let target = core.registries[entity.relationships[index].destination][row],
                unsaved.contains(ObjectIdentifier(target))
            else { continue }
            return core.id(of: target)
        }
        return nil
    }
}

extension ObjectContext {
    /// Makes the changes that a remote has saved, with the values that it returned.
    fileprivate func update(
        _ copy: ManagedObject, _ changes: UnsavedChanges, _ answer: RemoteObjects?
    ) throws -> ManagedObject {
        let isNew = copy.managed.state == .inserted
        return try updateOrMerge(copy, changes, identity: answer?.identity ?? [:]) { object in
            guard !isNew, object === copy else { return try answer?.update(object, self) ?? () }
            let current = object.savedProperties
            object.assign(changes)
            try answer?.update(object, keepingIdentityIn: self)
            object.restore(current, changedSince: changes)
        }
    }
}

extension ManagedObjectStore {
    /// Describes a change for the remote, with what it prepares of a copy of the object.
    fileprivate func change(
        _ operation: ChangeOperation, of row: Int64, _ entity: StoredEntity, _ changes: UnsavedChanges, _ id: ObjectID,
        _ key: String, _ remote: RemoteConnection
    ) async throws -> RemoteChange {
        try await perform { context in
            defer { context.rollback() }
            let object: ManagedObject
            if row < 0 {
                object = context.core.copy(entity.type.type, changes)
            } else {
                object = try context.object(with: id)
                if operation == .update { object.assign(changes, overwriting: true) }
            }
            var changes = changes
            if operation != .delete {
                context.core.setKeys(of: object, for: changes)
                changes = object.unsavedChanges
            }
            var values: [String: StoredValue] = [:]
            var targets: [String: RemoteObject?] = [:]
            if operation != .delete {
                for change in changes.attributes {
                    values[entity.description.attributes[change.index].name] = change.value
                }
                for change in changes.targets {
                    let relationship = entity.relationships[change.relationship]
                    let target = context.core.target(of: object, change.relationship, row: change.row)
                    targets.updateValue(target?.described(as: target?.managed.id), forKey: relationship.name)
                }
            }
            return RemoteChange(
                operation: operation, object: try object.described(as: id, for: .save(operation), remote),
                values: values,
                targets: targets, idempotencyKey: key)
        }
    }
}

extension ContextCore {
    /// Sets the key attributes of changed relationships to the identities of their targets, unless they were changed, too.
    fileprivate func setKeys(of object: ManagedObject, for changes: UnsavedChanges) {
        let entity = entity(of: object)
        for change in changes.targets where change.row > 0 {
            let relationship = entity.relationships[change.relationship]
            guard let key = relationship.keys.first(where: \.conditions.isEmpty),
                let target = target(of: object, change.relationship, row: change.row)
            else { continue }
            target.fireIfFault()
            let other = self.entity(of: target)
            let sources =
                key.matching.isEmpty
                ? other.identity
                : key.matching.compactMap { name in other.type.attributes.firstIndex { $0.name == name } }
            for (attribute, source) in zip(key.attributes, sources)
            where !changes.attributes.contains(where: { $0.index == attribute }) {
                guard let value = other.type.attributes[source].storedValue(of: target) else { continue }
                object.set(value, at: attribute)
            }
        }
    }
}

extension SaveJournal.Entry {
    fileprivate init(_ object: ManagedObject, _ operation: ChangeOperation, _ key: String, _ entity: StoredEntity) {
        self.init(key: key, operation: operation, entity: entity.name, row: object.row)
        guard operation != .delete else { return }
        let changes = object.unsavedChanges
        for change in changes.attributes {
            values[entity.description.attributes[change.index].name] = change.value
        }
        // With those to new objects.
        for index in entity.toOnes {
            let property = entity.type.relationships[index]
            let row = property.row(of: object)
            guard
                row
                    != (changes.saved.rows.indices.contains(index) && operation == .update
                        ? changes.saved.rows[index] : 0)
            else { continue }
            targets[property.name] = row
        }
    }
}
