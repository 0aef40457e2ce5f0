extension RESTRequest {
    /// Sends the request and maps the response to a model by the mapping of its type.
    ///
    /// - Parameters:
    ///   - type: The type of the model.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func map<Model: Mappable>(
        as type: Model.Type = Model.self, options: MappingOptions = MappingOptions()
    ) async throws(MappedRequestError) -> sending Model {
        try await map(by: Model.mapping, options: options)
    }

    /// Sends the request and maps the response to a model by a custom mapping.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such a model.
    public func map<Model>(
        by mapping: Mapping<Model>, options: MappingOptions = MappingOptions()
    ) async throws(MappedRequestError) -> sending Model {
        try await response().map(by: mapping, options: options)
    }

    /// Sends the request and maps a collection in the response to models by the mapping of their type.
    ///
    /// - Parameters:
    ///   - type: The type of the models.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such models.
    public func mapAll<Model: Mappable>(
        as type: Model.Type = Model.self, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) async throws(MappedRequestError) -> sending [Model] {
        try await mapAll(by: Model.mapping, at: keyPath, each: shape, options: options, parallel: parallel)
    }

    /// Sends the request and maps a collection in the response to models by a custom mapping.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of an element.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappedRequestError` if there is no response, if its status is not 200 to 299, or if its body is not JSON
    ///   of such models.
    public func mapAll<Model>(
        by mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) async throws(MappedRequestError) -> sending [Model] {
        try await response().mapAll(by: mapping, at: keyPath, each: shape, options: options, parallel: parallel)
    }

    /// Sends the request and returns its response with any status, for models that are used with header fields or a
    /// status.
    ///
    /// ```swift
    /// let response = try await client.request("/tasks", headers: ["If-None-Match": tag]).response()
    /// if response.isNotModified { return tasks }
    /// tag = response.headers["ETag"]
    /// return try response.mapAll(as: ProjectTask.self)
    /// ```
    ///
    /// It differs from `send()` in the type of its errors, which is that of `map` and `mapAll`.
    ///
    /// - Throws: `MappedRequestError` of kind `requestFailed` if there is no response.
    public func response() async throws(MappedRequestError) -> RESTResponse {
        do throws(RequestError) { return try await send() } catch { throw MappedRequestError(error) }
    }
}
