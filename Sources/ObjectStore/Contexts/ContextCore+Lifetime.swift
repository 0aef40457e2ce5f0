import Dispatch

/// The end of a context: nothing that it retained remains in memory.
extension ContextCore {
    /// Ends the context in the isolation that may still use its objects.
    ///
    /// The last reference can be released on any thread. Objects of other contexts are in the same region as the
    /// context, so that no other thread uses them; those of the main context may be in use on the main actor.
    func endInIsolation() {
        guard isObserved, !MainQueue.isCurrent else { return end() }
        let core = Carried(core: self)
        Task { @MainActor in core.core.end() }
    }

    private struct Carried: @unchecked Sendable {  // guarded by the main actor, which ends the context
        let core: ContextCore
    }

    private func end() {
        reportUnsavedChanges()
        SaveJournal.release(sending.restoredSaves)
        sending.unknown = [:]
        changing {
            forgetChanges()
            (saves.inFlight, saves.lateObjects) = (nil, [])
            for (registry, lists) in zip(registries, store.cyclicLists) where !lists.isEmpty {
                for object in registry.objects { releaseCyclicLists(of: object) }
            }
        }
    }

    /// Releases the lists by which objects can retain each other; an object that the program retains keeps its others.
    private func releaseCyclicLists(of object: ManagedObject) {
        for index in store.cyclicLists[Int(object.entityIndex)] { setList(nil, index, of: object) }
    }

    /// Updates an object whose list was changed after the context ended.
    func didChangeList(of object: ManagedObject) {
        reconcile()
        forgetChanges()
        releaseCyclicLists(of: object)
    }

    /// Logs the number of changes that are lost, by entity and without values.
    func reportUnsavedChanges() {
        guard LogMessage.isEnabled(.warning) else { return }
        var counts = store.entities.map { _ in (new: 0, changed: 0, deleted: 0) }
        for object in dirty.objects where object.core === self {
            guard let state = object.state else { continue }
            switch state.phase {
            case .inserted: counts[Int(object.entityIndex)].new += 1
            case .updated where isChanged(object, state): counts[Int(object.entityIndex)].changed += 1
            case .deleted: counts[Int(object.entityIndex)].deleted += 1
            case .updated, .clean, .detached: continue
            }
        }
        let texts = zip(store.entities, counts).compactMap { entity, counts in
            let parts = [(counts.new, "new"), (counts.changed, "changed"), (counts.deleted, "deleted")]
                .filter { $0.0 > 0 }.map { "\($0) \($1)" }
            return parts.isEmpty ? nil : "\(entity.name) (\(parts.joined(separator: ", ")))"
        }
        guard !texts.isEmpty else { return }
        LogMessage.log(
            .objectStore, .warning,
            "a context ended with unsaved changes, which are lost: \(texts.joined(separator: ", "))")
    }

    /// Whether the values or relationships of a changed object differ from the saved ones.
    func isChanged(_ object: ManagedObject, _ state: ObjectState) -> Bool {
        let type = entity(of: object).type
        return state.bases.contains { type.attributes[$0.attribute].storedValue(of: object) ?? .null != $0.value }
            || state.linkBases.contains { type.relationships[$0.relationship].row(of: object) != $0.row }
            || !state.unsentTargets.isEmpty
            || state.listBases.contains { index, rows in list(index, of: object).map { $0.map(\.row) != rows } ?? false
            }
            || dirty.lists.pending.contains { pending in
                pending.object === object
                    && !(list(pending.relationship, of: object) ?? []).elementsEqual(pending.before, by: ===)
            }
    }
}

extension ManagedObject {
    /// Logs, once for each object, that a change will not be saved: its context ended, or the object left it.
    ///
    /// Separate, because most objects without a context are not inserted yet.
    @inline(never) final func logLostChange() {
        guard core != nil || entityIndex == Self.formerEntity, let state, !state.hasLoggedChange else { return }
        state.hasLoggedChange = true
        let entity = managedClass?.name ?? Self.entityName
        LogMessage.log(
            .objectStore, .warning,
            core != nil
                ? "a change to an object of '\(entity)' is not saved: its context has ended; keep the context"
                : state.phase == .deleted
                    ? "a change to a deleted object of '\(entity)' is not saved"
                    : "a change to an object of '\(entity)' is not saved: it left its context by a rollback or reset; fetch "
                        + "the object again, or insert it")
    }
}

/// Whether the current thread runs the main queue, on which the main actor runs.
private enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let isMarked: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static var isCurrent: Bool {
        _ = isMarked
        return DispatchQueue.getSpecific(key: key) ?? false
    }
}

extension [StoredEntity] {
    /// The to-many relationships, for each entity, whose objects can refer to the owner by lists: they retain each other.
    var cyclicLists: [[Int]] {
        let lists = map { entity in
            entity.relationships.indices.filter { entity.relationships[$0].isToMany }
        }
        func isReachable(_ target: Int, from start: Int) -> Bool {
            var (known, pending) = (Set([start]), [start])
            while let next = pending.popLast() {
                if next == target { return true }
                for index in lists[next] {
                    let destination = self[next].relationships[index].destination
                    if known.insert(destination).inserted { pending.append(destination) }
                }
            }
            return false
        }
        return map { entity in
            lists[entity.index].filter { index in
                isReachable(entity.index, from: entity.relationships[index].destination)
            }
        }
    }
}
