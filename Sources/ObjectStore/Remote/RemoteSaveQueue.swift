/// The saves of a context through its remote, one after the other.
///
/// It belongs to the isolation of the context.
final class RemoteSaveQueue {
    private var isRunning = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits until no other save runs.
    nonisolated(nonsending) func begin() async {
        guard isRunning else { return isRunning = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { isRunning = false } else { waiting.removeFirst().resume() }
    }
}

extension ContextCore {
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
