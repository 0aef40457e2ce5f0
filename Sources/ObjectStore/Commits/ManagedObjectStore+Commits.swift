import Synchronization

/// The notes of commits for contexts.
extension ManagedObjectStore {
    /// Records a commit; called with the writer, after it ended.
    ///
    /// - Parameters:
    ///   - author: The context that saved; `nil` for other writers.
    ///   - changes: Returns what was written.
    func didCommit(by author: Int?, _ changes: () -> CommitChanges) {
        if commits.append(by: author, changes) { mergeIntoMainContext(after: author) }
    }

    /// Looks for commits of other processes, unless the writer is in use.
    func lookForOtherProcesses() {
        if url != nil { pool.useIdleWriter(noteOtherProcesses) }
    }

    /// Records commits of other connections since the last call.
    func noteOtherProcesses(_ writer: StoreConnection) {
        // A read that fails is repeated; a file that cannot be read is an error of the call that reads it.
        guard url != nil, let version = try? writer.dataVersion() else { return }
        if commits.note(version: version) { mergeIntoMainContext(after: nil) }
    }

    // MARK: The main context

    /// The merges of the main context after commits.
    final class MainMerges: Sendable {
        /// The number of the main context; 0 without one.
        let context = Atomic<Int>(0)
        /// Whether a merge was requested that has not begun.
        let isRequested = Atomic<Bool>(false)
    }

    /// Requests a merge on the main actor: one for all commits until it begins.
    private func mergeIntoMainContext(after author: Int?) {
        let context = mainMerges.context.load(ordering: .relaxed)
        guard context != 0, context != author,
            mainMerges.isRequested.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return }
        Task { @MainActor [weak self] in await self?.mergeIntoMainContext() }
    }

    @MainActor private func mergeIntoMainContext() async {
        mainMerges.isRequested.store(false, ordering: .releasing)
        guard let core = knownMainContext?.core else { return }
        // An error is thrown by the next call that merges.
        try? await core.reading { () throws(StoreError) in try core.merge() }
    }
}
