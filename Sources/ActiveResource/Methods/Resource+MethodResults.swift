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
    static func model<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest
    ) throws(ResourceError) -> Model {
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoot()
            return loaded(try payload.read { (input) throws(MappingError) in try Model.mapping.map(input) })
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns the models in the response of a custom method.
    static func models<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest
    ) throws(ResourceError) -> [Model] {
        do throws(MappingError) {
            var payload = try endpoint.payload(of: response)
            try payload.removeRoots(named: (Model.self as? any Resource.Type)?.elementName ?? elementName)
            let models = try payload.read { (input) throws(MappingError) in try Model.mapping.mapAll(input) }
            return Model.self is any Resource.Type ? models.map { loaded($0) } : models
        } catch { throw ResourceError(error, request, response) }
    }

    /// Returns a record marked as persisted; other models are unchanged.
    private static func loaded<Model>(_ model: Model) -> Model {
        guard var record = model as? any Resource else { return model }
        record.resource.isPersisted = true
        return record as? Model ?? model
    }
}
