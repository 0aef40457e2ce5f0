/// The location of a custom method.
enum MethodLocation {
    case collection
    case element((any ResourceID)?, prefix: [String: String])
    /// Below `/people/new`.
    case new(prefix: [String: String])
}

extension RecordKind {
    typealias Query = [String: any FormValueConvertible]

    nonisolated(nonsending) func get(
        _ name: String, _ query: Query, at location: MethodLocation
    ) async throws(ResourceError) -> JSON {
        let (request, _) = try request(.get, name, query, at: location)
        return try value(of: try await endpoint.send(request), to: request)
    }

    nonisolated(nonsending) func getModel<Model: Mappable>(
        _ name: String, _ query: Query, at location: MethodLocation
    ) async throws(ResourceError) -> Model {
        let (request, prefix) = try request(.get, name, query, at: location)
        return try model(of: try await endpoint.send(request), to: request, prefix: prefix)
    }

    nonisolated(nonsending) func getModels<Model: Mappable>(
        _ name: String, _ query: Query, at location: MethodLocation
    ) async throws(ResourceError) -> [Model] {
        let (request, prefix) = try request(.get, name, query, at: location)
        return try models(of: try await endpoint.send(request), to: request, prefix: prefix)
    }

    nonisolated(nonsending) func send(
        _ method: HTTPMethod, _ name: String, _ query: Query, at location: MethodLocation, body: Data? = nil
    ) async throws(ResourceError) -> RESTResponse {
        let (request, _) = try request(method, name, query, at: location, body)
        return try await endpoint.send(request)
    }

    /// Returns the request of a custom method, and its prefix options.
    func request(
        _ method: HTTPMethod, _ name: String, _ query: Query, at location: MethodLocation, _ body: Data? = nil
    ) throws(ResourceError) -> (RESTRequest, prefix: [String: String]) {
        let endpoint = endpoint
        let path: String
        let options: [String: String]
        switch location {
        case .collection:
            let split = self.query().where(query)
            options = split.prefixOptions
            path = try endpoint.collectionPath(named: name, prefix: options, query: split.queryValue)
        case .element(let id, let prefix):
            options = prefix
            path = try endpoint.memberPath(id, named: name, prefix: prefix, query: FormValue(query))
        case .new(let prefix):
            options = prefix
            path = try endpoint.newElementPath(named: name, prefix: prefix, query: FormValue(query))
        }
        return (endpoint.request(method, path, body: body), options)
    }

    /// Returns the value in the response of a custom method.
    func value(of response: RESTResponse, to request: RESTRequest) throws(ResourceError) -> JSON {
        try endpoint.read(response, to: request, removing: .list(of: endpoint.elementName)) {
            (body) throws(MappingError) in try body.json
        }
    }

    /// Returns the model in the response of a custom method.
    ///
    /// - Parameter prefix: The prefix options of the request, which the model has if it is a record with such a prefix.
    func model<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> Model {
        try endpoint.read(response, to: request, removing: .record) { (body) throws(MappingError) in
            entered(try body.readRecords { (body) throws(MappingError) in try Model.mapping.map(body) }, prefix)
        }
    }

    /// Returns the models in the response of a custom method.
    func models<Model: Mappable>(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> [Model] {
        let element = (Model.self as? any Resource.Type)?.elementName ?? endpoint.elementName
        return try endpoint.read(response, to: request, removing: .list(of: element)) { (body) throws(MappingError) in
            if body.isEmptyObject { return [] }
            let models = try body.readRecords { (body) throws(MappingError) in try Model.mapping.mapAll(body) }
            return Model.self is any Resource.Type ? models.map { entered($0, prefix) } : models
        }
    }

    /// Returns a record with its prefix options; other models are unchanged.
    private func entered<Model>(_ model: Model, _ prefix: [String: String]) -> Model {
        guard var record = model as? any Resource else { return model }
        let parameters = Set(Swift.type(of: record).endpoint.prefixParameters)
        record.enter(prefix: prefix.filter { parameters.contains($0.key) })
        return record as? Model ?? model
    }
}
