extension RESTClient {
    // Calls whose response is mapped by the mapping of a type; for another mapping, use `client.request(…).map(by:)`.

    /// Requests a resource and maps the response to a model.
    ///
    /// ```swift
    /// let account = try await client.get("/account", as: Account.self)
    /// ```
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func get<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.get, path, query: query, headers: headers).map(as: type)
    }

    /// Requests a resource and maps a collection in the response to models.
    ///
    /// ```swift
    /// let tasks = try await client.mapAll("/tasks", as: ProjectTask.self, at: "data.tasks")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - query: The query, added to that of the path.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - type: The type of the models.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line. Defaults to an
    ///     array.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such models.
    public func mapAll<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], as type: Model.Type,
        at keyPath: JSONKeyPath = "", each shape: ElementShape = .element, parallel: Bool = false
    ) async throws(MappedRequestError) -> sending [Model] {
        try await request(.get, path, query: query, headers: headers).mapAll(
            as: type, at: keyPath, each: shape, parallel: parallel)
    }

    /// Requests a resource and maps the elements of a collection while the response arrives.
    ///
    /// ```swift
    /// for try await account in try await client.stream("/export", as: Account.self, at: "accounts") { … }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the resource.
    ///   - query: The query, added to that of the path.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - type: The type of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    /// - Throws: `MappedRequestError` if there is no response, or if its status is not 200 to 299. Later errors are
    ///   thrown by the stream.
    public func stream<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], as type: Model.Type,
        at keyPath: JSONKeyPath = "", each shape: ElementShape = .element
    ) async throws(MappedRequestError) -> sending MappedStream<Model> {
        try await request(.get, path, query: query, headers: headers).stream(
            by: Model.mapping, at: keyPath, each: shape)
    }

    /// Deletes a resource and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func delete<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.delete, path, query: query, headers: headers).map(as: type)
    }

    /// Sends a body to a resource, such as to create one, and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func post<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.post, path, query: query, headers: headers, body).map(as: type)
    }

    /// Sends a form, or no body, to a resource, and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func post<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:],
        _ form: FormValue? = nil, as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.post, path, query: query, headers: headers, form).map(as: type)
    }

    /// Replaces a resource by a body and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func put<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.put, path, query: query, headers: headers, body).map(as: type)
    }

    /// Changes a resource by a body and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func patch<Model: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ body: some RequestSerializable,
        as type: Model.Type
    ) async throws(MappedRequestError) -> sending Model {
        try await request(.patch, path, query: query, headers: headers, body).map(as: type)
    }
}
