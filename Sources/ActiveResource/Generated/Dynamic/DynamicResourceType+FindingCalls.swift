// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResourceType {
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
    public nonisolated(nonsending) func find(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        try await recordKind.find(id, prefix.prefixOptions, FormValue(query))
    }

    /// Requests a record; blocks the thread.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404 and `gone` for 410.
    @available(*, noasync, message: "findSync blocks the thread; use `await find()`")
    public func findSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource {
        try recordKind.findSync(id, prefix.prefixOptions, FormValue(query))
    }

    /// Requests one record from a path or from a name below the collection.
    ///
    /// - Parameters:
    ///   - source: The path or the name.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`, also for status 404.
    public nonisolated(nonsending) func one(
        from source: ResourceSource, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        try await recordKind.one(from: source, prefix.prefixOptions, FormValue(query))
    }

    /// Requests one record from a path or from a name below the collection; blocks the thread.
    ///
    /// - Parameters:
    ///   - source: The path or the name.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`, also for status 404.
    @available(*, noasync, message: "oneSync blocks the thread; use `await one()`")
    public func oneSync(
        from source: ResourceSource, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource {
        try recordKind.oneSync(from: source, prefix.prefixOptions, FormValue(query))
    }

    /// Returns a query for the records of the collection.
    ///
    /// - Parameters:
    ///   - prefix: The values of the prefix parameters.
    ///   - source: A path or a name below the collection. Defaults to the collection.
    public func all(
        prefix: [String: any FormValueConvertible] = [:], from source: ResourceSource? = nil
    ) -> ResourceQuery<DynamicResource> {
        recordKind.query(prefix: prefix.prefixOptions, from: source)
    }

    /// Returns a query with parameters; see ``ResourceQuery/where(_:)``.
    public func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery<DynamicResource> {
        recordKind.query().where(parameters)
    }

    /// Requests all records and returns the first one; `nil` if the list is empty.
    public nonisolated(nonsending) func first(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource? {
        let query = recordKind.query().where(parameters)
        return try await query.first
    }

    /// Requests all records and returns the first one; `nil` if the list is empty; blocks the thread.
    @available(*, noasync, message: "firstSync blocks the thread; use `await first()`")
    public func firstSync(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource? {
        let query = recordKind.query().where(parameters)
        return try query.firstSync
    }

    /// Requests all records and returns the last one; `nil` if the list is empty.
    public nonisolated(nonsending) func last(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource? {
        let query = recordKind.query().where(parameters)
        return try await query.last
    }

    /// Requests all records and returns the last one; `nil` if the list is empty; blocks the thread.
    @available(*, noasync, message: "lastSync blocks the thread; use `await last()`")
    public func lastSync(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource? {
        let query = recordKind.query().where(parameters)
        return try query.lastSync
    }

    /// Returns whether a record exists, with a HEAD request.
    ///
    /// - Returns: `false` for status 404 and 410, and without a request for a missing identifier.
    public nonisolated(nonsending) func exists(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Bool {
        try await recordKind.exists(id, prefix.prefixOptions, FormValue(query))
    }

    /// Returns whether a record exists, with a HEAD request; blocks the thread.
    ///
    /// - Returns: `false` for status 404 and 410, and without a request for a missing identifier.
    @available(*, noasync, message: "existsSync blocks the thread; use `await exists()`")
    public func existsSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Bool {
        try recordKind.existsSync(id, prefix.prefixOptions, FormValue(query))
    }
}
