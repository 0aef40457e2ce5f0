extension RESTClient {
    // Calls whose body is written by a mapping. For a list of models, use `MappedBody`.

    /// A request whose body is a model as JSON.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path of the resource.
    ///   - query: The query, added to that of the path.
    ///   - headers: Header fields of this request, each of which replaces the client's. Defaults to none.
    ///   - model: The model.
    ///   - mapping: The mapping that writes it.
    ///   - rootKey: The key path of the model's object in the body. Defaults to the body itself.
    public func request<Model>(
        _ method: HTTPMethod, _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = ""
    ) -> RESTRequest {
        request(method, path, query: query, headers: headers, MappedBody(model, using: mapping, rootKey: rootKey))
    }

    /// Sends a model as JSON to a resource, such as to create one.
    ///
    /// ```swift
    /// let response = try await client.post("/tasks", task, using: ProjectTask.mapping, rootKey: "task")
    /// ```
    ///
    /// - Throws: `RequestError` if there is no response; its kind is `invalidBody` if the model cannot be written.
    public func post<Model>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = ""
    ) async throws(RequestError) -> RESTResponse {
        try await request(.post, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).send()
    }

    /// Sends a model as JSON to a resource, such as to create one, and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func post<Model, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = "", as type: Result.Type
    ) async throws(MappedRequestError) -> sending Result {
        try await request(.post, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).map(
            as: type)
    }

    /// Replaces a resource by a model as JSON.
    ///
    /// - Throws: `RequestError` if there is no response; its kind is `invalidBody` if the model cannot be written.
    public func put<Model>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = ""
    ) async throws(RequestError) -> RESTResponse {
        try await request(.put, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).send()
    }

    /// Replaces a resource by a model as JSON and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func put<Model, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = "", as type: Result.Type
    ) async throws(MappedRequestError) -> sending Result {
        try await request(.put, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).map(
            as: type)
    }

    /// Sends a PATCH request with a model as its JSON body.
    ///
    /// - Throws: `RequestError` if there is no response; its kind is `invalidBody` if the model cannot be written.
    public func patch<Model>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = ""
    ) async throws(RequestError) -> RESTResponse {
        try await request(.patch, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).send()
    }

    /// Changes a resource by a model as JSON and maps the response to a model.
    ///
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func patch<Model, Result: Mappable>(
        _ path: String, query: FormValue = [:], headers: HTTPHeaders = [:], _ model: Model,
        using mapping: Mapping<Model>, rootKey: JSONKeyPath = "", as type: Result.Type
    ) async throws(MappedRequestError) -> sending Result {
        try await request(.patch, path, query: query, headers: headers, model, using: mapping, rootKey: rootKey).map(
            as: type)
    }
}
