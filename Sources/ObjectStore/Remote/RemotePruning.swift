extension ManagedObjectStore {
    /// Deletes the objects of an entity that a complete answer of a remote did not have.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - loaded: The rows of the answer, and those with unsaved changes.
    ///   - mark: The moment at which the request began.
    ///   - fetch: The fetch, for events.
    func prune(
        _ entity: StoredEntity, keeping loaded: LoadedRows, since mark: CommitMark, _ pruning: Pruning,
        _ fetch: RemoteFetch, _ remote: RemoteConnection
    ) async throws {
        let report = try await prune([PruningScope(all: entity)], keeping: loaded, since: mark, pruning)
        switch report.refusal {
        case .denied(let reason)?: throw StoreError(.invalidObjects, reason)
        case .share(let count, let total)?: remote.report(.didRefusePruning(count: count, of: total))
        case let refusal?: remote.report(.didNotPrune(fetch, refusal))
        case nil where report.deleted.isEmpty: break
        case nil: remote.report(.didPrune(report.deleted, isDryRun: report.isDryRun))
        }
    }

    /// Removes the objects of queries that a complete response did not have.
    ///
    /// - Parameters:
    ///   - queries: The objects that the response has completely.
    ///   - loaded: The rows of the response.
    ///   - mark: The moment at which the request began.
    ///   - pruning: What is removed.
    /// - Throws: `StoreError`, if a query is invalid or the file cannot be written. Nothing is removed then.
    package func prune(
        _ queries: [any AnyObjectQuery], keeping loaded: LoadedRows, since mark: CommitMark, _ pruning: Pruning
    ) async throws -> PruningReport {
        let scopes = try queries.map { query in
            try PruningScope(query.definition, entity(of: query.objectType), pruning)
        }
        return try await prune(scopes, keeping: loaded, since: mark, pruning)
    }

    private func prune(
        _ scopes: [PruningScope], keeping loaded: LoadedRows, since mark: CommitMark, _ pruning: Pruning
    ) async throws -> PruningReport {
        lookForOtherProcesses()
        let unsaved = await unsavedRowsOfMainContext()
        return try await perform { context in
            try PruningRun(context, loaded, mark, pruning, unsaved: unsaved).run(scopes)
        }
    }

    /// The rows with unsaved changes in the main context, by entity.
    private func unsavedRowsOfMainContext() async -> [Int: Set<Int64>] {
        guard main.isUsed else { return [:] }
        return await unsavedRowsOfKnownMainContext()
    }

    @MainActor private func unsavedRowsOfKnownMainContext() -> [Int: Set<Int64>] {
        guard let core = main.known?.core else { return [:] }
        core.reconcile()
        return Dictionary(grouping: core.changedObjects, by: { Int($0.entityIndex) }).mapValues {
            Set($0.map(\.row))
        }
    }
}
