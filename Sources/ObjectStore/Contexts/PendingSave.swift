import Dispatch
import Synchronization

/// A save that another thread writes while the context is used.
final class PendingSave: Sendable {
    private let batch: SaveBatch
    private let outcome = Mutex<Result<SaveBatch.Outcome, StoreError>?>(nil)
    private let group = DispatchGroup()

    init(_ batch: SaveBatch) { self.batch = batch }

    /// Writes on a queue.
    ///
    /// - Parameter completion: Called on the queue at the end.
    func start(
        in store: ManagedObjectStore, _ policy: MergePolicy, _ registries: [ObjectRegistry],
        completion: @escaping @Sendable () -> Void
    ) {
        group.enter()
        store.savingQueue.async { [self] in
            let result = Result { () throws(StoreError) in
                try store.write(waits: true) { (connection) throws(StoreError) in
                    try SaveWriter(store, connection, policy, registries).write(batch)
                }
            }
            outcome.withLock { $0 = result }
            group.leave()
            completion()
        }
    }

    /// Suspends until the end.
    nonisolated(nonsending) func end() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// The result, when it is available.
    func wait() -> Result<SaveBatch.Outcome, StoreError> {
        group.wait()
        return outcome.withLock { $0 } ?? .failure(.closed)
    }
}

extension ContextCore {
    /// A save in progress, its objects, and their values.
    struct SaveInFlight {
        let save: PendingSave
        let objects: [(object: ManagedObject, values: [StoredValue?])]
    }

    nonisolated(nonsending) func save(_ policy: MergePolicy) async throws(StoreError) {
        await waitForSave()
        releaseRecentTargets()
        guard let (batch, objects) = try prepareSave() else { return }
        let save = PendingSave(batch)
        saveInFlight = SaveInFlight(save: save, objects: objects.map { ($0, values(of: $0)) })
        await withCheckedContinuation { continuation in
            save.start(in: store, policy, registries) { continuation.resume() }
        }
        if saveInFlight?.save === save { finishSaveInFlight() }
        _ = try save.wait().get()
    }

    /// Suspends until a save in progress has ended, and updates its objects.
    nonisolated(nonsending) func waitForSave() async {
        while let save = saveInFlight?.save {
            await save.end()
            if saveInFlight?.save === save { finishSaveInFlight() }
        }
    }

    /// Waits until a save in progress has ended, and updates its objects.
    ///
    /// Called before all operations that depend on existing rows.
    func finishSaveInFlight() {
        guard let inFlight = saveInFlight else { return }
        saveInFlight = nil
        // An error is thrown by the call that saves; the changes remain.
        guard case .success(let outcome) = inFlight.save.wait() else { return }
        let saved = Set(inFlight.objects.map { ObjectIdentifier($0.object) })
        keepChanges { !saved.contains(ObjectIdentifier($0)) }
        finishSave(outcome, inFlight.objects.map(\.object))
        for (object, values) in inFlight.objects where object.core === self { noteChanges(of: object, since: values) }
    }

    private func values(of object: ManagedObject) -> [StoredValue?] {
        entity(of: object).type.attributes.map { $0.storedValue(of: object) }
    }

    /// Marks attributes that were assigned while the object was written as changed.
    private func noteChanges(of object: ManagedObject, since values: [StoredValue?]) {
        guard object.state?.phase ?? .clean == .clean, !object.access.contains(.fault) else { return }
        for (index, attribute) in entity(of: object).type.attributes.enumerated() where !attribute.isTransient {
            guard let base = values[index], attribute.storedValue(of: object) != base else { continue }
            let state = willChange(object)
            _ = state.assign(attribute.offset)
            state.bases.append(ObjectState.Base(attribute: index, value: base))
        }
    }
}

extension ObjectContext {
    /// Writes all changes in one transaction on another thread: all of them or none.
    ///
    /// Waits as long as others in the process write. The objects can be used meanwhile: attributes that are assigned
    /// before the call returns belong to the next save, and calls that read the store or change relationships wait for
    /// this one.
    ///
    /// - Throws: The errors of the synchronous save; `busy` only if another process writes for longer than the timeout.
    nonisolated(nonsending) public func save() async throws(StoreError) { try await core.save(mergePolicy) }
}
