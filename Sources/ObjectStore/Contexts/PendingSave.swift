import Dispatch
import Synchronization

/// A save that another thread writes while the context is used.
final class PendingSave: Sendable {
    private let changes: ChangeSet
    private let outcome = Mutex<Result<SaveOutcome, StoreError>?>(nil)
    private let group = DispatchGroup()

    init(_ changes: ChangeSet) { self.changes = changes }

    /// Writes on a queue.
    ///
    /// - Parameter author: The number of the context.
    func start(
        in store: ManagedObjectStore, _ policy: MergePolicy, _ registries: [ObjectRegistry], author: Int
    ) {
        run(on: store.savingQueue) { [changes] () throws(StoreError) in
            try store.write(waits: true) { (connection) throws(StoreError) in
                try SaveWriter(store, connection, policy, registries, author: author).write(changes)
            }
        }
    }

    /// Calls a closure that writes on a queue.
    func run(on queue: DispatchQueue, _ write: @escaping @Sendable () throws(StoreError) -> SaveOutcome) {
        group.enter()
        queue.async { [self] in
            let result = Result { () throws(StoreError) in try write() }
            outcome.withLock { $0 = result }
            group.leave()
        }
    }

    /// Suspends until the end.
    nonisolated(nonsending) func end() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// The result, when it is available.
    func wait() -> Result<SaveOutcome, StoreError> {
        group.wait()
        return outcome.withLock { $0 } ?? .failure(.closed)
    }
}

/// The saves of a context, and what they have to consider in addition to the changed objects.
struct SaveState {
    /// A save in progress, and its objects.
    struct InFlight {
        let save: PendingSave
        let objects: [ManagedObject]
        /// The object that is saved by a copy; `nil` for the changes of the context.
        var sent: SentObject?
    }

    /// The number of saves that were prepared.
    var number = 0
    /// The save that the current one continues: hooks that it has called are not called again.
    var continued: Int?
    /// The save that another thread is writing.
    var inFlight: InFlight?
    /// Objects that were changed after they were validated, until they are validated again or saved.
    var lateObjects: [ManagedObject] = []
    /// The rows of the lists that a save of one object writes; `nil` for other saves.
    var listsAlone: [ListID: [Int64]]?
    /// The reasons why nothing can be saved.
    var problems: [StoreError] = []

    mutating func takeLateObjects() -> [ManagedObject] {
        defer { lateObjects = [] }
        return lateObjects
    }
}

/// What a context knows of the server of its objects.
struct SendState {
    /// Whether a save marks what it writes until a server accepts it, in a store that keeps these marks.
    var marksUnsent = true
    /// Whether the context saves a response.
    var isReply = false
    /// Whether the context saves copies of objects whose hooks were called.
    var savesCopy = false
    /// What a server has accepted with the response that the context saves.
    var accepted: [ChangeSet.Accepted] = []
    /// The relationships of sent objects that the request did not have, and the response has, or has with other targets.
    var (confirmed, contradicted): ([ManagedObject: Set<PropertyIndex>], [ManagedObject: Set<PropertyIndex>]) = (
        [:], [:]
    )
    /// The response whose objects the context saves, `nil` if later requests are not conditional; and the entities of rows
    /// that overlapping requests have loaded, whose recorded responses are forgotten.
    var responses: (loaded: ChangeSet.Loaded?, forgotten: Set<Int>) = (nil, [])
    /// Writes something else in the transaction of the next save.
    var companion: ChangeSet.Companion?
    /// The saves through a remote, one after the other.
    private(set) lazy var saves = RemoteSaveQueue()
    /// The saves in the journal whose changes the context has: interrupted ones that were made again, and failed ones.
    var restoredSaves: [String] = []
    /// The outcomes of changes of interrupted saves whose objects no longer exist, for the next save.
    var missing: [ObjectOutcome] = []
    /// The change that is being sent to a remote.
    var current: SentChange?
    /// The changes that a remote may have, by their keys in the journal.
    var unknown: [String: SentChange] = [:]
    /// The objects that were sent with another one.
    var children = SentChildren()
    /// The requests with changes of objects.
    var pending: [PendingSend] = []
    /// The values of an object that its server has, while they are written.
    var valuesOfServer: (object: ManagedObject, values: UnsentValues)?
}

