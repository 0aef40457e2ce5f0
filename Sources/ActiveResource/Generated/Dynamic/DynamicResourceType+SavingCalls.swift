// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResourceType {
    /// Deletes a record by its identifier, without callbacks.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func delete(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.delete(id, prefix.prefixOptions, FormValue(query))
    }

    /// Deletes a record by its identifier, without callbacks; blocks the thread.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    @discardableResult
    public func deleteSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.deleteSync(id, prefix.prefixOptions, FormValue(query))
    }
}
