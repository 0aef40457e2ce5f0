extension DynamicResourceType: RecordKind {
    var callbacks: ResourceCallbacks<DynamicResource> { ResourceCallbacks() }
    var invalidStatuses: Set<Int> { [422] }
    var state: WritableKeyPath<DynamicResource, ResourceState> { \.resource }

    func record(in payload: Payload, prefix: [String: String]) throws(MappingError) -> DynamicResource {
        var record = DynamicResource(self, prefix: prefix)
        try receive(payload.json, in: payload, into: &record)
        return record
    }

    func records(in payload: Payload, prefix: [String: String]) throws(MappingError) -> [DynamicResource] {
        let body = try payload.json
        var records: [DynamicResource] = []
        for (index, attributes) in (body.array ?? (body.isNull ? [] : [body])).enumerated() {
            if attributes.object?.isEmpty == true { throw MappingError(.emptyObject(at: "$[\(index)]")) }
            var record = DynamicResource(self, prefix: prefix)
            try receive(attributes, in: payload, into: &record)
            records.append(record)
        }
        return records
    }

    func receive(
        _ attributes: JSON, in payload: Payload, into record: inout DynamicResource
    ) throws(MappingError) {
        guard let members = attributes.object else {
            throw MappingError(
                MappingIssue(kind: .typeMismatch, path: "$", expected: "an object", found: attributes.kindName))
        }
        record.load(attributes)
        let received = record.attributes
        record.noteKnown(JSONObject(members.filter { received[$0.key].exists }))
        record.resource.isPersisted = true
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

    func unreadNames(of attributes: JSON) -> [String] { [] }

    func unregister(_ record: DynamicResource) {}

    func unregister(_ id: some ResourceID, prefix: [String: String]) {}

    func id(of record: DynamicResource) -> (any ResourceID)? { record.id }

    func identify(_ record: inout DynamicResource, byLocation location: String) {
        guard let id = String(location: location) else { return }
        let value = Int64(id).map { JSON.integer($0) } ?? .string(id)
        record[endpoint.primaryKey] = value
        record.noteKnown([endpoint.primaryKey: value])
    }

    func validate(_ record: DynamicResource, _ errors: inout ResourceErrors) {}

    func remoteErrors(in body: JSON, of record: DynamicResource) -> ResourceErrors? {
        ResourceErrors(body, attributes: record.knownAttributes)
    }

    func written(_ record: DynamicResource) -> (complete: JSON, present: JSON) {
        (record.attributes, record.attributes)
    }

    func known(of record: DynamicResource, for method: HTTPMethod) -> (names: JSON, values: JSON)? {
        method == .patch ? record.knownValues.map { ($0, $0) } : nil
    }

    func known(afterSending names: JSON, of complete: JSON) -> KnownAttributes {
        .values(names: complete, complete)
    }
}