extension ContextCore {
    /// - Parameters:
    ///   - earlier: The save that this one continues, whose hooks were called. Defaults to `nil`, for a new one.
    ///   - isKept: Whether the changes of an object remain unsaved. Defaults to `nil`, for all objects.
    ///   - isStrict: Whether new rows cannot exist, and deleted ones must exist. Defaults to `false`.
    nonisolated(nonsending) func save(
        _ policy: MergePolicy, continuing earlier: Int? = nil, keeping isKept: ((ManagedObject) -> Bool)? = nil,
        isStrict: Bool = false
    ) async throws(StoreError) {
        await waitForSave()
        try hooks.check("save()")
        reconcile()
        // The transaction looks for other processes; a save without changes has none.
        try await reading(isLooking: !hasUnsavedObjects) { () throws(StoreError) in
            reconcile()
            try merge()
        }
        var prepared: PendingSave?
        try prepareSave(merges: false, continuing: earlier, keeping: isKept, isStrict: isStrict) {
            (changes, objects) throws(StoreError) in
            let save = PendingSave(changes)
            prepared = save
            saves.inFlight = SaveState.InFlight(save: save, objects: objects)
            save.start(in: store, policy, registries, author: number)
        }
        guard let save = prepared else { return }
        await save.end()
        if saves.inFlight?.save === save { finishSaveInFlight() }
        _ = try save.wait().get()
        // Written in any case: an error is thrown by the next call that merges.
        if hasNewsOfOthers { try? await reading { () throws(StoreError) in try merge() } }
    }

    /// Suspends until a save in progress has ended, and updates its objects.
    nonisolated(nonsending) func waitForSave() async {
        while let save = saves.inFlight?.save {
            await save.end()
            if saves.inFlight?.save === save { finishSaveInFlight() }
        }
    }

    /// Waits until a save in progress has ended, and updates its objects.
    ///
    /// Called before all operations that depend on existing rows.
    func finishSaveInFlight() {
        guard let inFlight = saves.inFlight else { return }
        saves.inFlight = nil
        switch inFlight.save.wait() {
        case .success(let outcome):
            if let sent = inFlight.sent { didSave(sent, outcome) } else { didWrite(outcome, inFlight.objects) }
        // An error is thrown by the call that saves; the changes remain.
        case .failure: didNotSave(inFlight.objects)
        }
    }
}

extension ObjectContext {
    /// Writes all changes in one transaction: all of them or none.
    ///
    /// New objects are validated and inserted, or take over the existing row with their identity.
    ///
    /// - Throws: `StoreError`: of kind `invalidObjects` with all problems of all objects, `identityTaken` if two
    ///   objects have the same identity, `conflict` if others changed the same attributes (see ``mergePolicy``), `busy`
    ///   if others write for longer than the timeout. The changes remain, so that the save can be repeated.
    public func save() throws(StoreError) {
        try core.checkLocalSave()
        try core.save(mergePolicy)
    }

    /// Writes all changes in one transaction on another thread: all of them or none.
    ///
    /// Waits as long as others in the process write. The objects can be used meanwhile: attributes that are assigned
    /// before the call returns belong to the next save, and calls that read the store or change relationships wait for
    /// this one.
    ///
    /// In a store with a remote, each change of its objects is saved by the remote first, and written in a separate
    /// transaction with the answer; changes that only the file has are written at the end. What the remote refuses stays
    /// changed. See <doc:IncrementalStores>.
    ///
    /// - Throws: The errors of the synchronous save; `notSaved` with all outcomes if a remote did not save all changes; `busy` only if another process writes for longer than the timeout.
    nonisolated(nonsending) public func save() async throws(StoreError) {
        guard let remote = core.store.remote else { return try await core.save(mergePolicy) }
        try await core.beginRemoteSave(remote)
        defer { core.sending.saves.end() }
        try await RemoteSave(self, remote).run()
    }
}
