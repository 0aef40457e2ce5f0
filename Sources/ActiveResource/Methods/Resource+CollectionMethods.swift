extension Resource {
    // Custom methods of a collection, such as `/people/active.json`.

    /// Sends a GET request to a custom method of the collection.
    ///
    /// ```swift
    /// let names = try await Person.get("names", ["limit": 3])      // GET /people/names.json?limit=3
    /// let active: [Person] = try await Person.get("active")        // models of a type
    /// ```
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    /// - Returns: The body, without its root key.
    @_disfavoredOverload
    public nonisolated(nonsending) static func get(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> JSON {
        try await recordKind.get(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is one object.
    ///
    /// - Returns: A model; a record is persisted.
    public nonisolated(nonsending) static func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Model {
        try await recordKind.getModel(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is a list.
    ///
    /// - Returns: Models; records are persisted.
    public nonisolated(nonsending) static func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> [Model] {
        try await recordKind.getModels(name, query, at: .collection)
    }

    /// Calls a method of the collection with POST.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) static func post(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.post, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PUT.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) static func put(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.put, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PATCH.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) static func patch(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.patch, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with DELETE.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    @discardableResult
    public nonisolated(nonsending) static func delete(
        named name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.delete, name, query, at: .collection)
    }
}
