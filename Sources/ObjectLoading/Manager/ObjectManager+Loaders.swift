extension ObjectManager {
    // MARK: Loaders

    /// Returns a loader of the objects and values of a path, which is not started yet.
    ///
    /// ```swift
    /// let loader = manager.loader("/projects", query: ["page": 2])
    /// loader.delegate = screen
    /// loader.start()
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - method: The method. Defaults to `.get`.
    ///   - query: The query, added to that of the path. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`: one of them fails the load.
    ///   - pruning: What happens to stored objects of the path that a complete response does not have. Defaults to `.none`.
    public func loader(
        _ path: String, method: HTTPMethod = .get, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail, pruning: Pruning = .none
    ) -> ObjectLoader {
        loader(
            client.request(method, path, query: query, headers: headers),
            LoadOptions(owner: owner, issues: policy, pruning: pruning))
    }

    /// Returns a loader of the objects of a path by a policy, which is not started yet.
    ///
    /// ```swift
    /// manager.loader("/projects", policy: .remoteElseLocal).start { outcome in … }
    /// ```
    ///
    /// With `.localThenRemote`, the outcome has the stored objects; the delegate receives the events of the request afterwards.
    /// Without a request, such as with `.local`, there are no events before the outcome.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - query: The query, added to that of the path. Defaults to none.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: Where the objects are found.
    ///   - pruning: What happens to stored objects of the path that a complete response does not have. Defaults to `nil`, that
    ///     of the policy.
    ///   - issues: What happens to elements with issues. Defaults to `.fail`.
    public func loader(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        policy: FetchPolicy, pruning: Pruning? = nil, issues: MappingReport.Policy = .fail
    ) -> ObjectLoader {
        loader(
            client.request(.get, path, query: query, headers: headers),
            LoadOptions(owner: owner, issues: issues, policy: policy, pruning: pruning))
    }

    private func loader(_ request: RESTRequest, _ options: LoadOptions) -> ObjectLoader {
        ObjectLoader(
            request, announce: { [queue] in queue.announce(ownedBy: options.owner, cancel: $0) }
        ) { request, onRequest in
            var options = options
            options.onRequest = onRequest
            return try await self.load(request, options)
        }
    }

    /// Returns a loader of the objects and values of a named route, which is not started yet.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values of the parameters of its path.
    ///   - query: The query. Defaults to none.
    ///   - headers: Header fields of this request. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    /// - Throws: ``RouteError`` if there is no such route or a value is missing.
    public func loader(
        named name: String, _ values: [String: any FormValueConvertible] = [:], query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail
    ) throws(RouteError) -> ObjectLoader {
        let route = try router.namedRoute(name, values)
        return loader(route.path, method: route.method, query: query, headers: headers, owner: owner, policy: policy)
    }

    /// Returns a loader of the objects of a named route by a policy, which is not started yet.
    ///
    /// See ``loader(_:query:headers:owner:policy:pruning:issues:)`` for the policies.
    public func loader(
        named name: String, _ values: [String: any FormValueConvertible] = [:], query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: FetchPolicy,
        pruning: Pruning? = nil, issues: MappingReport.Policy = .fail
    ) throws(RouteError) -> ObjectLoader {
        let route = try router.namedRoute(name, values)
        return loader(
            client.request(route.method, route.path, query: query, headers: headers),
            LoadOptions(owner: owner, issues: issues, policy: policy, pruning: pruning))
    }

    /// Loads the objects and values of a path, and calls a closure with the outcome.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the base URL of the client.
    ///   - method: The method. Defaults to `.get`.
    ///   - query: The query, added to that of the path. Defaults to none.
    ///   - headers: Header fields of this request. Defaults to none.
    ///   - owner: A value by which the request can be cancelled in the ``queue``. Defaults to `nil`.
    ///   - policy: What happens to elements with issues. Defaults to `.fail`.
    ///   - completion: Receives the outcome once, on the `callbackExecutor` of the client.
    /// - Returns: The loader, which is started, to cancel it.
    @discardableResult public func load(
        _ path: String, method: HTTPMethod = .get, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail,
        completion: @escaping ObjectLoader.Completion
    ) -> ObjectLoader {
        let loader = loader(path, method: method, query: query, headers: headers, owner: owner, policy: policy)
        loader.start(completion: completion)
        return loader
    }

    /// Loads the objects of a path by a policy, and calls a closure with the outcome.
    ///
    /// See ``loader(_:query:headers:owner:policy:pruning:issues:)`` for the policies and parameters.
    @discardableResult public func load(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        policy: FetchPolicy, pruning: Pruning? = nil, issues: MappingReport.Policy = .fail,
        completion: @escaping ObjectLoader.Completion
    ) -> ObjectLoader {
        let loader = loader(
            path, query: query, headers: headers, owner: owner, policy: policy, pruning: pruning, issues: issues)
        loader.start(completion: completion)
        return loader
    }
}
