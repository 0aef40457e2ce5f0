// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResource {
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
        try await recordKind.get(name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with GET; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    /// - Returns: The body without its root.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    @_disfavoredOverload
    public func getSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> JSON {
        try recordKind.getSync(name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with GET, whose response is one object.
    ///
    /// - Returns: A model; a record is persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Model {
        try await recordKind.getModel(name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with GET, whose response is one object; blocks the thread.
    ///
    /// - Returns: A model; a record is persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Model {
        try recordKind.getModelSync(name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with GET, whose response is a list.
    ///
    /// - Returns: Models; records are persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> [Model] {
        try await recordKind.getModels(name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with GET, whose response is a list; blocks the thread.
    ///
    /// - Returns: Models; records are persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> [Model] {
        try recordKind.getModelsSync(name, query, at: .element(id, prefix: resource.prefixOptions))
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
        let data = if let body { body.data } else { try encoded() }
        let location: MethodLocation =
            isNew ? .new(prefix: resource.prefixOptions) : .element(id, prefix: resource.prefixOptions)
        return try await recordKind.send(.post, name, query, at: location, body: data)
    }

    /// Calls a method of the record with POST; for a new record, the method of `/people/new`; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to the record.
    @available(*, noasync, message: "postSync blocks the thread; use `await post()`")
    @discardableResult
    public func postSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        let data = if let body { body.data } else { try encoded() }
        let location: MethodLocation =
            isNew ? .new(prefix: resource.prefixOptions) : .element(id, prefix: resource.prefixOptions)
        return try recordKind.sendSync(.post, name, query, at: location, body: data)
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
        try await recordKind.send(.put, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
    }

    /// Calls a method of the record with PUT; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "putSync blocks the thread; use `await put()`")
    @discardableResult
    public func putSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.put, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
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
        try await recordKind.send(
            .patch, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
    }

    /// Calls a method of the record with PATCH; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "patchSync blocks the thread; use `await patch()`")
    @discardableResult
    public func patchSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(
            .patch, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
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
        try await recordKind.send(.delete, name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Calls a method of the record with DELETE; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    @discardableResult
    public func deleteSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.delete, name, query, at: .element(id, prefix: resource.prefixOptions))
    }

    /// Returns the text of the record in the format of the site.
    ///
    /// - Throws: `ResourceError` of kind `invalidAttributes` if the record cannot be written.
    public func encoded() throws(ResourceError) -> Data { try recordKind.encoded(self) }
}
