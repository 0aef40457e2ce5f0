/// A change of many rows.
struct BulkChange<Written: Sendable> {
    /// Writes in a transaction, on any thread.
    fileprivate let write: @Sendable (StoreConnection, ManagedObjectStore) throws(StoreError) -> Written
    /// Updates the objects of the context, and returns the number of objects.
    fileprivate let finish: (Written) -> Int

    /// - Parameters:
    ///   - isTransaction: Whether `write` makes the transaction itself. Defaults to `false`.
    ///   - author: The context, if `finish` updates its objects. Defaults to `nil`: it merges the commit.
    ///   - commit: Returns what was written.
    init(
        isTransaction: Bool = false, author: Int? = nil,
        write: @escaping @Sendable (StoreConnection) throws(StoreError) -> Written,
        commit: @escaping @Sendable (Written) -> CommitChanges, finish: @escaping (Written) -> Int
    ) {
        self.write = { (connection, store) throws(StoreError) in
            let written =
                isTransaction
                ? try write(connection)
                : try connection.transaction { () throws(StoreError) in
                    let written = try write(connection)
                    try connection.expireResponses(in: store) { commit(written) }
                    return written
                }
            store.didCommit(by: author) { commit(written) }
            return written
        }
        self.finish = finish
    }
}

extension ContextCore {
    func run<Written>(_ change: BulkChange<Written>) throws(StoreError) -> Int {
        var count = 0
        try prepareFetch()
        try store.write { (connection) throws(StoreError) in
            try change.write(connection, store)
        } finish: { written in
            reads.didRead()
            count = changing { change.finish(written) }
        }
        // Written in any case: an error is thrown by the next call that merges.
        try? merge()
        return count
    }

    /// Writes on another thread, when no other thread of the process writes.
    nonisolated(nonsending) func run<Written>(_ change: BulkChange<Written>) async throws(StoreError) -> Int {
        try await reading(isLooking: true) { () throws(StoreError) in try prepareFetch() }
        let (store, write) = (store, change.write)
        let written = await store.writing { (connection) throws(StoreError) in try write(connection, store) }
        await waitForSave()
        reads.didRead()
        let result = try written.get()
        let count = changing { change.finish(result) }
        // Written in any case: an error is thrown by the next call that merges.
        try? await reading { () throws(StoreError) in try merge() }
        return count
    }
}
