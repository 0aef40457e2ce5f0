import Synchronization

/// The saves of a context through its remote, one after the other.
final class RemoteSaveQueue: Sendable {
    private struct State {
        var isRunning = false
        var lastNumber = 0
        /// The last call of the remote, which goes on after the save was cancelled.
        var call: SharedTask<RemoteOutcome>?
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())

    /// Records a call of the remote: the next save waits for its end, because a later change could arrive before it.
    func note(_ call: SharedTask<RemoteOutcome>) { state.withLock { $0.call = call } }

    /// Waits until no other save runs, nor a call of a cancelled one.
    ///
    /// - Returns: Whether the save can begin; `false` if its task was cancelled while it waited.
    nonisolated(nonsending) func begin() async -> Bool {
        guard await beginNext() else { return false }
        guard let call = state.withLock({ $0.call }), !call.hasEnded else { return true }
        _ = try? await call.value
        guard !call.hasEnded else { return true }
        end()
        return false
    }

    /// Waits until no other save runs.
    ///
    /// - Returns: Whether the save can begin; `false` if its task was cancelled while it waited.
    private nonisolated(nonsending) func beginNext() async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let canBegin = state.withLock { state -> Bool? in
                    guard state.isRunning else {
                        state.isRunning = true
                        return true
                    }
                    if Task.isCancelled { return false }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let canBegin { continuation.resume(returning: canBegin) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            cancelled?.resume(returning: false)
        }
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.isRunning = false
            return nil
        }
        next?.resume(returning: true)
    }
}

extension ContextCore {
    /// Waits until no other save through the remote runs.
    ///
    /// - Throws: `StoreError` of kind `notSaved` if the task is cancelled meanwhile.
    nonisolated(nonsending) func beginRemoteSave(_ remote: RemoteConnection) async throws(StoreError) {
        guard await !sending.saves.begin() else { return }
        reconcile()
        let outcomes = changedObjects.filter { remote.has(entity(of: $0).name) }.map { object in
            ObjectOutcome(id(of: object), ChangeOperation(object.state?.phase), .notSent)
        }
        throw StoreError(
            .notSaved, "the save was cancelled while it waited for another one; nothing was sent", advice: "save again",
            outcomes: outcomes)
    }

    /// Throws an error if a save that does not wait would miss the remote.
    func checkLocalSave() throws(StoreError) {
        guard let remote = store.remote else { return }
        reconcile()
        guard let object = changedObjects.first(where: { remote.has(entity(of: $0).name) }) else { return }
        throw StoreError(
            .misuse,
            "the changes of \(id(of: object)) are saved by the remote first, which a synchronous save cannot wait for",
            advice: "use try await context.save()", entity: entity(of: object).name)
    }
}

extension ChangeOperation {
    /// The change of an object in a phase.
    init(_ phase: ObjectState.Phase?) {
        self =
            switch phase {
            case .inserted: .insert
            case .deleted: .delete
            default: .update
            }
    }
}
