// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
    /// Deletes the record at the service and removes it from its ``ResourceRegistry``; the value itself does not change; blocks the thread.
    ///
    /// - Returns: The response; `nil` if a callback cancelled or handled it.
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    @discardableResult
    public func destroySync() throws(ResourceError) -> RESTResponse? {
        try recordKind.destroySync(self)
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
    public static func deleteSync(
        _ id: some ResourceID, prefix: [String: any FormValueConvertible] = [:],
        query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.deleteSync(id, prefix.prefixOptions, FormValue(query))
    }

    @available(*, noasync, message: "destroySync blocks the thread; use `await destroy()`")
    static func destroySync(_ record: Self) throws(ResourceError) -> RESTResponse? {
        let (endpoint, prefix) = (endpoint, record.resource.prefixOptions)
        let request = endpoint.request(.delete, try endpoint.elementPath(record.id, prefix: prefix))
        var record = record
        guard let ends = try callbacks.begin(.destroy, &record) else { return nil }
        let response: RESTResponse
        do throws(ResourceError) { response = try endpoint.sendSync(request) } catch {
            try callbacks.handle(error, &record)
            return nil
        }
        unregister(record.id, prefix: prefix)
        try callbacks.end(ends, &record)
        return response
    }
}
