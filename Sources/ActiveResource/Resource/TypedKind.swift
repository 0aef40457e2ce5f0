/// The records of a type.
struct TypedKind<Record: Resource>: RecordKind {
    var endpoint: ResourceEndpoint { Record.endpoint }
    var collectionParser: CollectionParser { Record.collectionParser }
    var callbacks: ResourceCallbacks<Record> { Record.callbacks }
    var invalidStatuses: Set<Int> { Record.invalidStatuses }
    var state: WritableKeyPath<Record, ResourceState> { \.resource }

    func record(in payload: Payload, prefix: [String: String]) throws(MappingError) -> Record {
        var record = try payload.readRecords { (body) throws(MappingError) in try Record.mapping.map(body) }
        record.enter(prefix: prefix)
        return record
    }

    func records(in payload: Payload, prefix: [String: String]) throws(MappingError) -> [Record] {
        var records = try payload.readRecords { (body) throws(MappingError) in try Record.mapping.mapAll(body) }
        for index in records.indices {
            guard records[index].resource.known?.isEmptyObject != true else {
                throw MappingError(.emptyObject(at: "$[\(index)]"))
            }
            records[index].enter(prefix: prefix)
        }
        return records
    }

    func receive(_ attributes: JSON, in payload: Payload, into record: inout Record) throws(MappingError) {
        // The update notes the attributes of this response only.
        let state = record.resource
        do throws(MappingError) {
            defer { record.resource = state }
            try payload.readRecords { (body) throws(MappingError) in
                try Record.mapping.update(&record, fromMapped: body)
            }
        } catch  where error.issues.allSatisfy({ $0.kind == .mapping }) {
            // The mapping creates its models with an initializer.
            record = try payload.readRecords { (body) throws(MappingError) in try Record.mapping.map(body) }
            record.resource = state
        }
        try record.note(received: attributes)
        record.enter(prefix: [:])
    }

    func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Record {
        try Record.make(attributes, prefix: prefix)
    }

    func assign(_ attributes: [String: JSON], to record: inout Record) throws(ResourceError) {
        let values = try Record.declared(attributes, prefix: &record.resource.prefixOptions)
        do throws(MappingError) {
            try Record.mapping.update(&record, from: values)
            try record.note(assigned: values)
        } catch { throw ResourceError(invalidAttributes: error, of: Record.elementName) }
    }

    func unreadNames(of attributes: JSON) -> [String] { Record.unreadNames(of: attributes) }

    func unregister(_ record: Record) { unregister(record.id, prefix: record.resource.prefixOptions) }

    func unregister(_ id: some ResourceID, prefix: [String: String]) { Record.unregister(id, prefix: prefix) }

    func id(of record: Record) -> (any ResourceID)? { record.id }

    func identify(_ record: inout Record, byLocation location: String) throws(MappingError) {
        guard let id = Record.ID(location: location) else { return }
        try record.noteIdentifier({ $0.id = id }, isKnown: true)
    }

    func validate(_ record: Record, _ errors: inout ResourceErrors) { record.validate(&errors) }

    func remoteErrors(in body: JSON, of record: Record) -> ResourceErrors? {
        Record.remoteErrors(in: body, attributes: (try? Record.complete(record))?.object?.keys ?? [])
    }

    func written(_ record: Record) throws(MappingError) -> (complete: JSON, present: JSON) {
        (try Record.complete(record), try Record.mapping.json(of: record))
    }

    func known(of record: Record, for method: HTTPMethod) -> (names: JSON, values: JSON)? { Record.known(of: record) }

    func known(afterSending names: JSON, of complete: JSON) -> KnownAttributes {
        Record.sentAttributes(names, complete)
    }
}

extension Resource {
    static var recordKind: TypedKind<Self> { TypedKind() }
    var recordKind: TypedKind<Self> { TypedKind() }
}
