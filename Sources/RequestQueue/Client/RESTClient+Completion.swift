extension RESTClient {
    // The calls of code that is not async. Each tells its outcome once to its closure, off the caller's thread.

    /// Asks for a resource.
    @discardableResult
    public func get(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.get, path, query: query).send(completion: completion)
    }

    /// Asks for the header fields of a resource.
    @discardableResult
    public func head(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.head, path, query: query).send(completion: completion)
    }

    /// Deletes a resource.
    @discardableResult
    public func delete(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.delete, path, query: query).send(completion: completion)
    }

    /// Sends a body to a resource, as to make a new one.
    @discardableResult
    public func post(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.post, path, query: query, body).send(completion: completion)
    }

    /// Sends a form, or nothing, to a resource, as to make a new one.
    @discardableResult
    public func post(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.post, path, query: query, form).send(completion: completion)
    }

    /// Sends a body to take the place of a resource.
    @discardableResult
    public func put(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.put, path, query: query, body).send(completion: completion)
    }

    /// Sends a form, or nothing, to take the place of a resource.
    @discardableResult
    public func put(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.put, path, query: query, form).send(completion: completion)
    }

    /// Sends a body with changes to a resource.
    @discardableResult
    public func patch(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.patch, path, query: query, body).send(completion: completion)
    }

    /// Sends a form, or nothing, with changes to a resource.
    @discardableResult
    public func patch(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil,
        completion: @escaping @Sendable (Result<RESTResponse, RequestError>) -> Void
    ) -> RequestHandle {
        request(.patch, path, query: query, form).send(completion: completion)
    }
}
