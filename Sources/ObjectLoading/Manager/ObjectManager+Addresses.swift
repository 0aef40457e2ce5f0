extension ObjectManager {
    // MARK: URLs and reachability

    /// Returns the URL of the objects in a relationship by its route.
    ///
    /// - Parameters:
    ///   - object: The owner.
    ///   - relationship: The property of the owner.
    ///   - method: The method of the request. Defaults to `.get`.
    /// - Throws: ``RouteError`` if there is no route, or if one of its parameters has no value.
    public func url<Object, Target>(
        for object: Object, relationship: any KeyPath<Object, Target> & Sendable, method: HTTPMethod = .get
    ) throws(RouteError) -> URL? {
        client.request(method, try router.path(for: object, relationship: relationship, method: method)).url
    }

    /// Returns the URL of a named route.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - values: The values of its parameters.
    /// - Throws: ``RouteError`` if there is no such route, or if one of its parameters has no value.
    public func url(named name: String, _ values: [String: any FormValueConvertible] = [:]) throws(RouteError) -> URL? {
        let route = try router.namedRoute(name, values)
        return client.request(route.method, route.path).url
    }

    /// Returns the most specific route of a URL; `nil` without one, or if the URL is not below the base URL of the client.
    ///
    /// - Parameters:
    ///   - url: The URL; a query is ignored.
    ///   - method: The method of the request. Defaults to `.get`.
    public func route(for url: URL, method: HTTPMethod = .get) -> Router.Match? {
        relativePath(of: url, to: client.baseURL).flatMap { router.match($0, method: method) }
    }

    /// The observer of the network for the ``queue``; `nil` by default.
    ///
    /// ```swift
    /// manager.reachability = ReachabilityObserver(url: manager.client.baseURL)
    /// ```
    ///
    /// While the host is unreachable, requests fail with an error of kind `offline`. To let them wait, call
    /// `manager.queue.observeReachability(_:whenOffline:)`.
    public var reachability: ReachabilityObserver? {
        get { queue.reachabilityObserver }
        set { queue.observeReachability(newValue) }
    }
}
