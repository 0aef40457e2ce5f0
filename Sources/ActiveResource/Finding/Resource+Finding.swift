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
        try await recordKind.find(id, prefix.prefixOptions, FormValue(query))
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
        try await recordKind.one(from: source, prefix.prefixOptions, FormValue(query))
    }

    /// Returns a query for the records of the collection.
    ///
    /// - Parameters:
    ///   - prefix: The values of the prefix parameters.
    ///   - source: A path or a name below the collection. Defaults to the collection.
    public static func all(
        prefix: [String: any FormValueConvertible] = [:], from source: ResourceSource? = nil
    ) -> ResourceQuery<Self> {
        recordKind.query(prefix: prefix.prefixOptions, from: source)
    }

    /// Returns a query with parameters; see ``ResourceQuery/where(_:)``.
    public static func `where`(_ parameters: [String: any FormValueConvertible]) -> ResourceQuery<Self> {
        recordKind.query().where(parameters)
    }

    /// Requests all records and returns the first one; `nil` if the list is empty.
    public nonisolated(nonsending) static func first(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self? {
        let query = recordKind.query().where(parameters)
        return try await query.first
    }

    /// Requests all records and returns the last one; `nil` if the list is empty.
    public nonisolated(nonsending) static func last(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self? {
        let query = recordKind.query().where(parameters)
        return try await query.last
    }

    /// Returns whether a record exists, with a HEAD request.
    ///
    /// - Returns: `false` for status 404 and 410, and without a request for a missing identifier.
    public nonisolated(nonsending) static func exists(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Bool {
        try await recordKind.exists(id, prefix.prefixOptions, FormValue(query))
    }

    /// Returns whether the service has the record; `false` without a request for a new one.
    public nonisolated(nonsending) func exists() async throws(ResourceError) -> Bool {
        if isNew { return false }
        return try await recordKind.exists(id, resource.prefixOptions, [:])
    }
}
