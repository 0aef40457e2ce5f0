extension Resource {
    /// Requests a record.
    ///
    /// ```swift
    /// let ann = try await Person.find(1)                                    // GET /people/1.json
    /// let comment = try await Comment.find(2, prefix: ["post_id": 1])       // GET /posts/1/comments/2.json
    /// ```
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404 and `gone` for 410.
    public nonisolated(nonsending) static func find(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self {
        let (endpoint, options) = (endpoint, prefix.prefixOptions)
        return try await one(endpoint.findRequest(id, options, query), prefix: options, at: endpoint)
    }

    /// Requests a record and blocks the thread, for scripts.
    ///
    /// - Throws: `ResourceError`, like ``find(_:prefix:query:)``.
    @available(*, noasync, message: "it blocks the thread; await find(_:)")
    public static func findSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        let (endpoint, options) = (endpoint, prefix.prefixOptions)
        let request = try endpoint.findRequest(id, options, query)
        return try record(of: endpoint.sendSynchronously(request), to: request, prefix: options, at: endpoint)
    }

    /// Requests one record from a path or from a name below the collection.
    ///
    /// - Parameters:
    ///   - source: The path or the name.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`, also for status 404.
    public nonisolated(nonsending) static func one(
        from source: ResourceSource, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self {
        let (endpoint, options) = (endpoint, prefix.prefixOptions)
        let path = try endpoint.path(of: source, prefix: options, query: FormValue(query))
        return try await one(endpoint.request(.get, path), prefix: options, at: endpoint)
    }

    /// Returns a query for the records of the collection.
    ///
    /// - Parameters:
    ///   - prefix: The values of the prefix parameters.
    ///   - source: A path or a name below the collection. Defaults to the collection.
    public static func all(
        prefix: [String: any FormValueConvertible] = [:], from source: ResourceSource? = nil
    ) -> ResourceQuery<Self> {
        ResourceQuery(prefix: prefix, from: source)
    }

    /// Returns a query with parameters; see ``ResourceQuery/where(_:)``.
    public static func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery<Self> {
        ResourceQuery().where(parameters)
    }

    /// Requests all records and returns the first one; `nil` if the list is empty.
    public nonisolated(nonsending) static func first(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self? {
        try await self.where(parameters).first
    }

    /// Requests all records and returns the last one; `nil` if the list is empty.
    public nonisolated(nonsending) static func last(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self? {
        try await self.where(parameters).last
    }

    /// Returns whether a record exists, with a HEAD request.
    ///
    /// - Returns: `false` for status 404 and 410, and without a request for a missing identifier.
    public nonisolated(nonsending) static func exists(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Bool {
        try await exists(id, options: prefix.prefixOptions, query: FormValue(query))
    }

    /// Returns whether the service has the record; `false` without a request for a new one.
    public nonisolated(nonsending) func exists() async throws(ResourceError) -> Bool {
        isNew ? false : try await Self.exists(id, options: resource.prefixOptions, query: [:])
    }

    private nonisolated(nonsending) static func exists(
        _ id: some ResourceID, options: [String: String], query: FormValue
    ) async throws(ResourceError) -> Bool {
        let endpoint = endpoint
        if id.pathText == nil, endpoint.singletonName == nil { return false }
        let path = try endpoint.elementPath(id, prefix: options, query: query)
        do throws(ResourceError) {
            return 200...206 ~= (try await endpoint.send(endpoint.request(.head, path))).status
        } catch {
            guard error.kind == .notFound || error.kind == .gone else { throw error }
            return false
        }
    }

    /// The record in the response of a request.
    ///
    /// - Parameter endpoint: The paths of this type; making them again takes longer than passing them.
    nonisolated(nonsending) static func one(
        _ request: RESTRequest, prefix: [String: String], at endpoint: ResourceEndpoint
    ) async throws(ResourceError) -> Self {
        try record(of: try await endpoint.send(request), to: request, prefix: prefix, at: endpoint)
    }
}

extension ResourceEndpoint {
    func findRequest(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTRequest {
        request(.get, try elementPath(id, prefix: prefix, query: FormValue(query)))
    }
}
