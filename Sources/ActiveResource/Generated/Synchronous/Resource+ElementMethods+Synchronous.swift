// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
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

    /// Calls a method of the record with GET, whose response is one object; blocks the thread.
    ///
    /// - Returns: A model; a record is persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Model {
        try recordKind.getModelSync(name, query, at: .element(id, prefix: resource.prefixOptions))
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
}
