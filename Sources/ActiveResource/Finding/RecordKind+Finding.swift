extension RecordKind {
    /// Returns a query for the records of the collection.
    func query(prefix: [String: String] = [:], from source: ResourceSource? = nil) -> ResourceQuery<Record> {
        ResourceQuery(self, prefix: prefix, from: source)
    }

    nonisolated(nonsending) func find(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: FormValue
    ) async throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = try endpoint.findRequest(id, prefix, query)
        return try record(of: try await endpoint.send(request), to: request, prefix: prefix)
    }

    nonisolated(nonsending) func one(
        from source: ResourceSource, _ prefix: [String: String], _ query: FormValue
    ) async throws(ResourceError) -> Record {
        let endpoint = endpoint
        let request = endpoint.request(.get, try endpoint.path(of: source, prefix: prefix, query: query))
        return try record(of: try await endpoint.send(request), to: request, prefix: prefix)
    }

    nonisolated(nonsending) func exists(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: FormValue
    ) async throws(ResourceError) -> Bool {
        let endpoint = endpoint
        if id?.pathText == nil, endpoint.singletonName == nil { return false }
        let path = try endpoint.elementPath(id, prefix: prefix, query: query)
        do throws(ResourceError) {
            return 200...206 ~= (try await endpoint.send(endpoint.request(.head, path))).status
        } catch {
            guard error.kind == .notFound || error.kind == .gone else { throw error }
            return false
        }
    }

    /// Returns the record in a response.
    ///
    /// - Parameter acceptsEmpty: Whether an object without members is a record. Defaults to `false`.
    func record(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String], acceptsEmpty: Bool = false
    ) throws(ResourceError) -> Record {
        guard response.hasRecord else {
            throw ResourceError(
                .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
        }
        return try endpoint.read(response, to: request, removing: .record) { (body) throws(MappingError) in
            guard acceptsEmpty || !body.isEmptyObject else { throw MappingError(.emptyObject()) }
            return try record(in: body, prefix: prefix)
        }
    }

    /// Returns the records in a response.
    func page(
        of response: RESTResponse, to request: RESTRequest, prefix: [String: String]
    ) throws(ResourceError) -> ResourcePage<Record> {
        // An empty list, such as one of status 204.
        guard response.status != 304 else {
            throw ResourceError(
                .unknownStatus, "expected a list, found 304 Not Modified", request: request, response: response)
        }
        guard response.hasRecord else { return ResourcePage([], response: response) }
        let endpoint = endpoint
        return try endpoint.read(response, to: request) { (body) throws(MappingError) in
            var body = body
            var data = JSON.null
            if let parse = collectionParser.records {
                data = try body.json
                body = Payload(try parsed(data, parse))
            }
            try body.removeRoots(named: endpoint.elementName)
            // Some services encode a list without elements as an object.
            if body.isEmptyObject { return ResourcePage([], response: response, data: data) }
            return ResourcePage(try records(in: body, prefix: prefix), response: response, data: data)
        }
    }

    private func parsed(_ body: JSON, _ parse: (JSON) throws -> JSON) throws(MappingError) -> JSON {
        let found: String
        do {
            let records = try parse(body)
            if records.exists { return records }
            found = "a body without them"
        } catch { found = "\(error)" }
        throw MappingError(MappingIssue(kind: .notFound, path: "$", expected: "records in the body", found: found))
    }
}

extension ResourceEndpoint {
    func findRequest(
        _ id: (any ResourceID)?, _ prefix: [String: String], _ query: FormValue = [:]
    ) throws(ResourceError) -> RESTRequest {
        request(.get, try elementPath(id, prefix: prefix, query: query))
    }
}
