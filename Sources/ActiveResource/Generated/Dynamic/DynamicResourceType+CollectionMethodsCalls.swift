// Written by scripts/generate-resource-calls; do not edit.

extension DynamicResourceType {
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
    public nonisolated(nonsending) func get(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> JSON {
        try await recordKind.get(name, query, at: .collection)
    }

    /// Sends a GET request to a custom method of the collection; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    /// - Returns: The body, without its root key.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    @_disfavoredOverload
    public func getSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> JSON {
        try recordKind.getSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is one object.
    ///
    /// - Returns: A model; a record is persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Model {
        try await recordKind.getModel(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is one object; blocks the thread.
    ///
    /// - Returns: A model; a record is persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Model {
        try recordKind.getModelSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is a list.
    ///
    /// - Returns: Models; records are persisted.
    public nonisolated(nonsending) func get<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> [Model] {
        try await recordKind.getModels(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is a list; blocks the thread.
    ///
    /// - Returns: Models; records are persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> [Model] {
        try recordKind.getModelsSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with POST.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func post(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.post, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with POST; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "postSync blocks the thread; use `await post()`")
    @discardableResult
    public func postSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.post, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PUT.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.put, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PUT; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "putSync blocks the thread; use `await put()`")
    @discardableResult
    public func putSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.put, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PATCH.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func patch(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.patch, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PATCH; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "patchSync blocks the thread; use `await patch()`")
    @discardableResult
    public func patchSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.patch, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with DELETE.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    @discardableResult
    public nonisolated(nonsending) func delete(
        named name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(.delete, name, query, at: .collection)
    }

    /// Calls a method of the collection with DELETE; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    @discardableResult
    public func deleteSync(
        named name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.delete, name, query, at: .collection)
    }
}
