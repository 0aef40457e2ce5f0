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
    public func loader(
        _ path: String, method: HTTPMethod = .get, query: FormValue = [:], headers: HTTPHeaders = [:],
        owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail
    ) -> ObjectLoader {
        ObjectLoader(
            client.request(method, path, query: query, headers: headers),
            announce: { [queue] in queue.announce(ownedBy: owner, cancel: $0) }
        ) { request in
            try await self.load(request, LoadOptions(owner: owner, issues: policy))
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
}
