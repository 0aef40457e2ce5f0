extension DynamicResource {
    /// Saves the record: POST for a new one, PUT with all attributes for a persisted one.
    ///
    /// - Returns: `false` if the service rejects the record as invalid; see ``errors``.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func save() async throws(ResourceError) -> Bool {
        try await send(attributes, isPatch: false)
    }

    /// Changes attributes and saves them: with PATCH and only the changes if the site uses it, otherwise with PUT and
    /// all attributes.
    ///
    /// - Parameter changes: The attributes that change, an object.
    /// - Returns: `false` if the service rejects the record as invalid; the changes remain in the record.
    /// - Throws: `ResourceError` for any other status, and if there is no response.
    public nonisolated(nonsending) mutating func updateAttributes(
        _ changes: JSON
    ) async throws(ResourceError) -> Bool {
        load(changes)
        let isPatch = !isNew && type.endpoint.site.updateMethod == .patch
        return try await send(isPatch ? changes : attributes, isPatch: isPatch)
    }

    /// Loads the record again; attributes that the response does not contain are unchanged.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` if the service no longer has the record.
    public nonisolated(nonsending) mutating func reload() async throws(ResourceError) {
        try await load(from: type.endpoint.elementPath(id, prefix: resource.prefixOptions))
    }

    /// Deletes the record at the service; the record itself does not change.
    ///
    /// - Throws: `ResourceError`; its kind is `notFound` or `gone` if the service does not have the record.
    @discardableResult
    public nonisolated(nonsending) func destroy() async throws(ResourceError) -> RESTResponse {
        let endpoint = type.endpoint
        let path = try endpoint.elementPath(id, prefix: resource.prefixOptions)
        return try await endpoint.send(endpoint.request(.delete, path))
    }

    /// Sends a GET request to a custom method of the record, and returns the body without its root key.
    public nonisolated(nonsending) func get(
        _ name: String, _ query: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> JSON {
        let request = try methodRequest(.get, name, query)
        let response = try await type.endpoint.send(request)
        do throws(MappingError) {
            var payload = try type.endpoint.payload(of: response)
            try payload.removeRoots(named: type.endpoint.elementName)
            return try payload.json
        } catch { throw ResourceError(error, request, response) }
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
        try await type.endpoint.send(methodRequest(method, name, query, body))
    }

    private func methodRequest(
        _ method: HTTPMethod, _ name: String, _ query: [String: any FormValueConvertible], _ body: JSON? = nil
    ) throws(ResourceError) -> RESTRequest {
        let endpoint = type.endpoint
        let path = try endpoint.memberPath(id, named: name, prefix: resource.prefixOptions, query: FormValue(query))
        return endpoint.request(method, path, body: body?.data)
    }

    private nonisolated(nonsending) mutating func send(
        _ sent: JSON, isPatch: Bool
    ) async throws(ResourceError) -> Bool {
        resource.errors = ResourceErrors()
        let (endpoint, prefix) = (type.endpoint, resource.prefixOptions)
        let body: Data
        do { body = try endpoint.site.format.encode(sent, root: endpoint.elementName) } catch {
            throw ResourceError(.invalidAttributes, "\(endpoint.elementName): \(error)", underlying: error)
        }
        let request =
            isNew
            ? endpoint.request(.post, try endpoint.collectionPath(prefix: prefix), body: body)
            : endpoint.request(isPatch ? .patch : .put, try endpoint.elementPath(id, prefix: prefix), body: body)
        do throws(ResourceError) {
            let response = try await endpoint.send(request)
            if isNew, let id = response.headers["Location"].flatMap(String.init(location:)) {
                self[endpoint.primaryKey] = Int(id).map { .integer($0) } ?? .string(id)
            }
            try load(response, to: request)
            return true
        } catch {
            guard error.kind == .invalid, let response = error.response,
                let body = try? endpoint.payload(of: response).json,
                let errors = ResourceErrors(body, attributes: knownAttributes)
            else { throw error }
            resource.errors = errors
            return false
        }
    }

    nonisolated(nonsending) mutating func load(from path: String) async throws(ResourceError) {
        let request = type.endpoint.request(.get, path)
        let response = try await type.endpoint.send(request)
        guard response.hasRecord else {
            throw ResourceError(
                .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
        }
        try load(response, to: request)
    }

    private mutating func load(_ response: RESTResponse, to request: RESTRequest) throws(ResourceError) {
        guard response.hasRecord else { return }
        do throws(MappingError) {
            var payload = try type.endpoint.payload(of: response)
            try payload.removeRoot()
            let value = try payload.json
            guard value.object != nil else {
                throw MappingError(
                    MappingIssue(kind: .typeMismatch, path: "$", expected: "an object", found: value.kindName))
            }
            load(value)
            resource.isPersisted = true
        } catch { throw ResourceError(error, request, response) }
    }
}
