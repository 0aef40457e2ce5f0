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
        let local = try await load(query, policy, .objects)
        defer { local.later?() }
        return local.sorted(try await fetch(local.query)) { $0.row }
    }

    /// Returns the number of objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func count<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> Int {
        let local = try await load(query, policy, .count)
        defer { local.later?() }
        return try await count(local.query)
    }

    /// Returns the IDs of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func ids<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [ObjectID] {
        let local = try await load(query, policy, .ids)
        defer { local.later?() }
        return local.sorted(try await ids(local.query)) { $0.row }
    }

    /// Returns the attribute values of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See ``fetch(_:policy:)`` for the parameters and errors.
    nonisolated(nonsending) public func snapshots<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [Snapshot<Object>] {
        let local = try await load(query, policy, .snapshots)
        defer { local.later?() }
        return local.sorted(try await snapshots(local.query)) { $0.id.row }
    }

    /// Imports the objects of a query if the policy asks for it.
    private nonisolated(nonsending) func load<Object>(
        _ query: ObjectQuery<Object>, _ policy: FetchPolicy, _ kind: RemoteFetch.ResultKind
    ) async throws -> LocalFetch<Object> {
        guard policy.source != .local else { return LocalFetch(query) }
        let remote = try core.store.connectedRemote
        let entity = try core.store.entity(of: query)
        guard remote.has(entity.name) else { return LocalFetch(query) }
        let fetch = try RemoteFetch(query.definition, entity, in: core.store.entities, kind)
        let key = fetch.ofObjects
        if let age = policy.maximumAge, let known = remote.answer(key, upTo: age) {
            return LocalFetch(query, known.range)
        }
        let store = core.store
        func request() -> SharedTask<RemoteConnection.FetchedRows> {
            remote.flight(key) { try await store.load(fetch, from: remote) }
        }
        guard policy.source != .localThenRemote else {
            var local = LocalFetch(query)
            local.later = {
                let flight = request()
                Task.detached { _ = try? await flight.value }
            }
            return local
        }
        do {
            let answer = try await request().value
            if var complete = answer.complete, policy.pruning.mode != .none {
                core.reconcile()
                let changed = core.changedObjects.filter { Int($0.entityIndex) == entity.index }.map(\.row)
                complete.rows.rows[entity.index, default: []].formUnion(changed)
                try await store.prune(entity, keeping: complete.rows, since: complete.mark, policy.pruning, remote)
            }
            try await merge()
            return LocalFetch(query, answer.range)
        } catch let error as RemoteError
            where policy.source == .remoteElseLocal && (error.kind == .unavailable || error.kind == .noAnswer)
        {
            return LocalFetch(query)
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

/// A fetch from the file, after the remote was asked for its objects.
private struct LocalFetch<Object: ManagedObject> {
    var query: ObjectQuery<Object>
    /// The places of the rows if the answer decides their order.
    private var places: [Int64: Int]?
    /// Starts a request when the fetch has ended.
    var later: (() -> Void)?

    /// - Parameter ids: The objects of an answer that has evaluated limit and offset; `nil` for the query itself.
    init(_ query: ObjectQuery<Object>, _ ids: [ObjectID]? = nil) {
        self.query = query
        guard let ids else { return }
        let isObject = QueryNode(.objects(QueryPath(), ids))
        self.query.definition.condition = QueryNode(.every, [query.definition.condition, isObject])
        (self.query.definition.limit, self.query.definition.offset) = (nil, 0)
        guard query.definition.sortKeys.isEmpty else { return }
        places = Dictionary(
            ids.enumerated().map { ($0.element.row, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns results of the query in the order of the answer.
    func sorted<Element>(_ elements: [Element], by row: (Element) -> Int64) -> [Element] {
        guard let places else { return elements }
        return elements.sorted { places[row($0)] ?? 0 < places[row($1)] ?? 0 }
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
            let (ids, rows) = try await load(answer, since: mark)
            remote.report(.didFetch(fetch, .success(ids)))
            let own = ids.filter { $0.entity == fetch.entity }
            return RemoteConnection.FetchedRows(
                range: answer.decidesRange(of: fetch) ? own : nil,
                complete: fetch.isUnrestricted && answer.isComplete(with: ids) ? (rows, mark) : nil)
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
    /// - Returns: The IDs of the objects, in the order of the answer, and the rows of all objects in it.
    func load(
        _ answer: RemoteObjects, since mark: CommitMark,
        connect: @escaping @Sendable ([ManagedObject], ObjectContext) throws -> Void = { _, _ in }
    ) async throws -> (objects: [ObjectID], rows: LoadedRows) {
        try await perform { context in
            context.savesReply()
            context.savesResponse()
            context.keepLoadedObjects()
            let objects = try answer.load(context)
            context.discardChanges(committedSince: mark)
            try context.keepUnsentValues()
            try connect(objects, context)
            let all = context.loadedObjects(objects)
            try context.saveWaiting()
            // After the save, new objects have permanent IDs.
            return (objects.map(context.core.id), context.loadedRows(all, recording: nil))
        }
    }
}
