/// A kind of records: those of a type, or those of a resource without a type.
///
/// Its methods are the calls that both have in common.
protocol RecordKind<Record>: Sendable {
    associatedtype Record

    var endpoint: ResourceEndpoint { get }
    var collectionParser: CollectionParser { get }

    /// Returns a record without its root, marked as persisted.
    func record(in payload: Payload, prefix: [String: String]) throws(MappingError) -> Record
    /// Returns the records of a list without roots, marked as persisted.
    func records(in payload: Payload, prefix: [String: String]) throws(MappingError) -> [Record]
    /// Returns a new record with attributes; those that are prefix parameters are added to the prefix options.
    func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Record
    /// Reads attributes into a record, which are sent by the next save.
    func assign(_ attributes: [String: JSON], to record: inout Record) throws(ResourceError)
    /// Marks a record as new.
    func renew(_ record: inout Record)
    /// Returns the names of attributes that a record cannot have.
    func unreadNames(of attributes: JSON) -> [String]
    /// Returns a record in the format of the site.
    func encoded(_ record: Record) throws(ResourceError) -> Data
    /// Removes a record from the registry of its type, if it has one.
    func unregister(_ id: some ResourceID, prefix: [String: String])

    nonisolated(nonsending) func outcome(
        ofSaving record: inout Record, validates: Bool
    ) async throws(ResourceError) -> SaveOutcome
    nonisolated(nonsending) func reload(_ record: inout Record) async throws(ResourceError)
    nonisolated(nonsending) func destroy(_ record: Record) async throws(ResourceError) -> RESTResponse?

    @available(*, noasync)
    func outcomeSync(ofSaving record: inout Record, validates: Bool) throws(ResourceError) -> SaveOutcome
    @available(*, noasync)
    func reloadSync(_ record: inout Record) throws(ResourceError)
    @available(*, noasync)
    func destroySync(_ record: Record) throws(ResourceError) -> RESTResponse?
}

/// The records of a type.
struct TypedKind<Record: Resource>: RecordKind {
    var endpoint: ResourceEndpoint { Record.endpoint }
    var collectionParser: CollectionParser { Record.collectionParser }

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

    func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Record {
        try Record.make(attributes, prefix: prefix)
    }

    func assign(_ attributes: [String: JSON], to record: inout Record) throws(ResourceError) {
        try Record.read(attributes, into: &record)
    }

    func renew(_ record: inout Record) { record.resource.isPersisted = false }

    func unreadNames(of attributes: JSON) -> [String] { Record.unreadNames(of: attributes) }

    func encoded(_ record: Record) throws(ResourceError) -> Data {
        let attributes = try Record.attributes(of: record, record.isNew ? .post : .put)
        return try Record.encoded(attributes?.sent ?? [:], endpoint)
    }

    func unregister(_ id: some ResourceID, prefix: [String: String]) { Record.unregister(id, prefix: prefix) }

    nonisolated(nonsending) func outcome(
        ofSaving record: inout Record, validates: Bool
    ) async throws(ResourceError) -> SaveOutcome {
        try await Record.save(&record, validates: validates)
    }

    nonisolated(nonsending) func reload(_ record: inout Record) async throws(ResourceError) {
        try await Record.reload(&record)
    }

    nonisolated(nonsending) func destroy(_ record: Record) async throws(ResourceError) -> RESTResponse? {
        try await Record.destroy(record)
    }
}

extension Resource {
    static var recordKind: TypedKind<Self> { TypedKind() }
    var recordKind: TypedKind<Self> { TypedKind() }
}
