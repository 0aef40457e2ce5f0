/// A kind of records: those of a type, or those of a resource without a type.
///
/// Its methods are the calls that both have in common.
protocol RecordKind<Record>: Sendable {
    associatedtype Record

    var endpoint: ResourceEndpoint { get }
    var collectionParser: CollectionParser { get }
    var callbacks: ResourceCallbacks<Record> { get }
    /// The statuses of responses to invalid records.
    var invalidStatuses: Set<Int> { get }
    /// The property with the state of a record.
    var state: WritableKeyPath<Record, ResourceState> { get }

    /// Returns a record without its root, marked as persisted.
    func record(in payload: Payload, prefix: [String: String]) throws(MappingError) -> Record
    /// Returns the records of a list without roots, marked as persisted.
    func records(in payload: Payload, prefix: [String: String]) throws(MappingError) -> [Record]
    /// Reads the attributes of a response, which the payload contains, into a record, and marks it as persisted.
    func receive(_ attributes: JSON, in payload: Payload, into record: inout Record) throws(MappingError)
    /// Returns a new record with attributes; those that are prefix parameters are added to the prefix options.
    func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Record
    /// Reads attributes into a record, which are sent by the next save.
    func assign(_ attributes: [String: JSON], to record: inout Record) throws(ResourceError)
    /// Returns the names of attributes that a record cannot have.
    func unreadNames(of attributes: JSON) -> [String]
    /// Removes a record from the registry of its type, if it has one.
    func unregister(_ record: Record)
    /// Removes the record with an identifier from the registry of its type, if it has one.
    func unregister(_ id: some ResourceID, prefix: [String: String])

    /// Returns the identifier; `nil` if the record has none.
    func id(of record: Record) -> (any ResourceID)?
    /// Sets the identifier at the end of a `Location`; an invalid one has no effect.
    func identify(_ record: inout Record, byLocation location: String) throws(MappingError)
    /// Adds the problems of a record before it is saved.
    func validate(_ record: Record, _ errors: inout ResourceErrors)
    /// Returns the problems in the body of a response to an invalid record; `nil` if the body has another format.
    func remoteErrors(in body: JSON, of record: Record) -> ResourceErrors?

    /// Returns all attributes of a record, with null for `nil` and without it.
    func written(_ record: Record) throws(MappingError) -> (complete: JSON, present: JSON)
    /// Returns the names of the received and sent attributes, and the values of the record at that time; `nil` if a request
    /// sends all attributes.
    func known(of record: Record, for method: HTTPMethod) -> (names: JSON, values: JSON)?
    /// Returns the received and sent attributes after a save.
    func known(afterSending names: JSON, of complete: JSON) -> KnownAttributes
}
