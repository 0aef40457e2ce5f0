extension Resource {
    /// Returns the value in the response of a custom method.
    static func value(of response: RESTResponse, to request: RESTRequest) throws(ResourceError) -> JSON {
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoots(named: elementName)
            return try payload.json
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns the model in the response of a custom method.
    ///
    /// - Parameter prefix: The prefix options of the request, which the model has if it is a record with such a prefix.
    static func model<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> Model {
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoot()
            return entered(try payload.read { (input) throws(MappingError) in try Model.mapping.map(input) }, prefix)
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns the models in the response of a custom method.
    static func models<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> [Model] {
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoots(named: (Model.self as? any Resource.Type)?.elementName ?? elementName)
            let models = try payload.read { (input) throws(MappingError) in try Model.mapping.mapAll(input) }
            return Model.self is any Resource.Type ? models.map { entered($0, prefix) } : models
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns a record with its prefix options; other models are unchanged.
    private static func entered<Model>(_ model: Model, _ prefix: [String: String]) -> Model {
        guard var record = model as? any Resource else { return model }
        let parameters = Set(type(of: record).endpoint.prefixParameters)
        record.enter(prefix: prefix.filter { parameters.contains($0.key) })
        return record as? Model ?? model
    }
}
