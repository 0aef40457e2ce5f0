/// The notes of commits for contexts.
extension ManagedObjectStore {
    /// Records a commit; called with the writer, after it ended.
    ///
    /// - Parameters:
    ///   - author: The context that saved; `nil` for other writers.
    ///   - changes: Returns what was written.
    func didCommit(by author: Int?, _ changes: () -> CommitChanges) {
        if commits.append(by: author, changes) { notifyContexts(after: author) }
    }

    var isAwaitingResponses: Bool { commits.hasMarks }

    /// Returns the current moment.
    package func commitMark() -> CommitMark { CommitMark(commits) }

    /// Looks for commits of other processes, unless the writer is in use.
    func lookForOtherProcesses() {
        if url != nil { pool.useIdleWriter(noteOtherProcesses) }
    }

    /// Records commits of other connections since the last call.
    func noteOtherProcesses(_ writer: StoreConnection) {
        // A read that fails is repeated; a file that cannot be read is an error of the call that reads it.
        guard url != nil, let version = try? writer.dataVersion() else { return }
        do throws(StoreError) { try writer.checkModel(version: version) } catch {
            if error.kind == .modelMismatch { pool.fail(error) }
        }
        if commits.note(version: version) { notifyContexts(after: nil) }
    }

    private func notifyContexts(after author: Int?) {
        signal.send()
        mergeIntoMainContext(after: author)
    }

    // MARK: The main context

    /// Requests a merge on the main actor.
    private func mergeIntoMainContext(after author: Int?) {
        guard main.startsMerge(after: author) else { return }
        Task { @MainActor [weak self] in await self?.mergeIntoMainContext() }
    }

    /// Merges commits until there are no further ones, so that only one merge runs at a time.
    @MainActor private func mergeIntoMainContext() async {
        var last: Int
        repeat {
            last = commits.lastNumber
            guard let core = main.known?.core else { break }
            // An error is thrown by the next call that merges.
            try? await core.reading { () throws(StoreError) in
                core.reconcile()
                try core.merge()
            }
        } while commits.lastNumber != last
        main.didMerge()
        // A commit in between has requested nothing.
        if commits.lastNumber != last { mergeIntoMainContext(after: nil) }
    }
}
