extension RESTClient {
    // The calls of code that is async. They throw why there is no response; a response of any status is returned.

    /// Asks for a resource.
    public func get(
        _ path: String, query: [String: any FormValueConvertible] = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.get, path, query: query).send()
    }

    /// Asks for the header fields of a resource.
    public func head(
        _ path: String, query: [String: any FormValueConvertible] = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.head, path, query: query).send()
    }

    /// Deletes a resource.
    public func delete(
        _ path: String, query: [String: any FormValueConvertible] = [:]
    ) async throws(RequestError) -> RESTResponse {
        try await request(.delete, path, query: query).send()
    }

    /// Sends a body to a resource, as to make a new one.
    public func post(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, body).send()
    }

    /// Sends a form, or nothing, to a resource, as to make a new one.
    public func post(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, form).send()
    }

    /// Sends a body to take the place of a resource.
    public func put(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, body).send()
    }

    /// Sends a form, or nothing, to take the place of a resource.
    public func put(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, form).send()
    }

    /// Sends a body with changes to a resource.
    public func patch(
        _ path: String, query: [String: any FormValueConvertible] = [:], _ body: some RequestSerializable
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, body).send()
    }

    /// Sends a form, or nothing, with changes to a resource.
    public func patch(
        _ path: String, query: [String: any FormValueConvertible] = [:],
        _ form: [String: any FormValueConvertible]? = nil
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, form).send()
    }
}
