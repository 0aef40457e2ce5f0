// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
    /// Requests a record; blocks the thread.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` for status 404 and `gone` for 410.
    @available(*, noasync, message: "findSync blocks the thread; use `await find()`")
    public static func findSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        try recordKind.findSync(id, prefix.prefixOptions, FormValue(query))
    }

    /// Requests one record from a path or from a name below the collection; blocks the thread.
    ///
    /// - Parameters:
    ///   - source: The path or the name.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`, also for status 404.
    @available(*, noasync, message: "oneSync blocks the thread; use `await one()`")
    public static func oneSync(
        from source: ResourceSource, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        try recordKind.oneSync(from: source, prefix.prefixOptions, FormValue(query))
    }

    /// Requests all records and returns the first one; `nil` if the list is empty; blocks the thread.
    @available(*, noasync, message: "firstSync blocks the thread; use `await first()`")
    public static func firstSync(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self? {
        let query = recordKind.query().where(parameters)
        return try query.firstSync
    }

    /// Requests all records and returns the last one; `nil` if the list is empty; blocks the thread.
    @available(*, noasync, message: "lastSync blocks the thread; use `await last()`")
    public static func lastSync(
        _ parameters: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self? {
        let query = recordKind.query().where(parameters)
        return try query.lastSync
    }

    /// Returns whether a record exists, with a HEAD request; blocks the thread.
    ///
    /// - Returns: `false` for status 404 and 410, and without a request for a missing identifier.
    @available(*, noasync, message: "existsSync blocks the thread; use `await exists()`")
    public static func existsSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Bool {
        try recordKind.existsSync(id, prefix.prefixOptions, FormValue(query))
    }

    /// Returns whether the service has the record; `false` without a request for a new one; blocks the thread.
    @available(*, noasync, message: "existsSync blocks the thread; use `await exists()`")
    public func existsSync() throws(ResourceError) -> Bool {
        if isNew { return false }
        return try recordKind.existsSync(id, resource.prefixOptions, [:])
    }
}
