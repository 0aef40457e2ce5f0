/// Loads by a policy: from the server, from the store, or both.
extension ObjectManager {
    // MARK: Offline

    /// Loads the objects of a path by a policy.
    ///
    /// ```swift
    /// manager.offline.add("/projects") { _ in [Project.all.sorted(by: \.name)] }
    ///
    /// let result = try await manager.load("/projects", policy: .remoteElseLocal)
    /// if result.isLocal { print("offline") }
    /// ```
    ///
    /// | Policy | Result |
    /// |---|---|
    /// | `.remote` | that of the server |
    /// | `.remoteElseLocal` | that of the server, or the stored objects if it cannot be reached: the default of paths with queries |
    /// | `.local` | the stored objects |
    /// | `.localThenRemote` | the stored objects; the request is sent in the background, and its error is logged |
    ///
    /// To receive both results of `.localThenRemote`, write a loop over the call; see ``LoadResults``. With
    /// `maximumAge(_:)`, no request is sent while the last response to it is not older.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - query: The query, added to that of the path. Defaults to none.
    ///   - headers: Header fields of this request. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: Where the objects are found.
    ///   - pruning: What happens to stored objects of the path that a complete response does not have. Defaults to `nil`, that
    ///     of the policy: they are kept.
    ///   - issues: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``LoadError`` of kind `noQueries` if the policy or the pruning requires queries for the path, before a request
    ///   is sent; `StoreError` if a query is invalid; otherwise like `load(_:)`.
    @discardableResult public func load(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        policy: FetchPolicy, pruning: Pruning? = nil, issues: MappingReport.Policy = .fail
    ) async throws -> LoadResult {
        let options = LoadOptions(owner: owner, issues: issues, policy: policy, pruning: pruning)
        return try await load(client.request(.get, path, query: query, headers: headers), options)
    }

    /// Returns the results of a path by a policy, for a loop; see ``LoadResults``.
    ///
    /// ```swift
    /// for try await result in manager.load("/projects", policy: .localThenRemote) { show(result) }
    /// ```
    public func load(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        policy: FetchPolicy, pruning: Pruning? = nil, issues: MappingReport.Policy = .fail
    ) -> LoadResults {
        let options = LoadOptions(owner: owner, issues: issues, policy: policy, pruning: pruning)
        let request = client.request(.get, path, query: query, headers: headers)
        return LoadResults { try LoadPlan(self, request, options) }
    }

    /// Loads the objects of a named route by a policy.
    ///
    /// See `load(_:policy:)` for the policies and errors.
    @discardableResult public func load(
        named name: String, _ values: [String: any FormValueConvertible] = [:], query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: FetchPolicy,
        pruning: Pruning? = nil,
        issues: MappingReport.Policy = .fail
    ) async throws -> LoadResult {
        let route = try router.namedRoute(name, values)
        let request = client.request(route.method, route.path, query: query, headers: headers)
        return try await load(request, LoadOptions(owner: owner, issues: issues, policy: policy, pruning: pruning))
    }

    /// Loads the objects of a relationship by its route and a policy.
    ///
    /// They are merged into the context of the owner.
    @discardableResult public nonisolated(nonsending) func load<Object, Target>(
        _ object: Object, _ relationship: any KeyPath<Object, Target> & Sendable, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: FetchPolicy,
        pruning: Pruning? = nil,
        issues: MappingReport.Policy = .fail
    ) async throws -> LoadResult {
        let path = try router.path(for: object, relationship: relationship)
        let result = try await load(
            path, query: query, headers: headers, owner: owner, policy: policy, pruning: pruning, issues: issues)
        try await (object as? ManagedObject)?.managed.context?.merge()
        return result
    }

    /// Loads a request by the policy of its options.
    func load(_ request: RESTRequest, _ options: LoadOptions) async throws -> LoadResult {
        try await LoadPlan(self, request, options).result()
    }

    /// Returns the stored objects of a request; `nil` for paths without queries, other methods than GET, and without a store.
    func offlineScope(of request: RESTRequest) throws(LoadError) -> OfflineScope? {
        guard request.method == .get, store != nil, !offline.isEmpty, let url = request.url,
            let path = relativePath(of: url, to: client.baseURL)
        else { return nil }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        return try offline.scope(of: path, query: values)
    }

    /// Calls an operation that a reset of the store cancels.
    func running<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let store else { return try await operation() }
        return try await store.loads.run(operation)
    }
}
