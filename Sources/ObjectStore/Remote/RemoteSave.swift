import ObjectMapping

/// A save of a context through the remote of its store: one change after the other, each with its own transaction.
///
/// It belongs to the isolation of the context.
final class RemoteSave {
    private let context: ObjectContext
    private let remote: RemoteConnection
    private let journal: SaveJournal
    private var core: ContextCore { context.core }
    /// The objects that were changed at the beginning: what is changed later belongs to the next save.
    private var members: [ObjectIdentifier: ManagedObject] = [:]
    /// The outcomes so far.
    private var outcomes: [ObjectOutcome] = []
    /// The objects whose changes were not saved.
    private var unsaved: Set<ObjectIdentifier> = []
    /// The keys of the changes in the journal that were not sent yet.
    private var keys: [ObjectIdentifier: String] = [:]
    /// The keys of changes that the remote does not have.
    private var refusedKeys: [String] = []
    /// The one-to-one relationships and lists that the remote has received, which the file receives at the end.
    private var sentLinks: [ObjectIdentifier: LinkChanges] = [:]
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
        let number = core.saves.number
        for object in core.changedObjects where remote.has(core.entity(of: object).name) {
            members[ObjectIdentifier(object)] = object
        }
        outcomes = core.sending.takeMissing()
        let objects = objects { _ in true }
        let usesJournal = !objects.isEmpty || !core.sending.restoredSaves.isEmpty
        if usesJournal { try await send(objects) }
        let failed = outcomes.filter { $0.kind != .saved && $0.kind != .deleted }
        let failure =
            failed.isEmpty
            ? nil
            : StoreError(
                .notSaved,
                "\(failed.count) of \(outcomes.count) changes were not saved by the remote and remain unsaved",
                advice: "correct the objects that were refused, and save again", outcomes: outcomes)
        // Changes without outcome remain in the journal.
        let isKept =
            isUnavailable || Task.isCancelled || outcomes.contains { $0.kind == .unknown || $0.kind == .notStored }
        do throws(StoreError) {
            try await saveRest(number, removesJournal: usesJournal && !isKept)
            if usesJournal { isKept ? await keepJournal() : SaveJournal.release([journal.save]) }
        } catch {
            if usesJournal { await keepJournal() }
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// Writes what only the file has, local entities and what the remote has received of relationships, in one transaction.
    private nonisolated(nonsending) func saveRest(_ number: Int, removesJournal: Bool) async throws(StoreError) {
        if !sentLinks.isEmpty { try await core.settleLinks() }
        if removesJournal {
            let save = journal.save
            core.sending.companion = { (connection, _) throws(StoreError) in try SaveJournal.remove(save, connection) }
        }
        defer { core.sending.companion = nil }
        var held: Set<ObjectIdentifier>?
        try await core.save(context.mergePolicy, continuing: number) { [self] object in
            let known = held ?? heldObjects()
            held = known
            return known.contains(ObjectIdentifier(object))
        }
    }

    /// Leaves the changes in the journal to the next save of the context, or to the next program.
    private nonisolated(nonsending) func keepJournal() async {
        // As sent, they would be looked for first.
        try? await journal.keep(refused: refusedKeys)
        core.sending.restoredSaves.append(journal.save)
    }

    private nonisolated(nonsending) func send(_ objects: [ManagedObject]) async throws(StoreError) {
        let inserted = SaveOrder.parentsFirst(objects.filter { $0.state?.phase == .inserted })
        try await assignIdentities(to: inserted)
        let restored = core.sending.restoredSaves
        try await journal.begin(members.values.filter(isJournaled).map(entry), replacing: restored)
        core.sending.restoredSaves.removeAll { restored.contains($0) }
        for object in inserted { await save(object, .insert) }
        // With those of the new objects that refer to each other in a cycle.
        for object in self.objects(where: { $0 == .updated }) { await save(object, .update) }
        // Described before the first one is sent: the file deletes others with it.
        var deletions: [(object: ManagedObject, change: RemoteChange, row: Int64)] = []
        for object in SaveOrder.parentsFirst(self.objects { $0 == .deleted }).reversed() {
            let (row, entity, id) = (object.row, core.entity(of: object), object.managed.id)
            do {
                let change = try await core.store.change(
                    .delete, of: row, entity, object.unsavedChanges, LinkChanges(), id, takeKey(of: object), remote)
                deletions.append((object, change, row))
            } catch { end(ObjectOutcome(id, .delete, .refused, "\(error)"), object) }
        }
        for (object, change, row) in deletions {
            await save(change, of: object, row, object.unsavedChanges, LinkChanges())
        }
    }

    /// The changed objects of the remote that have no outcome yet.
    private func objects(where isIncluded: (ObjectState.Phase) -> Bool) -> [ManagedObject] {
        core.changedObjects.filter { object in
            object.state.map { isIncluded($0.phase) } ?? false && members[ObjectIdentifier(object)] != nil
                && !unsaved.contains(ObjectIdentifier(object)) && isSent(object)
        }
    }

    /// Whether the remote saves the changes of an object.
    private func isSent(_ object: ManagedObject) -> Bool {
        guard let phase = object.state?.phase, remote.has(core.entity(of: object).name) else { return false }
        return phase != .updated || !object.unsavedChanges.isEmpty || hasUnsentLinks(object)
    }

    private func hasUnsentLinks(_ object: ManagedObject) -> Bool {
        let links = object.linkChanges()
        return !links.isEmpty && links != sentLinks[ObjectIdentifier(object)]
    }

    /// Whether an object has changes for the journal: also references to new objects, which are sent later.
    private func isJournaled(_ object: ManagedObject) -> Bool {
        isSent(object) || !newTargets(of: object).isEmpty || !object.linkChanges(includingNew: true).isEmpty
    }

    /// The new objects to which an object refers by to-one relationships.
    private func newTargets(of object: ManagedObject) -> [ManagedObject] {
        guard object.core === core, object.state?.phase != .deleted else { return [] }
        let entity = core.entity(of: object)
        return entity.toOnes.compactMap { index in
            let row = entity.type.relationships[index].row(of: object)
            return row < 0 ? core.registries[entity.relationships[index].destination][row] : nil
        }
    }

    /// The objects whose changes remain unsaved at the end: those that the remote has to save, and those that refer to them
    /// while they are new, or that are the other side of their relationships.
    private func heldObjects() -> Set<ObjectIdentifier> {
        // Each object follows those to which it refers, so that one pass is sufficient without cycles.
        let changed = SaveOrder.parentsFirst(core.changedObjects)
        var held = Set(changed.filter(isSent).map(ObjectIdentifier.init))
        func isHeld(_ object: ManagedObject) -> Bool { held.contains(ObjectIdentifier(object)) }
        var count = -1
        while count != held.count {
            count = held.count
            for object in changed where !isHeld(object) {
                let linked = object.linkedObjects
                let waits =
                    newTargets(of: object).contains(where: isHeld)
                    // What the remote has received is written, except for new objects.
                    || linked.contains { isHeld($0) && ($0.row < 0 || sentLinks[ObjectIdentifier(object)] == nil) }
                if waits { held.insert(ObjectIdentifier(object)) }
            }
        }
        return held
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
                .notSaved, "the remote assigned no identities: \(error)", advice: "save again",
                outcomes: objects.map { ObjectOutcome($0.managed.id, .insert, .notSent) })
        }
        guard identities.isEmpty || identities.count == objects.count else {
            throw StoreError(
                .notSaved, "the remote assigned \(identities.count) identities to \(objects.count) objects",
                advice: "return one element for each object, or none")
        }
        for (object, identity) in zip(objects, identities) where object.core === core {
            for (index, attribute) in core.entity(of: object).type.attributes.enumerated() where attribute.isIdentity {
                guard let value = identity[attribute.name] else { continue }
                object.willChange(at: attribute.offset)
                object.set(value, at: index)
            }
        }
    }

    // MARK: One change

    private func entry(of object: ManagedObject) -> SaveJournal.Entry {
        let key = remote.unknownInsertion(object.row)?.key ?? UUID().uuidString
        keys[ObjectIdentifier(object)] = key
        let operation: ChangeOperation =
            switch object.state?.phase {
            case .inserted: .insert
            case .deleted: .delete
            default: .update
            }
        return SaveJournal.Entry(object, operation, key, core.entity(of: object))
    }

    /// Returns the key of a change in the journal, which is used once.
    private func takeKey(of object: ManagedObject) -> String {
        keys.removeValue(forKey: ObjectIdentifier(object)) ?? remote.unknownInsertion(object.row)?.key
            ?? UUID().uuidString
    }

    private nonisolated(nonsending) func save(_ object: ManagedObject, _ operation: ChangeOperation) async {
        guard object.core === core else { return }
        let (id, row) = (object.managed.id, object.row)
        if let parent = newTargets(of: object).first(where: { unsaved.contains(ObjectIdentifier($0)) }) {
            return end(ObjectOutcome(id, operation, .notSent, "\(core.id(of: parent)) was not saved"), object)
        }
        if operation == .insert, let problem = object.sendingProblems.first {
            return end(ObjectOutcome(id, operation, .notSent, "\(problem)"), object)
        }
        // The remote may have the first attempt: what was changed since is a later change.
        let first = operation == .insert ? remote.unknownInsertion(row)?.changes : nil
        let (changes, links) = (first ?? object.unsavedChanges, first == nil ? object.linkChanges() : LinkChanges())
        let change: RemoteChange
        do {
            change = try await core.store.change(
                operation, of: row, core.entity(of: object), changes, links, id, takeKey(of: object), remote)
        } catch {
            return end(ObjectOutcome(id, operation, .refused, "\(error)"), object)
        }
        await save(change, of: object, row, changes, links)
    }

    private nonisolated(nonsending) func save(
        _ change: RemoteChange, of object: ManagedObject, _ row: Int64, _ changes: UnsavedChanges, _ links: LinkChanges
    ) async {
        guard !isUnavailable, !Task.isCancelled else {
            return end(
                ObjectOutcome(change.object.id, change.operation, .notSent, "the save ended before"), object)
        }
        let mark = core.store.commitMark()
        var outcome: ObjectOutcome
        do {
            let entry = SaveJournal.Entry(object, change, row)
            try await journal.willSend(entry)
            remote.report(.willSave(change))
            do {
                outcome = await store(try await send(change, row), change, object, row, changes, links, since: mark)
            } catch { outcome = failure(error, change, row, changes) }
            remote.report(.didSave(change, outcome))
        } catch { outcome = ObjectOutcome(change.object.id, change.operation, .notSent, "\(error)") }
        end(outcome, object)
    }

    /// Sends a change; looks for an insertion first if an earlier attempt has no outcome.
    private nonisolated(nonsending) func send(_ change: RemoteChange, _ row: Int64) async throws -> RemoteOutcome {
        let remote = remote
        if change.operation == .insert, remote.unknownInsertion(row) != nil, !remote.metadata.acceptsIdempotencyKeys {
            switch try await SharedTask.value(of: { try await remote.remote.find(change) }) {
            case .found(let objects): return .saved(objects)
            case .notFound: break
            case .unknown:
                throw RemoteError(
                    .noAnswer,
                    "an earlier insertion may have arrived, and the remote cannot look for it; use allowsSendingAgain(_:) "
                        + "after you have made sure that it did not")
            }
        }
        return try await SharedTask.value { try await remote.remote.save(change) }
    }

    private func failure(
        _ error: any Error, _ change: RemoteChange, _ row: Int64, _ changes: UnsavedChanges
    ) -> ObjectOutcome {
        let kind: ObjectOutcome.Kind
        switch (error as? RemoteError)?.kind {
        case .unavailable:
            (kind, isUnavailable) = (.unavailable, true)
            refusedKeys.append(change.idempotencyKey)
        case .refused, .unsupported:
            kind = .refused
            refusedKeys.append(change.idempotencyKey)
        case .noAnswer, .invalidResult, nil: kind = .unknown
        }
        if kind == .unknown, change.operation == .insert {
            remote.setUnknownInsertion((change.idempotencyKey, changes), row)
        }
        return ObjectOutcome(change.object.id, change.operation, kind, "\(error)")
    }

    /// Writes what the remote has saved.
    private nonisolated(nonsending) func store(
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
        do {
            if operation == .delete {
                let entity = core.store.entities.first { $0.name == id.entity }
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
                let saved: (value: Void, replacement: ObjectID?)? = try await context.save(object, sent: changes) {
                    context, copy in
                    context.core.sending.savesCopy = true
                    let identity = answer?.identity ?? [:]
                    let saved = try context.updateSent(copy, changes, identity: identity, since: mark) { object in
                        context.core.setKeys(of: object, for: changes, links)
                        try answer?.update(object, keepingIdentityIn: context)
                    }
                    let savedRow = saved.row
                    context.core.sending.companion = { (connection, rowInFile) throws(StoreError) in
                        let row = rowInFile(savedRow)
                        try SaveJournal.didSave(key, row: row, connection)
                        guard var later else { return }
                        later.row = row
                        try SaveJournal.insert(later, save, connection)
                    }
                    return (saved, {})
                }
                guard saved != nil else {
                    return ObjectOutcome(
                        id, operation, .deleted,
                        operation == .insert
                            ? "the object was deleted here meanwhile, and the remote has it"
                            : "the object was deleted meanwhile")
                }
            }
        } catch {
            if operation == .insert { remote.setUnknownInsertion((key, changes), row) }
            return ObjectOutcome(id, operation, .notStored, "\(error)")
        }
        remote.setUnknownInsertion(nil, row)
        if !links.isEmpty { sentLinks[ObjectIdentifier(object)] = links }
        // Saved in any case: an error is thrown by the next call that merges.
        try? await context.merge()
        return ObjectOutcome(id, operation, .saved)
    }

    private func end(_ outcome: ObjectOutcome, _ object: ManagedObject) {
        outcomes.append(outcome)
        if outcome.kind != .saved { unsaved.insert(ObjectIdentifier(object)) }
    }
}
