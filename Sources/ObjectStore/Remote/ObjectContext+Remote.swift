/// Fetches through the remote of a store.
///
/// SQL and requests run on other threads; the actor of the context is not blocked.
extension ObjectContext {
    /// Returns the objects of a query, from the file or the remote of the store.
    ///
    /// ```swift
    /// let people = try await context.fetch(Person.all, policy: .remote)
    /// ```
    ///
    /// Objects of the remote are imported into the file first, where the query is evaluated again; like every `fetch`, the
    /// result includes the unsaved changes of the context. Identical fetches under way are one request.
    ///
    /// - Parameters:
    ///   - query: The objects.
    ///   - policy: Where the objects are found.
    /// - Throws: `StoreError`, of kind `misuse` for a store without a remote; the errors of the remote, usually a
    ///   ``RemoteError``; `CancellationError` as soon as the task is cancelled.
    nonisolated(nonsending) public func fetch<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [Object] {
        let answer = try await load(query, policy, .objects)
        defer { answer.later?() }
        let objects = try await fetch(answer.query)
        guard let order = answer.order else { return objects }
        return objects.sorted { order[$0.row] ?? 0 < order[$1.row] ?? 0 }
    }

    /// Returns the number of objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func count<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> Int {
        let answer = try await load(query, policy, .count)
        defer { answer.later?() }
        return try await count(answer.query)
    }

    /// Returns the IDs of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func ids<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [ObjectID] {
        let answer = try await load(query, policy, .ids)
        defer { answer.later?() }
        let ids = try await ids(answer.query)
        guard let order = answer.order else { return ids }
        return ids.sorted { order[$0.row] ?? 0 < order[$1.row] ?? 0 }
    }

    /// Returns the attribute values of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func snapshots<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [Snapshot<Object>] {
        let answer = try await load(query, policy, .snapshots)
        defer { answer.later?() }
        let snapshots = try await snapshots(answer.query)
        guard let order = answer.order else { return snapshots }
        return snapshots.sorted { order[$0.id.row] ?? 0 < order[$1.id.row] ?? 0 }
    }

    /// Imports the objects of a query if the policy asks for it.
    ///
    /// - Returns: The query for the file, the order of its rows if the answer decides it, and what starts a request later.
    private nonisolated(nonsending) func load<Object>(
        _ query: ObjectQuery<Object>, _ policy: FetchPolicy, _ kind: RemoteFetch.ResultKind
    ) async throws -> (query: ObjectQuery<Object>, order: [Int64: Int]?, later: (() -> Void)?) {
        guard policy.source != .local else { return (query, nil, nil) }
        let remote = try core.store.connectedRemote
        let entity = try core.store.entity(of: Object.self)
        guard remote.has(entity.name) else { return (query, nil, nil) }
        let fetch = try RemoteFetch(query.definition, entity, in: core.store.entities, kind)
        let key = fetch.ofObjects
        if let age = policy.maximumAge, let known = remote.answer(key, upTo: age) {
            let (query, order) = query.restricted(to: known.range)
            return (query, order, nil)
        }
        let store = core.store
        func request() -> SharedTask<RemoteConnection.FetchedRows> {
            remote.flight(key) { try await store.load(fetch, from: remote) }
        }
        guard policy.source != .localThenRemote else {
            return (
                query, nil,
                {
                    let flight = request(); Task.detached { _ = try? await flight.value }
                }
            )
        }
        do {
            let answer = try await request().value
            if let complete = answer.complete, policy.pruning.mode != .none {
                core.reconcile()
                let changed = core.changedObjects.filter { Int($0.entityIndex) == entity.index }.map(\.row)
                try await store.prune(
                    entity, keeping: complete.rows.union(changed), since: complete.mark, policy.pruning, remote)
            }
            try await merge()
            let (query, order) = query.restricted(to: answer.range)
            return (query, order, nil)
        } catch let error as RemoteError
            where policy.source == .remoteElseLocal && (error.kind == .unavailable || error.kind == .noAnswer)
        {
            return (query, nil, nil)
        }
    }
}

extension RemoteFetch {
    /// The same fetch for objects: one request serves all kinds of results.
    fileprivate var ofObjects: RemoteFetch {
        RemoteFetch(
            entity: entity, condition: condition, order: order, limit: limit, offset: offset, resultKind: .objects)
    }
}

extension ObjectQuery {
    /// Returns the query for the rows of an answer, without limit and offset, and their order if the query has none.
    ///
    /// - Parameter ids: The objects of the answer; `nil` for the query itself.
    fileprivate func restricted(to ids: [ObjectID]?) -> (query: ObjectQuery, order: [Int64: Int]?) {
        guard let ids else { return (self, nil) }
        var copy = self
        copy.definition.condition = QueryNode(.every, [definition.condition, QueryNode(.objects(QueryPath(), ids))])
        (copy.definition.limit, copy.definition.offset) = (nil, 0)
        guard definition.sortKeys.isEmpty else { return (copy, nil) }
        let places = ids.enumerated().map { ($0.element.row, $0.offset) }
        return (copy, Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }
}

extension ManagedObjectStore {
    /// The remote.
    ///
    /// - Throws: `StoreError` of kind `misuse` for a store without a remote.
    var connectedRemote: RemoteConnection {
        get throws(StoreError) {
            guard let remote else {
                throw StoreError(
                    .misuse, "the store has no remote", advice: "open it with ManagedObjectStore.open(at:model:remote:)"
                )
            }
            return remote
        }
    }

    /// Imports the answer of the remote to a fetch.
    fileprivate func load(
        _ fetch: RemoteFetch, from remote: RemoteConnection
    ) async throws -> RemoteConnection.FetchedRows {
        remote.report(.willFetch(fetch))
        do {
            let mark = commitMark()
            let answer = try await remote.remote.fetch(fetch)
            try Task.checkCancellation()
            let (ids, all) = try await load(answer, since: mark)
            remote.report(.didFetch(fetch, .success(ids)))
            let own = ids.filter { $0.entity == fetch.entity }
            let rows = all.filter { $0.entity == fetch.entity }.map(\.row)
            return RemoteConnection.FetchedRows(
                range: answer.decidesRange(of: fetch) ? own : nil,
                complete: fetch.isUnrestricted && answer.isComplete(with: ids) ? (Set(rows), mark) : nil)
        } catch {
            remote.report(.didFetch(fetch, .failure(error)))
            throw error
        }
    }

    /// Imports objects of a remote in one transaction.
    ///
    /// - Parameters:
    ///   - answer: The objects.
    ///   - mark: The moment at which the request began: rows that were committed later keep their values.
    ///   - connect: Connects the objects in the same transaction. Defaults to nothing.
    /// - Returns: The IDs of the objects, in the order of the answer, and of all objects in it.
    func load(
        _ answer: RemoteObjects, since mark: CommitMark,
        connect: @escaping @Sendable ([ManagedObject], ObjectContext) throws -> Void = { _, _ in }
    ) async throws -> (objects: [ObjectID], all: Set<ObjectID>) {
        try await perform { context in
            context.savesReply()
            context.savesResponse()
            context.keepLoadedObjects()
            let objects = try answer.load(context)
            context.discardChanges(committedSince: mark)
            try context.keepUnsentValues()
            try connect(objects, context)
            let core = context.core
            core.reconcile()
            let all = (core.dataSource.objects ?? []) + core.changedObjects + objects
            try context.saveWaiting()
            // After the save, new objects have permanent IDs.
            return (objects.map(core.id), Set(all.filter { $0.core === core }.map(core.id)))
        }
    }
}
