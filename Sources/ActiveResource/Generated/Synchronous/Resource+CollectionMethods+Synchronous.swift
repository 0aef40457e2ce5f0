// Written by scripts/generate-resource-calls; do not edit.

extension Resource {
    /// Sends a GET request to a custom method of the collection; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    /// - Returns: The body, without its root key.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    @_disfavoredOverload
    public static func getSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> JSON {
        try recordKind.getSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is one object; blocks the thread.
    ///
    /// - Returns: A model; a record is persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public static func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Model {
        try recordKind.getModelSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with GET, whose response is a list; blocks the thread.
    ///
    /// - Returns: Models; records are persisted.
    @available(*, noasync, message: "getSync blocks the thread; use `await get()`")
    public static func getSync<Model: Mappable>(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> [Model] {
        try recordKind.getModelsSync(name, query, at: .collection)
    }

    /// Calls a method of the collection with POST; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "postSync blocks the thread; use `await post()`")
    @discardableResult
    public static func postSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.post, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PUT; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "putSync blocks the thread; use `await put()`")
    @discardableResult
    public static func putSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.put, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with PATCH; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    ///   - body: The body, verbatim. Defaults to none.
    @available(*, noasync, message: "patchSync blocks the thread; use `await patch()`")
    @discardableResult
    public static func patchSync(
        _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.patch, name, query, at: .collection, body: body?.data)
    }

    /// Calls a method of the collection with DELETE; blocks the thread.
    ///
    /// - Parameters:
    ///   - name: The last path component, such as `active`.
    ///   - query: Parameters of the query; prefix parameters are added to the prefix options.
    @available(*, noasync, message: "deleteSync blocks the thread; use `await delete()`")
    @discardableResult
    public static func deleteSync(
        named name: String, _ query: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> RESTResponse {
        try recordKind.sendSync(.delete, name, query, at: .collection)
    }
}
