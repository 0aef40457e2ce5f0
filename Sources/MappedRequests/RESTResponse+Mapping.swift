extension RESTResponse {
    /// Maps the body to a model by the mapping of its type.
    ///
    /// ```swift
    /// let account = try await client.get("/accounts/7").map(as: Account.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the model.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappedRequestError` if the status is not 200 to 299, or if the body is not JSON of such a model.
    public func map<Model: Mappable>(
        as type: Model.Type = Model.self, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappedRequestError) -> Model {
        try map(by: Model.mapping, in: session, options: options)
    }

    /// Maps the body to a model by a custom mapping.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappedRequestError` if the status is not 200 to 299, or if the body is not JSON of such a model.
    public func map<Model>(
        by mapping: Mapping<Model>, in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) throws(MappedRequestError) -> Model {
        try ResponseReader(self).readSuccess { (body) throws(MappingError) in
            try mapping.map(body, in: session, options: options)
        }
    }

    /// Maps a collection in the body to models by the mapping of their type.
    ///
    /// - Parameters:
    ///   - type: The type of the models.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappedRequestError` if the status is not 200 to 299, or if the body is not JSON of such models.
    public func mapAll<Model: Mappable>(
        as type: Model.Type = Model.self, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) throws(MappedRequestError) -> [Model] {
        try mapAll(by: Model.mapping, at: keyPath, each: shape, in: session, options: options, parallel: parallel)
    }

    /// Maps a collection in the body to models by a custom mapping.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of an element.
    ///   - keyPath: The key path of the collection. Defaults to the body itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    ///   - parallel: Whether all cores read a large collection. Defaults to `false`.
    /// - Throws: `MappedRequestError` if the status is not 200 to 299, or if the body is not JSON of such models.
    public func mapAll<Model>(
        by mapping: Mapping<Model>, at keyPath: JSONKeyPath = "", each shape: ElementShape = .element,
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions(), parallel: Bool = false
    ) throws(MappedRequestError) -> [Model] {
        try ResponseReader(self).readSuccess { (body) throws(MappingError) in
            try mapping.mapAll(body, at: keyPath, each: shape, in: session, options: options, parallel: parallel)
        }
    }
}
