extension Resource {
    // Custom methods of a record, such as `/people/1/promote.json`.

    /// Calls a method of the record with GET.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    /// - Returns: The body without its root.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> JSON {
        let request = try elementRequest(.get, name, query)
        return try Self.value(of: try await Self.endpoint.send(request), to: request)
    }

    /// Calls a method of the record with GET, whose response is one object.
    ///
    /// - Returns: A model; a record is persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Model {
        let request = try elementRequest(.get, name, query)
        return try Self.model(
            of: try await Self.endpoint.send(request), to: request, prefix: resource.prefixOptions)
    }

    /// Calls a method of the record with GET, whose response is a list.
    ///
    /// - Returns: Models; records are persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> [Model] {
        let request = try elementRequest(.get, name, query)
        return try Self.models(
            of: try await Self.endpoint.send(request), to: request, prefix: resource.prefixOptions)
    }

    /// Calls a method of the record with POST; for a new record, the method of `/people/new`.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to the record.
    @discardableResult
    public nonisolated(nonsending) func post(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        let endpoint = Self.endpoint
        let body = if let body { body.data } else { try encoded() }
        guard isNew else { return try await endpoint.send(elementRequest(.post, name, query, body)) }
        let path = try endpoint.newElementPath(
            named: name, prefix: resource.prefixOptions, query: FormValue(query))
        return try await endpoint.send(endpoint.request(.post, path, body: body))
    }

    /// Calls a method of the record with PUT.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await Self.endpoint.send(elementRequest(.put, name, query, body?.data))
    }

    /// Calls a method of the record with PATCH.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func patch(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await Self.endpoint.send(elementRequest(.patch, name, query, body?.data))
    }

    /// Calls a method of the record with DELETE.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    @discardableResult
    public nonisolated(nonsending) func delete(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await Self.endpoint.send(elementRequest(.delete, name, query))
    }

    /// Returns the text of the record in the format of the site.
    ///
    /// - Throws: `ResourceError` of kind `invalidAttributes` if the record cannot be written.
    public func encoded() throws(ResourceError) -> Data {
        let attributes = try Self.attributes(of: self, isNew ? .post : .put)
        return try Self.encoded(attributes?.sent ?? [:], Self.endpoint)
    }

    private func elementRequest(
        _ method: HTTPMethod, _ name: String, _ query: [String: any FormValueConvertible], _ body: Data? = nil
    ) throws(ResourceError) -> RESTRequest {
        let endpoint = Self.endpoint
        let path = try endpoint.memberPath(id, named: name, prefix: resource.prefixOptions, query: FormValue(query))
        return endpoint.request(method, path, body: body)
    }
}
