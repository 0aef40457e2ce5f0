extension ObjectManager {
    // MARK: Batches

    /// Loads several paths concurrently.
    ///
    /// Each load is saved in a separate transaction: a failure of one does not affect the others. The ``queue`` limits the
    /// number of concurrent requests.
    ///
    /// - Parameters:
    ///   - paths: The paths, relative to the base URL of the client.
    ///   - query: The query of each. Defaults to none.
    ///   - headers: Header fields of each request. Defaults to none.
    ///   - limit: The number of loads of this batch that run concurrently; at least 1. Defaults to no limit except that of the
    ///     queue.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    ///   - onProgress: Called after each load with the number of completed loads and their total. Defaults to none.
    /// - Returns: The result or the failure of each path. If the task is cancelled, the loads that have not ended fail.
    public nonisolated(nonsending) func loadAll(
        _ paths: [String], query: FormValue = [:], headers: HTTPHeaders = [:], limit: Int = .max,
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail,
        onProgress: (_ completed: Int, _ total: Int) -> Void = { _, _ in }
    ) async -> LoadBatch {
        typealias Outcome = Result<LoadResult, LoadBatch.Failure>
        let load: @Sendable (Int) async -> (index: Int, outcome: Outcome) = { index in
            do {
                let result = try await self.load(
                    paths[index], query: query, headers: headers, owner: owner, policy: policy)
                return (index, .success(result))
            } catch { return (index, .failure(LoadBatch.Failure(path: paths[index], error: error))) }
        }
        var outcomes: [Outcome?] = Array(repeating: nil, count: paths.count)
        await withTaskGroup(of: (index: Int, outcome: Outcome).self) { group in
            var next = min(max(1, limit), paths.count)
            for index in 0..<next { group.addTask { await load(index) } }
            var completed = 0
            for await (index, outcome) in group {
                outcomes[index] = outcome
                completed += 1
                onProgress(completed, paths.count)
                guard next < paths.count else { continue }
                group.addTask { [next] in await load(next) }
                next += 1
            }
        }
        return LoadBatch(outcomes: outcomes.compactMap { $0 })
    }

    /// Loads a relationship of several objects concurrently, by its route.
    ///
    /// The paths are created before the first request is sent. The loaded objects are merged into the contexts of the owners.
    ///
    /// - Parameters:
    ///   - objects: The owners.
    ///   - relationship: The property of the owners.
    ///   - query: The query of each. Defaults to none.
    ///   - headers: Header fields of each request. Defaults to none.
    ///   - limit: The number of loads of this batch that run concurrently; at least 1. Defaults to no limit except that of the
    ///     queue.
    ///   - owner: A value by which the requests can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    ///   - onProgress: Called after each load with the number of completed loads and their total. Defaults to none.
    /// - Returns: The result or the failure of each object.
    /// - Throws: ``RouteError`` if there is no route or a value is missing, before a request is sent; `StoreError` if a context
    ///   cannot be merged.
    public nonisolated(nonsending) func loadAll<Object, Target>(
        _ objects: [Object], _ relationship: any KeyPath<Object, Target> & Sendable, query: FormValue = [:],
        headers: HTTPHeaders = [:], limit: Int = .max, owner: (any Hashable & Sendable)? = nil,
        policy: MappingReport.Policy = .fail,
        onProgress: (_ completed: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> LoadBatch {
        let paths = try objects.map { try router.path(for: $0, relationship: relationship) }
        let batch = await loadAll(
            paths, query: query, headers: headers, limit: limit, owner: owner, policy: policy, onProgress: onProgress)
        var merged: [ObjectContext] = []
        for object in objects {
            guard let context = (object as? ManagedObject)?.managed.context, !merged.contains(where: { $0 === context })
            else { continue }
            try await context.merge()
            merged.append(context)
        }
        return batch
    }
}
