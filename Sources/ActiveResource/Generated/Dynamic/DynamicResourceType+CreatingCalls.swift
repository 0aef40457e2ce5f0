// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResourceType {
    /// Returns a new record with attributes, which is not saved.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Throws: `ResourceError` of kind `invalidAttributes` if the mapping does not accept the attributes.
    public func new(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource {
        try recordKind.make(attributes.mapValues { $0.json }, prefix: prefix.prefixOptions)
    }

    /// Requests the default values of a new record, from `/people/new.json`.
    ///
    /// - Parameters:
    ///   - attributes: Attributes that override the default values.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: A new record, which is not saved.
    /// - Throws: `ResourceError` if the request fails, or if the mapping does not accept the attributes.
    public nonisolated(nonsending) func build(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        try await recordKind.build(attributes.mapValues { $0.json }, prefix.prefixOptions)
    }

    /// Requests the default values of a new record, from `/people/new.json`; blocks the thread.
    ///
    /// - Parameters:
    ///   - attributes: Attributes that override the default values.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: A new record, which is not saved.
    /// - Throws: `ResourceError` if the request fails, or if the mapping does not accept the attributes.
    @available(*, noasync, message: "buildSync blocks the thread; use `await build()`")
    public func buildSync(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource {
        try recordKind.buildSync(attributes.mapValues { $0.json }, prefix.prefixOptions)
    }

    /// Saves a new record and returns it.
    ///
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) func create(_ record: DynamicResource) async throws(ResourceError) -> DynamicResource
    {
        try await recordKind.createRecord(record)
    }

    /// Saves a new record and returns it; blocks the thread.
    ///
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    @available(*, noasync, message: "createSync blocks the thread; use `await create()`")
    public func createSync(_ record: DynamicResource) throws(ResourceError) -> DynamicResource {
        try recordKind.createRecordSync(record)
    }

    /// Saves a new record with attributes and returns it.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`, and if the mapping does not accept the attributes.
    public nonisolated(nonsending) func create(
        _ attributes: [String: any JSONConvertible], prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> DynamicResource {
        let record = try new(attributes, prefix: prefix)
        return try await recordKind.createRecord(record)
    }

    /// Saves a new record with attributes and returns it; blocks the thread.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`, and if the mapping does not accept the attributes.
    @available(*, noasync, message: "createSync blocks the thread; use `await create()`")
    public func createSync(
        _ attributes: [String: any JSONConvertible], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> DynamicResource {
        let record = try new(attributes, prefix: prefix)
        return try recordKind.createRecordSync(record)
    }
}
