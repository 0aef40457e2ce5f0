/// A fetch that is sent to a remote.
struct RemoteRequest {
    private let store: ManagedObjectStore
    private let remote: RemoteConnection
    private let entity: StoredEntity
    private let policy: FetchPolicy
    private let fetch: RemoteFetch

    /// Returns `nil` if the file answers the fetch.
    init?<Object>(
        _ query: ObjectQuery<Object>, _ policy: FetchPolicy, _ kind: RemoteFetch.ResultKind, _ context: ObjectContext
    ) throws {
        guard policy.source != .local else { return nil }
        store = context.store
        remote = try store.connectedRemote
        entity = try store.entity(of: query)
        self.policy = policy
        guard remote.has(entity.name) else { return nil }
        fetch = try RemoteFetch(query.definition, entity, in: store.entities, kind)
    }

    /// The last answer if the policy allows its age.
    var knownAnswer: RemoteConnection.FetchedRows? {
        get async {
            guard let age = policy.maximumAge else { return nil }
            return await store.answer(to: fetch.ofObjects, upTo: age)
        }
    }

    /// Sends the fetch, unless an identical one is under way.
    func start() -> SharedTask<RemoteConnection.FetchedRows> {
        let (store, remote, fetch) = (store, remote, fetch)
        // An unchanged answer does not have the objects that others are compared with.
        let isConditional = policy.pruning.mode == .none
        return remote.flight(fetch.ofObjects, isConditional: isConditional) {
            try await store.load(fetch, isConditional: isConditional, from: remote)
        }
    }

    /// Waits for the answer, and merges its objects into a context.
    ///
    /// - Returns: The rows, or the error if the remote cannot be reached and the policy uses the file.
    nonisolated(nonsending) func answer(
        _ flight: SharedTask<RemoteConnection.FetchedRows>, _ context: ObjectContext
    ) async throws -> (rows: RemoteConnection.FetchedRows?, error: RemoteError?) {
        do {
            let answer = try await flight.value
            switch policy.pruning.mode == .none ? nil : answer.answer {
            case .complete(var rows, let mark)?:
                let core = context.core
                core.reconcile()
                let changed = core.changedObjects.filter { Int($0.entityIndex) == entity.index }.map(\.row)
                rows.rows[entity.index, default: []].formUnion(changed)
                try await store.prune(entity, keeping: rows, since: mark, policy.pruning, fetch, remote)
            case .incomplete(let reason)?: remote.report(.didNotPrune(fetch, .incomplete(reason)))
            case nil: break
            }
            try await context.merge()
            return (answer, nil)
        } catch let error as RemoteError
            where policy.source == .remoteElseLocal && (error.kind == .unavailable || error.kind == .noAnswer)
        {
            return (nil, error)
        }
    }
}

extension RemoteFetch {
    /// The same fetch for objects: one request serves all kinds of results.
    var ofObjects: RemoteFetch {
        RemoteFetch(
            entity: entity, condition: condition, order: order, limit: limit, offset: offset, resultKind: .objects)
    }

    /// The same fetch with the version of its last answer.
    func knowing(_ version: String?) -> RemoteFetch {
        var copy = self
        copy.knownVersion = version
        return copy
    }
}
