extension DynamicResource {
    /// Saves the record: POST for a new one, PUT or PATCH for a persisted one.
    ///
    /// PUT sends all attributes, which were received or set, PATCH those that changed.
    ///
    /// - Returns: `false` if the service rejects the record as invalid; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func save() async throws(ResourceError) -> Bool {
        try await recordKind.save(&self)
    }

    /// Returns a new record with the same attributes and prefix options, but without an identifier.
    public func clone() -> DynamicResource {
        var copy = dup()
        copy[type.endpoint.primaryKey] = JSON.null[0]
        return copy
    }

    /// Returns a new record with the same attributes, prefix options and identifier.
    public func dup() -> DynamicResource {
        var copy = self
        copy.resource = ResourceState(prefixOptions: resource.prefixOptions)
        return copy
    }

    /// Calls a method of the record with POST, PUT, PATCH or DELETE.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - name: The name below the record.
    ///   - query: Parameters of the query.
    ///   - body: The body, verbatim. Defaults to none.
    @discardableResult
    public nonisolated(nonsending) func call(
        _ method: HTTPMethod, _ name: String, _ query: [String: any FormValueConvertible] = [:], body: JSON? = nil
    ) async throws(ResourceError) -> RESTResponse {
        try await recordKind.send(
            method, name, query, at: .element(id, prefix: resource.prefixOptions), body: body?.data)
    }

    var recordKind: DynamicResourceType { type }
}

extension DynamicResource {
    /// The attributes when they were received or sent; `nil` for a new record.
    var knownValues: JSON? {
        if case .values(_, let values) = resource.known { values } else { nil }
    }

    /// Notes that the service has the attributes of the record, and loads its response.
    mutating func accept(_ response: RESTResponse, to request: RESTRequest) throws(ResourceError) {
        if isNew {
            if let id = response.headers["Location"].flatMap(String.init(location:)) {
                self[type.endpoint.primaryKey] = Int64(id).map { .integer($0) } ?? .string(id)
            }
            resource.isPersisted = id?.isEmpty == false || type.endpoint.singletonName != nil
        }
        resource.known = .values(names: attributes, attributes)
        try load(response, to: request)
    }

    /// Loads the attributes of a response; one without a body, or with an empty object, has no effect.
    mutating func load(_ response: RESTResponse, to request: RESTRequest) throws(ResourceError) {
        guard response.hasRecord else { return }
        try type.endpoint.read(response, to: request, removing: .record) { (body) throws(MappingError) in
            if !body.isEmptyObject { try receive(body.json) }
        }
    }

    /// Loads received attributes.
    mutating func receive(_ value: JSON) throws(MappingError) {
        guard let members = value.object else {
            throw MappingError(
                MappingIssue(kind: .typeMismatch, path: "$", expected: "an object", found: value.kindName))
        }
        load(value)
        let received = members.filter { attributes[$0.key].exists }
        let known = JSON.object(JSONObject((knownValues?.object ?? [:]).map { $0 } + received))
        resource.known = .values(names: known, known)
        resource.isPersisted = true
    }
}
