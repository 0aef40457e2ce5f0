import ObjectMapping

/// The changes that the remote may have.
extension RemoteSave {
    /// The changes that the remote may have, in the journal.
    var unknownEntries: [SaveJournal.Entry] {
        core.sending.unknown.map { SaveJournal.Entry($0.value, $0.key, core.store.entities[$0.value.entity], .sent) }
    }

    /// Sends a change; looks for an insertion first if an earlier attempt has no outcome.
    nonisolated(nonsending) func send(_ change: RemoteChange) async throws -> RemoteOutcome {
        let remote = remote
        let isUnknown = core.sending.unknown[change.idempotencyKey] != nil
        if isUnknown, !remote.metadata.acceptsIdempotencyKeys {
            switch try await find(change) {
            case .found(let objects): return .saved(objects)
            case .notFound: core.sending.unknown[change.idempotencyKey] = nil
            case .unknown:
                throw RemoteError(
                    .noAnswer,
                    "an earlier insertion may have arrived, and the remote cannot look for it; use allowsSendingAgain(_:) "
                        + "after you have made sure that it did not")
            }
        }
        let call = SharedTask<RemoteOutcome>()
        call.start { try await remote.remote.save(change) }
        core.sending.saves.note(call)
        return try await call.value
    }

    private nonisolated(nonsending) func find(_ change: RemoteChange) async throws -> RemoteLookup {
        let remote = remote
        return try await SharedTask.value { try await remote.remote.find(change) }
    }

    /// Looks for new objects that the remote may have, and that the context gave up: what it does not have is forgotten, and
    /// what it has is written to the file, and deleted if the object was deleted here.
    ///
    /// Others remain in the journal, where a program finds them as interrupted saves.
    nonisolated(nonsending) func settle(_ abandoned: [String: SentChange]) async throws(StoreError) {
        for (key, unknown) in abandoned where unknown.operation == .insert && !Task.isCancelled {
            let entity = core.store.entities[unknown.entity]
            let id = ObjectID(entity: entity.name, row: unknown.row, store: core.store.identity)
            let mark = core.store.commitMark()
            guard
                let change = try? await core.store.change(
                    .insert, of: unknown.row, entity, unknown.changes, id, key, remote),
                let lookup = try? await find(change)
            else { continue }
            switch lookup {
            case .unknown: continue
            case .notFound: try await journal.remove([key])
            case .found(let answer):
                let object: ManagedObject?
                do { object = try await saveAbandoned(unknown, entity, answer, since: mark) } catch { continue }
                try await journal.remove([key])
                guard let object, unknown.object.state?.phase == .deleted else { continue }
                context.delete(object)
                members[ObjectIdentifier(object)] = object
                deleted.insert(ObjectIdentifier(object))
            }
        }
    }

    /// The keys of changes of the object in the journal that earlier saves have left there.
    func earlierKeys(of sent: SentChange) -> [String] {
        earlierKeys[SaveJournal.Row(entity: core.store.entities[sent.entity].name, row: sent.row)] ?? []
    }

    /// Records that the remote has a change, or may have it: it replaces the properties of earlier ones.
    func note(_ change: RemoteChange, _ sent: SentChange, isUnknown: Bool) {
        for (key, earlier) in core.unknownChanges(of: sent.object) where key != change.idempotencyKey {
            core.sending.unknown[key] = earlier.replaced(by: sent)
        }
        core.sending.unknown[change.idempotencyKey] = isUnknown ? sent : nil
    }

    func failure(_ error: any Error, _ change: RemoteChange, _ sent: SentChange) -> ObjectOutcome {
        var kind: ObjectOutcome.Kind
        switch (error as? RemoteError)?.kind {
        case .unavailable: (kind, isUnavailable) = (.unavailable, true)
        case .refused, .unsupported: kind = .refused
        case .noAnswer, .invalidResult, nil: kind = .unknown
        }
        if kind == .unknown {
            note(change, sent, isUnknown: true)
        } else {
            kind = self.kind(ofRefused: change.idempotencyKey, kind)
        }
        return ObjectOutcome(change.object.id, change.operation, kind, "\(error)")
    }

    /// Returns the outcome of a change that was refused or did not arrive, and records that the remote does not have it.
    ///
    /// - Returns: `unknown` for a refusal if the remote may have an earlier attempt, which stays recorded with its key.
    func kind(ofRefused key: String, _ kind: ObjectOutcome.Kind) -> ObjectOutcome.Kind {
        guard core.sending.unknown[key] != nil else {
            refusedKeys.append(key)
            return kind
        }
        return kind == .unavailable ? kind : .unknown
    }
}
