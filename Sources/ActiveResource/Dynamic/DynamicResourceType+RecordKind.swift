extension DynamicResourceType: RecordKind {
    func record(in payload: Payload, prefix: [String: String]) throws(MappingError) -> DynamicResource {
        var record = DynamicResource(self, prefix: prefix)
        try record.receive(payload.json)
        return record
    }

    func records(in payload: Payload, prefix: [String: String]) throws(MappingError) -> [DynamicResource] {
        let body = try payload.json
        var records: [DynamicResource] = []
        for (index, attributes) in (body.array ?? (body.isNull ? [] : [body])).enumerated() {
            if attributes.object?.isEmpty == true { throw MappingError(.emptyObject(at: "$[\(index)]")) }
            var record = DynamicResource(self, prefix: prefix)
            try record.receive(attributes)
            records.append(record)
        }
        return records
    }

    func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> DynamicResource {
        var record = DynamicResource(self, prefix: prefix)
        try assign(attributes, to: &record)
        return record
    }

    func assign(_ attributes: [String: JSON], to record: inout DynamicResource) throws(ResourceError) {
        record.load(
            .object(JSONObject(attributes.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) })))
    }

    func renew(_ record: inout DynamicResource) { record.resource.isPersisted = false }

    func unreadNames(of attributes: JSON) -> [String] { [] }

    func encoded(_ record: DynamicResource) throws(ResourceError) -> Data { try encoded(record.attributes) }

    private func encoded(_ attributes: JSON) throws(ResourceError) -> Data {
        do { return try endpoint.site.format.encode(attributes, root: endpoint.elementName) } catch {
            throw ResourceError(invalidAttributes: error, of: endpoint.elementName)
        }
    }

    func unregister(_ id: some ResourceID, prefix: [String: String]) {}

    nonisolated(nonsending) func outcome(
        ofSaving record: inout DynamicResource, validates: Bool
    ) async throws(ResourceError) -> SaveOutcome {
        record.resource.errors = ResourceErrors()
        guard let request = try saveRequest(of: record) else { return .saved }
        do throws(ResourceError) {
            try record.accept(try await endpoint.send(request), to: request)
            return .saved
        } catch {
            guard error.kind == .invalid else { throw error }
            let names = record.knownAttributes
            let errors = try endpoint.problems(of: error) { ResourceErrors($0, attributes: names) }
            record.resource.errors = errors
            return .invalid(errors)
        }
    }

    /// Returns the request that saves a record; `nil` if nothing changed.
    func saveRequest(of record: DynamicResource) throws(ResourceError) -> RESTRequest? {
        let prefix = record.resource.prefixOptions
        if record.isNew {
            let body = try encoded(record)
            return endpoint.request(.post, try endpoint.collectionPath(prefix: prefix), body: body)
        }
        let path = try endpoint.elementPath(record.id, prefix: prefix)
        guard endpoint.site.updateMethod == .patch, let known = record.knownValues else {
            return endpoint.request(.put, path, body: try encoded(record))
        }
        let changes = AttributeSelection(names: known, values: known)
            .changes(of: record.attributes, present: record.attributes)
        if changes.object?.isEmpty != false { return nil }
        return endpoint.request(.patch, path, body: try encoded(changes))
    }

    nonisolated(nonsending) func reload(_ record: inout DynamicResource) async throws(ResourceError) {
        let request = try endpoint.findRequest(record.id, record.resource.prefixOptions)
        let response = try await endpoint.send(request)
        guard response.hasRecord else {
            throw ResourceError(
                .unexpectedContent, "expected a record, found an empty body", request: request, response: response)
        }
        try record.load(response, to: request)
    }

    nonisolated(nonsending) func destroy(_ record: DynamicResource) async throws(ResourceError) -> RESTResponse? {
        let path = try endpoint.elementPath(record.id, prefix: record.resource.prefixOptions)
        return try await endpoint.send(endpoint.request(.delete, path))
    }
}
