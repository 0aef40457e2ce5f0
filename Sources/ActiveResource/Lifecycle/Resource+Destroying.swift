extension Resource {
    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse? {
        let endpoint = Self.endpoint
        let request = endpoint.request(.delete, try endpoint.elementPath(id, prefix: resource.prefixOptions))
        var record = self
        guard let ends = try Self.callbacks.begin(.destroy, &record) else { return nil }
        let response: RESTResponse
        do throws(ResourceError) { response = try await endpoint.send(request) } catch {
            try Self.callbacks.handle(error, &record)
            return nil
        }
        Self.unregister(id, prefix: resource.prefixOptions)
        try Self.callbacks.end(ends, &record)
        return response
    }

    /// Deletes the record at the service and blocks the thread, for scripts; callbacks are not called.
    ///
    /// - Throws: `ResourceError`, like ``destroy()``.
    @available(*, noasync, message: "it blocks the thread; await destroy()")
    @discardableResult
    public func destroySync() throws(ResourceError) -> RESTResponse {
        let endpoint = Self.endpoint
        let response = try endpoint.sendSynchronously(
            endpoint.request(.delete, try endpoint.elementPath(id, prefix: resource.prefixOptions)))
        Self.unregister(id, prefix: resource.prefixOptions)
        return response
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
        let endpoint = endpoint
        let path = try endpoint.elementPath(id, prefix: prefix.prefixOptions, query: FormValue(query))
        let response = try await endpoint.send(endpoint.request(.delete, path))
        unregister(id, prefix: prefix.prefixOptions)
        return response
    }
}
