extension DynamicResource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one.
    ///
    /// PUT sends all attributes, which were received or set, PATCH those that changed.
    ///
    /// - Returns: `false` if the service rejects the record as invalid; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func save() async throws(ResourceError) -> Bool {
        try await recordKind.save(&self)
    }

    /// Returns a new record with the same attributes and prefix options, but without an identifier.
    public func clone() -> DynamicResource {
        var copy = dup()
        copy[type.endpoint.primaryKey] = JSON.null[0]
        return copy
    }

    /// Returns a new record with the same attributes, prefix options and identifier.
    public func dup() -> DynamicResource {
        var copy = self
        copy.resource = ResourceState(prefixOptions: resource.prefixOptions)
        return copy
    }

    /// Calls a method of the record with POST, PUT, PATCH or DELETE.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func call(
        _ method: HTTPMethod, _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(
            method, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
    }

    var recordKind: DynamicResourceType { type }
}

extension DynamicResource {
    /// The attributes when they were received or sent; `nil` for a new record.
    var knownValues: JSON? {
        if case .values(_, let values) = resource.known { values } else { nil }
    }

    /// Notes attributes that the service has.
    mutating func noteKnown(_ attributes: JSONObject) {
        let known = JSON.object(JSONObject((knownValues?.object ?? [:]).map { $0 } + attributes))
        resource.known = .values(names: known, known)
    }
}
