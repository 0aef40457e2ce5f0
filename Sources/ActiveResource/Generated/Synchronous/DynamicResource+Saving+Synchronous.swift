// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one; blocks the thread.
    ///
    /// PUT sends all attributes, which were received or set, PATCH those that changed.
    ///
    /// - Returns: `false` if the service rejects the record as invalid; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    @available(*, noasync, message: "saveSync blocks the thread; use `await save()`")
    public mutating func saveSync() throws(ResourceError) -> Bool {
        try recordKind.saveSync(&self)
    }

    /// Calls a method of the record with POST, PUT, PATCH or DELETE; blocks the thread.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "callSync blocks the thread; use `await call()`")
    @discardableResult
    public func callSync(
        _ method: HTTPMethod, _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(
            method, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
    }
}
