extension Resource {
    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse? {
        try await recordKind.destroy(self)
    }

    /// Deletes a record by its identifier, without callbacks.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - prefix: The values of the prefix parameters.
    ///   - query: Parameters of the query.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) static func delete(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.delete(id, prefix.prefixOptions, FormValue(query))
    }
}

extension Resource {
    nonisolated(nonsending) static func destroy(_ record: Self) async throws(ResourceError) -> RESTResponse? {
        let (endpoint, prefix) = (endpoint, record.resource.prefixOptions)
        let request = endpoint.request(.delete, try endpoint.elementPath(record.id, prefix: prefix))
        var record = record
        guard let ends = try callbacks.begin(.destroy, &record) else { return nil }
        let response: RESTResponse
        do throws(ResourceError) { response = try await endpoint.send(request) } catch {
            try callbacks.handle(error, &record)
            return nil
        }
        unregister(record.id, prefix: prefix)
        try callbacks.end(ends, &record)
        return response
    }
}
