import ObjectMapping

/// A save of a context through the remote of its store: one change after the other, each with its own transaction.
///
/// It belongs to the isolation of the context.
final class RemoteSave {
    let context: ObjectContext
    let remote: RemoteConnection
    let journal: SaveJournal
    var core: ContextCore { context.core }
    /// The objects that were changed at the beginning: what is changed later belongs to the next save.
    var members: [ObjectIdentifier: ManagedObject] = [:]
    /// Those that were deleted at the beginning, whose deletions are sent.
    var deleted: Set<ObjectIdentifier> = []
    /// The outcomes so far.
    var outcomes: [ObjectOutcome] = []
    /// The objects whose changes were not saved.
    var unsaved: Set<ObjectIdentifier> = []
    /// The keys of the changes in the journal that were not sent yet.
    var keys: [ObjectIdentifier: String] = [:]
    /// The keys of changes that the remote does not have.
    var refusedKeys: [String] = []
    /// The keys of the changes in the journal that earlier saves have left there.
    var earlierKeys: [SaveJournal.Row: [String]] = [:]
    /// The number of the save, by which its hooks are called once.
    private var number = 0
    /// Whether nothing further is sent, because the remote was not reached.
    var isUnavailable = false

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
        number = core.saves.number
        for object in core.changedObjects where remote.has(core.entity(of: object).name) {
            members[ObjectIdentifier(object)] = object
            if object.state?.phase == .deleted { deleted.insert(ObjectIdentifier(object)) }
        }
        outcomes = core.sending.missing
        let conflicts = try await core.mergeConflicts(of: Array(members.values), context.mergePolicy)
        guard conflicts.isEmpty else { throw .conflict(conflicts) }
        let objects = objects { _ in true }
        let usesJournal = !objects.isEmpty || !core.sending.restoredSaves.isEmpty
        if usesJournal { try await send(objects) }
        // They are thrown by this save.
        core.sending.missing = []
        let failure = failure
        // Changes without outcome remain in the journal, also those that this save did not send.
        let isKept = isUnavailable || Task.isCancelled || !core.sending.unknown.isEmpty
        do throws(StoreError) {
            try await saveRest(removesJournal: usesJournal && !isKept)
            if usesJournal { isKept ? await keepJournal() : SaveJournal.release([journal.save]) }
        } catch {
            if usesJournal { await keepJournal() }
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// The error with all outcomes; `nil` if the remote has saved all changes.
    private var failure: StoreError? {
        let failed = outcomes.filter { $0.kind != .saved && $0.kind != .deleted }
        guard !failed.isEmpty else { return nil }
        let possible = failed.count { $0.kind == .unknown || $0.kind == .notStored }
        return StoreError(
            .notSaved,
            "\(failed.count) of \(outcomes.count) changes remain unsaved"
                + (possible > 0 ? "; the remote may have \(possible) of them" : ""),
            advice: Self.advice(after: failed), outcomes: outcomes)
    }

    private static func advice(after failed: [ObjectOutcome]) -> String {
        let kinds = Set(failed.map(\.kind))
        var steps: [String] = []
        if !kinds.isDisjoint(with: [.refused, .conflict]) { steps.append("correct the objects that were refused") }
        if kinds.contains(.missing) { steps.append("roll back or delete the objects that others have deleted") }
        let last = kinds.contains(.unavailable) ? "save again when the remote can be reached" : "save again"
        let advice = (steps + [steps.isEmpty ? last : "and " + last]).joined(separator: ", ")
        let isInsertionUnknown = failed.contains { outcome in
            outcome.operation == .insert && (outcome.kind == .unknown || outcome.kind == .notStored)
        }
        guard isInsertionUnknown else { return advice }
        return advice + "; if the remote cannot be asked for a new object, find out whether it has it, and call "
            + "allowsSendingAgain(_:)"
    }

    /// Writes what only the file has, in one transaction.
    private nonisolated(nonsending) func saveRest(removesJournal: Bool) async throws(StoreError) {
        if removesJournal {
            let save = journal.save
            core.sending.companion = { (connection, _) throws(StoreError) in try SaveJournal.remove(save, connection) }
        }
        defer { core.sending.companion = nil }
        try await writeRest { _ in false }
    }

    /// Writes changes that no remote has to save.
    ///
    /// - Parameter isKept: Whether the changes of an object remain unsaved, too.
    nonisolated(nonsending) func writeRest(
        keeping isKept: @escaping (ManagedObject) -> Bool
    ) async throws(StoreError) {
        var held: Set<ObjectIdentifier>?
        try await core.save(context.mergePolicy, continuing: number) { [self] object in
            let known = held ?? heldObjects()
            held = known
            return known.contains(ObjectIdentifier(object)) || isKept(object)
        }
    }

    /// Leaves the changes in the journal to the next save of the context, or to the next program.
    nonisolated(nonsending) func keepJournal() async {
        // As sent, they would be looked for first.
        try? await journal.keep(unknownEntries, refused: refusedKeys)
        core.sending.restoredSaves.append(journal.save)
    }

    nonisolated(nonsending) func send(_ objects: [ManagedObject]) async throws(StoreError) {
        let inserted = SaveOrder.parentsFirst(objects.filter { $0.state?.phase == .inserted })
        try await assignIdentities(to: inserted)
        try checkIdentities(of: inserted)
        let (restored, abandoned) = (core.sending.restoredSaves, core.abandonedChanges)
        for key in abandoned.keys { core.sending.unknown[key] = nil }
        let entries = unknownEntries + members.values.filter(isJournaled).compactMap { entry(of: $0) }
        do {
            earlierKeys = try await journal.begin(entries, replacing: restored, leaving: Set(abandoned.keys))
        } catch {
            core.sending.unknown.merge(abandoned) { $1 }
            throw error
        }
        core.sending.restoredSaves.removeAll { restored.contains($0) }
        try await settle(abandoned)
        for object in inserted { await save(object, .insert) }
        // With those of the new objects that refer to each other in a cycle.
        for object in self.objects(where: { $0 == .updated }) { await save(object, .update) }
        await sendDeletions()
    }

    /// The changed objects of the remote that have no outcome yet.
    func objects(where isIncluded: (ObjectState.Phase) -> Bool) -> [ManagedObject] {
        core.changedObjects.filter { object in
            object.state.map { isIncluded($0.phase) } ?? false && members[ObjectIdentifier(object)] != nil
                && !unsaved.contains(ObjectIdentifier(object)) && isSent(object)
        }
    }

    /// Whether the remote saves the changes of an object.
    func isSent(_ object: ManagedObject) -> Bool {
        guard let phase = object.state?.phase, remote.has(core.entity(of: object).name) else { return false }
        return phase != .updated || !core.changesToSend(of: object).isEmpty || object.hasUnsavedIdentity
    }

    /// Whether an object has changes for the journal: also references to new objects, which are sent later.
    func isJournaled(_ object: ManagedObject) -> Bool {
        isSent(object) || !core.changesToSend(of: object, toNew: true).isEmpty
    }

    /// The new objects to which an object refers by to-one relationships.
    func newTargets(of object: ManagedObject) -> [ManagedObject] {
        guard object.core === core, object.state?.phase != .deleted else { return [] }
        let entity = core.entity(of: object)
        return entity.toOnes.compactMap { index in
            let row = entity.type.relationships[index].row(of: object)
            return row < 0 ? core.registries[entity.relationships[index].destination][row] : nil
        }
    }

    /// The objects whose changes remain unsaved at the end: those that the remote has to save, and those that refer to them
    /// while they are new, or that are the other side of their relationships.
    func heldObjects() -> Set<ObjectIdentifier> {
        // Each object follows those to which it refers, so that one pass is sufficient without cycles.
        let changed = SaveOrder.parentsFirst(core.changedObjects)
        var held = Set(changed.filter(isSent).map(ObjectIdentifier.init))
        func isHeld(_ object: ManagedObject) -> Bool { held.contains(ObjectIdentifier(object)) }
        var count = -1
        while count != held.count {
            count = held.count
            for object in changed where !isHeld(object) {
                let waits =
                    newTargets(of: object).contains(where: isHeld) || object.linkedObjects.contains(where: isHeld)
                if waits { held.insert(ObjectIdentifier(object)) }
            }
        }
        return held
    }

    // MARK: One change

    /// The current changes of an object in the journal; `nil` if the remote may have all of them.
    func entry(of object: ManagedObject) -> SaveJournal.Entry? {
        let entity = core.entity(of: object)
        let change = SentChange(
            ChangeOperation(object.state?.phase), of: object, object.row, core.changesToSend(of: object, toNew: true))
        var entry = SaveJournal.Entry(change, UUID().uuidString, entity)
        if let sent = core.unknownInsertion(of: object) {
            // What was changed since is a later change.
            entry.operation = .update
            if entry.hasSameContent(as: SaveJournal.Entry(sent.value, sent.key, entity)) { return nil }
        }
        keys[ObjectIdentifier(object)] = entry.key
        return entry
    }

    /// A change in the journal when it is sent, with the current references to new objects.
    private func entry(of change: RemoteChange, _ sent: SentChange) -> SaveJournal.Entry {
        var current = sent
        if sent.object.core === core, change.operation != .delete {
            current = SentChange(
                sent.operation, of: sent.object, sent.row, core.changesToSend(of: sent.object, toNew: true))
        }
        var entry = SaveJournal.Entry(current, change.idempotencyKey, core.store.entities[sent.entity], .sent)
        entry.values = change.values
        return entry
    }

    /// Returns the key of a change in the journal, which is used once.
    func takeKey(of object: ManagedObject) -> String {
        keys.removeValue(forKey: ObjectIdentifier(object)) ?? UUID().uuidString
    }

    nonisolated(nonsending) func save(_ object: ManagedObject, _ operation: ChangeOperation) async {
        // An object that was deleted meanwhile is a deletion.
        guard object.core === core, object.state?.phase == (operation == .insert ? .inserted : .updated) else { return }
        let (id, row) = (object.managed.id, object.row)
        if operation == .update {
            guard await prepareUpdate(of: object, id) else { return }
        }
        if let parent = newTargets(of: object).first(where: { unsaved.contains(ObjectIdentifier($0)) }) {
            return end(ObjectOutcome(id, operation, .notSent, "\(core.id(of: parent)) was not saved"), object)
        }
        if operation == .insert, let problem = object.sendingProblems.first {
            return end(ObjectOutcome(id, operation, .notSent, "\(problem)"), object)
        }
        // The remote may have the first attempt: what was changed since is a later change.
        let first = operation == .insert ? core.unknownInsertion(of: object) : nil
        let changes = first?.value.changes ?? core.changesToSend(of: object)
        let sent = SentChange(operation, of: object, row, changes)
        let change: RemoteChange
        do {
            change = try await core.store.change(
                operation, of: row, core.entity(of: object), changes, id, first?.key ?? takeKey(of: object), remote)
        } catch {
            return end(ObjectOutcome(id, operation, Self.kind(ofUnsent: error), "\(error)"), object)
        }
        await save(change, sent)
    }

    /// Merges what others have committed since the last change was sent.
    ///
    /// - Returns: Whether there is a change to send.
    private nonisolated(nonsending) func prepareUpdate(of object: ManagedObject, _ id: ObjectID) async -> Bool {
        if object.hasUnsavedIdentity {
            let message =
                "the identity of a saved object cannot be changed in the remote; assign the earlier one, or delete the "
                + "object and insert a new one"
            end(ObjectOutcome(id, .update, .notSent, message), object)
            return false
        }
        do throws(StoreError) {
            let conflicts = try await core.mergeConflicts(of: [object], context.mergePolicy)
            guard conflicts.isEmpty else { throw .conflict(conflicts) }
        } catch {
            end(ObjectOutcome(id, .update, error.kind == .conflict ? .conflict : .notSent, "\(error)"), object)
            return false
        }
        return object.core === core && object.state?.phase == .updated && isSent(object)
    }

    /// The outcome of a change that could not be described.
    static func kind(ofUnsent error: any Error) -> ObjectOutcome.Kind {
        (error as? StoreError)?.kind == .missingObject ? .missing : .refused
    }

    nonisolated(nonsending) func save(_ change: RemoteChange, _ sent: SentChange) async {
        guard !isUnavailable, !Task.isCancelled else {
            return end(
                ObjectOutcome(change.object.id, change.operation, .notSent, "the save ended before"), sent.object)
        }
        let mark = core.store.commitMark()
        var outcome: ObjectOutcome
        core.sending.current = sent
        defer { core.sending.current = nil }
        do {
            // As it was sent first, if the remote may have it.
            if core.sending.unknown[change.idempotencyKey] == nil {
                let replaced = core.unknownChanges(of: sent.object).filter { $0.value.operation != .insert }
                try await journal.willSend(entry(of: change, sent), replacing: replaced.map(\.key))
            }
            remote.report(.willSave(change))
            do { outcome = await store(try await send(change), change, sent, since: mark) } catch {
                outcome = failure(error, change, sent)
            }
            remote.report(.didSave(change, outcome))
        } catch { outcome = ObjectOutcome(change.object.id, change.operation, .notSent, "\(error)") }
        end(outcome, sent.object)
    }

    func end(_ outcome: ObjectOutcome, _ object: ManagedObject) {
        outcomes.append(outcome)
        if outcome.kind != .saved { unsaved.insert(ObjectIdentifier(object)) }
    }
}
