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
    /// See `fetch(_:policy:)` for the parameters and errors.
    nonisolated(nonsending) public func count<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> Int {
        let local = try await load(query, policy, .count)
        defer { local.later?() }
        return try await count(local.query)
    }

    /// Returns the IDs of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See `fetch(_:policy:)` for the parameters and errors.
    nonisolated(nonsending) public func ids<Object>(
        _ query: ObjectQuery<Object>, policy: FetchPolicy
    ) async throws -> [ObjectID] {
        let local = try await load(query, policy, .ids)
        defer { local.later?() }
        return local.sorted(try await ids(local.query)) { $0.row }
    }

    /// Returns the attribute values of the objects of a query in the file, after the remote was asked for them.
    ///
    /// See `fetch(_:policy:)` for the parameters and errors.
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
        guard let request = try RemoteRequest(query, policy, kind, self) else { return LocalFetch(query) }
        if let known = await request.knownAnswer { return LocalFetch(query, known.range) }
        guard policy.source != .localThenRemote else {
            var local = LocalFetch(query)
            local.later = {
                let flight = request.start()
                Task.detached { _ = try? await flight.value }
            }
            return local
        }
        return LocalFetch(query, try await request.answer(request.start(), self).rows?.range)
    }
}

/// A fetch from the file, after the remote was asked for its objects.
struct LocalFetch<Object: ManagedObject> {
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
